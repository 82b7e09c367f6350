#include "pipeline/watch/folder/settings_file.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>
#include <variant>

#include "kernels/base/error.h"
#include "manifests/plate_settings.h"
#include "manifests/settings/folder_rows.h"
#include "manifests/source_text.h"
#include "pipeline/watch/folder/ticket.h"
#include "stages/files/mount.h"

namespace mezzo::watch {
namespace {

constexpr const char* kName = "folder.yaml";

/// "'plates', 'keep' and 'reserve'".
std::string in_a_row(const std::vector<std::string>& keys) {
  std::string text;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i > 0) text += i + 1 < keys.size() ? ", " : " and ";
    text += "'" + keys[i] + "'";
  }
  return text;
}

/// For the entry of a user.
using EntryText = std::array<char, 4096>;

/// The name of a user; empty when the system knows none.
std::string user_name(uid_t user) {
  EntryText text;
  passwd entry{};
  passwd* found = nullptr;
  ::getpwuid_r(user, &entry, text.data(), text.size(), &found);
  return found == nullptr ? "" : found->pw_name;
}

/// Whether a path leads out of the folder that it starts from.
bool leads_out(const std::string& folder, const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path root = fs::path(folder).lexically_normal();
  const fs::path way = (root / path).lexically_normal().lexically_relative(root);
  return way.empty() || *way.begin() == "..";
}

/// The keys that have an effect beyond the hot folder `path`: "plates" when they lead out of it, and others that
/// differ from the defaults.
std::vector<std::string> keys_beyond(const std::string& path,
                                     const manifests::FolderSettings& settings) {
  const manifests::FolderSettings defaults;
  std::vector<std::string> keys;
  if (leads_out(path, settings.plates)) keys.emplace_back("plates");
  if (settings.limits != defaults.limits) keys.emplace_back("limits");
  if (settings.priority != defaults.priority) keys.emplace_back("priority");
  for (const manifests::FolderGroup& group : manifests::folder_groups()) {
    for (const auto& row : group.rows) {
      if (!row.has(manifests::kReserved) || row.in.get(settings) == row.in.get(defaults)) continue;
      const std::string_view key = group.map == nullptr ? row.field.name : group.map->name;
      if (keys.empty() || keys.back() != key) keys.emplace_back(key);
    }
  }
  return keys;
}

/// Nothing when only this process's user and root can have written the open file, which messages
/// call `path`.
std::optional<SettingsDoubt> doubt_about(int file, const std::string& path) {
  struct stat status {};
  if (::fstat(file, &status) != 0) {
    return SettingsDoubt{"its owner is not known", "ls -l " + path};
  }
  if (status.st_uid != ::geteuid() && status.st_uid != 0) {
    const std::string name = user_name(status.st_uid);
    return SettingsDoubt{"it belongs to user " + std::to_string(status.st_uid) +
                             (name.empty() ? "" : " (" + name + ")"),
                         "chown root " + path};
  }
  const bool others_may_write = (status.st_mode & (S_IWOTH | S_IWGRP)) != 0;
  const std::string disk = others_may_write ? files::file_system_of(file) : "";
  if (files::has_fixed_modes(disk)) {
    return SettingsDoubt{"anyone may write to it",
                         "mount its disk with the option umask=022: on its file system, " + disk +
                             ", chmod changes nothing"};
  }
  if ((status.st_mode & S_IWOTH) != 0) {
    return SettingsDoubt{"anyone may write to it", "chmod go-w " + path};
  }
  // A user's own group may have other users, too: those whose primary group it is.
  if ((status.st_mode & S_IWGRP) != 0) {
    return SettingsDoubt{"its group may write to it", "chmod g-w " + path};
  }
  return std::nullopt;
}

}  // namespace

void SettingsFile::folder_opened() {
  stat_.reset();
  has_settings_ = false;
}

/// The folder has no file.
void SettingsFile::read_missing() {
  const std::string remedy = ", or one with the line 'mezzotint: 1' alone for the defaults";
  if (has_settings_ && had_file_) return set_mistake("the file is gone", "put it back" + remedy);
  if (!had_file_ && !needs_file_) return take(manifests::FolderSettings(), std::nullopt);
  set_mistake(had_file_ ? "the file is missing, and there was one before; is the share mounted?"
                        : "the file is missing, and --require-settings lets no folder work "
                          "without one",
              "mount the share, or put the file back" + remedy);
}

