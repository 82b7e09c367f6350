#include "pipeline/watch/folder/settings_reach.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "stages/files/mount.h"

namespace mezzo::watch {
namespace {

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

}  // namespace

bool leads_out(const std::string& folder, const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path root = fs::path(folder).lexically_normal();
  const fs::path way = (root / path).lexically_normal().lexically_relative(root);
  return way.empty() || *way.begin() == "..";
}

std::vector<std::string> keys_beyond(const std::string& path,
                                     const manifests::FolderSettings& settings) {
  const manifests::FolderSettings defaults;
  std::vector<std::string> keys;
  const auto add_if = [&](bool reaches, const char* key) {
    if (reaches) keys.emplace_back(key);
  };
  add_if(leads_out(path, settings.plates), "plates");
  add_if(settings.limits != defaults.limits, "limits");
  add_if(settings.hours != defaults.hours, "hours");
  add_if(settings.priority != defaults.priority, "priority");
  add_if(settings.throttle != defaults.throttle, "throttle");
  add_if(settings.tries != defaults.tries, "tries");
  add_if(settings.stall != defaults.stall, "stall");
  add_if(settings.keep_done != defaults.keep_done || settings.keep_failed != defaults.keep_failed,
         "keep");
  add_if(settings.reserve_bytes != defaults.reserve_bytes, "reserve");
  return keys;
}

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

}  // namespace mezzo::watch
