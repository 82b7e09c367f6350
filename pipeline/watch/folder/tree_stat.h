// The state of a folder that is dropped as one job.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

}  // namespace mezzo::watch
