// folder.yaml of a hot folder: the last good settings, and the mistakes of the present file.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "manifests/folder.h"
#include "stages/files/folder.h"

namespace mezzo::watch {

/// A reason to doubt that a file has the settings of the watcher's user or of root. A member of the group that
/// drops pages can put a folder.yaml of his own into the folder. Its pages and plates are his to change, but not
/// other folders, the machine that all folders share, or the originals of others.
struct SettingsDoubt {
  std::string reason;  ///< as in "it belongs to user 1001 (eve)"
  std::string remedy;  ///< the command that ends the doubt
};

class SettingsFile {
 public:
  /// `path`: of the hot folder, for messages.
  explicit SettingsFile(std::string path) : path_(std::move(path)) {}

  const manifests::FolderSettings& settings() const { return settings_; }

  /// False when no job may begin: this folder's file has had mistakes since the folder was opened, or is
  /// missing although one is expected.
  bool has_settings() const { return has_settings_; }

  /// Whether the path has had a file, in this folder or in another one of the same path.
  bool had_file() const { return had_file_; }

  /// An earlier watcher has seen a file at this path.
  void recall_file() { had_file_ = true; }

  /// No folder of this path works with the defaults for want of a file.
  void require_file() { needs_file_ = true; }

  const std::vector<Diagnostic>& mistakes() const { return mistakes_; }

  /// The path was opened again, and may lead to another folder. Settings are valid for the folder that they
  /// were read in: there are none until the next read().
  void folder_opened();

  /// Whether the folder that was opened last has been read.
  bool is_read() const { return stat_.has_value(); }

  /// Reads the file in the open `folder` when it, or the press file that it names, has changed. A file with mistakes, or one that has
  /// gone, leaves the last good settings of this folder in force. Without a file there are the defaults, but
  /// where the path had a file before, or needs one: a share that is not mounted, or a folder that was
  /// replaced, would print everything with settings that are not its own. What
  /// reaches beyond the folder is a mistake in a file that strangers can write,
  /// and such a file does not replace one that had it. Throws Error(kIo).
  void read(int folder);

 private:
  manifests::PressSource presses(const std::optional<SettingsDoubt>& doubt);
  void read_missing();
  void refuse_press_of_users() const;
  std::optional<files::FileStat> stat_of_press() const;
  void take(manifests::Checked<manifests::FolderSettings> parsed,
            const std::optional<SettingsDoubt>& doubt);
  bool refuse_reach(const manifests::FolderSettings& good, const SettingsDoubt& doubt);
  void set_mistake(std::string message, std::string hint);

  const std::string path_;
  manifests::FolderSettings settings_;
  bool has_settings_ = false;                           ///< good ones, of this very folder
  bool had_file_ = false;                               ///< at this path
  bool needs_file_ = false;                             ///< by require_file()
  std::optional<std::optional<files::FileStat>> stat_;  ///< of the file when it was last read
  std::string press_path_;                              ///< that the file names; empty: none
  std::optional<files::FileStat> press_stat_;           ///< when it was last read
  std::vector<Diagnostic> mistakes_;
};

}  // namespace mezzo::watch
