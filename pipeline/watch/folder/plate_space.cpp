#include "pipeline/watch/folder/plate_space.h"

#include <algorithm>

#include "pipeline/log/log.h"
#include "pipeline/watch/folder/disk.h"

namespace mezzo::watch {
namespace {

constexpr std::chrono::seconds kEvery{5};

}  // namespace

bool PlateSpace::is_due(SteadyTime now) const {
  return !checked_ || now - *checked_ >= kEvery;
}

void PlateSpace::check(const std::string& folder,
                       const std::string& plates,
                       uint64_t reserve_bytes,
                       SteadyTime now) {
  if (!is_due(now)) return;
  checked_ = now;
  const bool was_full = !shortage_.empty();
  shortage_.clear();
  disks_.clear();
  if (auto disk = disk_of(plates, calls_)) {
    if (disk->free_bytes < reserve_bytes) {
      disk->missing_bytes = reserve_bytes - disk->free_bytes;
      disk->folder = folder;
      shortage_ = shortage_text(*disk) + " to keep the 'reserve' of folder.yaml";
    }
    disks_.push_back(*std::move(disk));
  }
  if (auto disk = disk_of(folder, calls_)) disks_.push_back(*std::move(disk));
  if (!was_full && !shortage_.empty()) log::warn("{}: {}", folder, shortage_);
  if (was_full && shortage_.empty()) log::info("{}: there is space again", folder);
}

std::optional<SteadyTime> PlateSpace::next_check(SteadyTime now) const {
  if (shortage_.empty()) return std::nullopt;
  // A check in the past is overdue because no worker was free, so no job could have begun either.
  return std::max(*checked_, now) + kEvery;
}

}  // namespace mezzo::watch
