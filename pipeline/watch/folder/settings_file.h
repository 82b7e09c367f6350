// folder.yaml of a hot folder: the last good settings, and the mistakes of the present file.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "manifests/folder.h"
#include "pipeline/watch/folder/settings_reach.h"
#include "stages/files/folder.h"

namespace mezzo::watch {

class SettingsFile {
 public:
  /// `path`: of the hot folder, for messages.
  explicit SettingsFile(std::string path) : path_(std::move(path)) {}

  const manifests::FolderSettings& settings() const { return settings_; }

  /// False while the file has had mistakes from the start: settings() are the defaults then.
  bool has_settings() const { return has_settings_; }

  const std::vector<Diagnostic>& mistakes() const { return mistakes_; }

  /// The path was opened again, and leads to the folder of this device and inode. Settings are
  /// valid for the folder that they were read in: for another one, the next read() reads the file.
  void folder_opened(std::pair<dev_t, ino_t> folder);

  /// Reads the file in the open `folder` when it, or the press file that it names, has changed. A file with mistakes, or one that has
  /// gone, leaves the last good settings in force; a folder that had none has the defaults. What
  /// reaches beyond the folder is a mistake in a file that strangers can write (settings_reach.h),
  /// and such a file does not replace one that had it. Throws Error(kIo).
  void read(int folder);

 private:
  manifests::PressSource presses(const std::optional<SettingsDoubt>& doubt);
  void refuse_press_of_users() const;
  std::optional<files::FileStat> stat_of_press() const;
  void take(manifests::Checked<manifests::FolderSettings> parsed,
            const std::optional<SettingsDoubt>& doubt);
  bool refuse_reach(const manifests::FolderSettings& good, const SettingsDoubt& doubt);
  void set_mistake(std::string message, std::string hint);

  const std::string path_;
  manifests::FolderSettings settings_;
  bool has_settings_ = false;                           ///< good ones, of this very folder
  bool has_file_ = false;                               ///< they came from a file
  std::pair<dev_t, ino_t> folder_;                      ///< that was opened last
  std::optional<std::optional<files::FileStat>> stat_;  ///< of the file when it was last read
  std::string press_path_;                              ///< that the file names; empty: none
  std::optional<files::FileStat> press_stat_;           ///< when it was last read
  std::vector<Diagnostic> mistakes_;
};

}  // namespace mezzo::watch
