// Whether files hold still: the state of a folder that is dropped as one job, and for how long something has been
// the same, by the settings of a hot folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "manifests/folder.h"
#include "pipeline/steady_time.h"
#include "stages/files/file_mark.h"

namespace mezzo::watch {

/// A folder and all that is in it, in one number that changes when any of it does; the folder's own
/// name and times are not part of it.
struct TreeStat {
  uint64_t fingerprint = 0;
  uint64_t bytes = 0;
  int64_t modified_ns = 0;    ///< newest of its files
  bool is_too_large = false;  ///< for files::walk_tree()
  bool operator==(const TreeStat&) const = default;
};

/// Nothing when it cannot be read. `marks`, unless null, receives those of its files.
std::optional<TreeStat> stat_tree(int folder,
                                  const std::string& name,
                                  std::vector<files::FileMark>* marks = nullptr);

/// It was the same over several looks, a time apart, and its last change was seen long enough ago.
struct Stillness {
  SteadyTime changed{};  ///< when its last change was seen
  SteadyTime counted{};  ///< when it last was the same, at least `every` after the time before
  uint32_t looks = 0;    ///< so many

  /// Takes in a look; `is_same` as at the look before.
  void look(bool is_same, const manifests::FolderSettings& settings, SteadyTime now) {
    if (!is_same) *this = {.changed = now, .counted = now, .looks = 0};
    if (looks > 0 && now - counted < settings.every) return;
    ++looks;
    counted = now;
  }

  bool is_long_enough(const manifests::FolderSettings& settings, SteadyTime now) const {
    return looks >= settings.looks && now - changed >= settings.age;
  }

  /// When it may be, if nothing changes.
  SteadyTime due(const manifests::FolderSettings& settings) const {
    return looks >= settings.looks ? changed + settings.age : counted + settings.every;
  }
};

}  // namespace mezzo::watch