void SettingsFile::read(int folder) {
  const std::optional<files::FileStat> stat = files::stat_file(folder, kName);
  if (!stat && errno != ENOENT) throw Error(ErrorKind::kIo, path_ + ": cannot be examined");
  if (stat_ && *stat_ == stat && press_stat_ == stat_of_press()) return;
  stat_ = stat;
  if (!stat) return read_missing();
  had_file_ = true;
  const files::Descriptor opened = files::open_regular(folder, kName);
  const std::optional<std::string> text =
      opened ? files::read_all(opened.get(), manifests::kMaxManifestBytes + 1) : std::nullopt;
  if (text) {
    const std::string name = path_ + "/" + kName;
    const std::optional<SettingsDoubt> doubt = doubt_about(opened.get(), name);
    take(manifests::parse_folder_settings(*text, name, presses(doubt)), doubt);
    return;
  }
  set_mistake(
      "the settings cannot be read: " + (errno == EMLINK ? "not a regular file with one name"
                                                         : std::generic_category().message(errno)),
      "");
}

/// Press files that the settings may name. What users of the folder write chooses none, since messages
/// show lines of it, and no press is theirs to change.
manifests::PressSource SettingsFile::presses(const std::optional<SettingsDoubt>& doubt) {
  press_path_.clear();
  press_stat_.reset();
  return {.given = {}, .read = [this, doubt](const std::string& written) {
            press_path_ = (std::filesystem::path(path_) / written).string();
            press_stat_ = stat_of_press();
            if (doubt) {
              throw Error(
                  ErrorKind::kUsage,
                  "'press' counts only in a file that nobody but the watcher's user and root "
                  "can write, and " +
                      doubt->reason + "; to let it count: " + doubt->remedy);
            }
            refuse_press_of_users();
            return manifests::load_press_file(press_path_);
          }};
}

/// Links are followed: the file that they lead to counts.
void SettingsFile::refuse_press_of_users() const {
  std::error_code unknown;  // loading says what is wrong with the path then
  const std::string folder = std::filesystem::weakly_canonical(path_, unknown).string();
  const std::string press = std::filesystem::weakly_canonical(press_path_, unknown).string();
  if (!leads_out(path_, press_path_) || !leads_out(folder, press)) {
    throw Error(ErrorKind::kUsage,
                "the press file lies in the hot folder, whose users could change it; keep "
                "press files in a folder of their own");
  }
  const files::Descriptor opened = files::open_regular(AT_FDCWD, press);
  if (!opened && errno == EMLINK) {
    throw Error(ErrorKind::kUsage, "the press file must be a regular file with one name");
  }
  const auto doubt = opened ? doubt_about(opened.get(), press_path_) : std::nullopt;
  if (!doubt) return;
  throw Error(ErrorKind::kUsage,
              "the press file must be one that nobody but the watcher's user and root can write, "
              "and " +
                  doubt->reason + "; to let it count: " + doubt->remedy);
}

std::optional<files::FileStat> SettingsFile::stat_of_press() const {
  if (press_path_.empty()) return std::nullopt;
  return files::stat_file(AT_FDCWD, press_path_);
}

void SettingsFile::take(manifests::Checked<manifests::FolderSettings> parsed,
                        const std::optional<SettingsDoubt>& doubt) {
  if (auto* wrong = std::get_if<std::vector<Diagnostic>>(&parsed)) {
    mistakes_ = std::move(*wrong);
    return;
  }
  auto& good = std::get<manifests::FolderSettings>(parsed);
  for (const std::string& plates : manifests::plate_templates(good.defaults)) {
    const std::string problem = plates_problem(path_, good, plates);
    if (problem.empty()) continue;
    return set_mistake(problem, "let 'plates', or 'path' of 'output', name another folder");
  }
  if (doubt && refuse_reach(good, *doubt)) return;
  mistakes_.clear();
  settings_ = std::move(good);
  has_settings_ = true;
}

/// False when neither the file nor the one whose settings are in force reaches beyond the folder.
bool SettingsFile::refuse_reach(const manifests::FolderSettings& good, const SettingsDoubt& doubt) {
  const std::string remedy = "to let it count: " + doubt.remedy;
  const std::vector<std::string> keys = keys_beyond(path_, good);
  if (!keys.empty()) {
    set_mistake(in_a_row(keys) +
                    ", beyond the folder, count only in a file that nobody but the watcher's user "
                    "and root can write, and " +
                    doubt.reason,
                remedy + "; or take them out");
    return true;
  }
  const auto in_force = has_settings_ ? keys_beyond(path_, settings_) : std::vector<std::string>();
  if (in_force.empty()) return false;
  set_mistake("the former " + in_a_row(in_force) + ", beyond the folder, stay, as " + doubt.reason,
              remedy);
  return true;
}

void SettingsFile::set_mistake(std::string message, std::string hint) {
  mistakes_ = {{.file = path_ + "/" + kName,
                .line = 0,
                .column = 0,
                .message = std::move(message),
                .hint = std::move(hint),
                .excerpt = {}}};
}

}  // namespace mezzo::watch
