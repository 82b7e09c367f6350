// The disks of a hot folder, and whether that of its plates has the space that the settings keep
// free.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/steady_time.h"
#include "pipeline/watch/view/watch_view.h"
#include "stages/files/file_system.h"

namespace mezzo::watch {

class PlateSpace {
 public:
  /// `calls` must outlive it.
  explicit PlateSpace(files::FileSystem& calls) : calls_(calls) {}

  /// Looks at the disks of the hot folder and of `plates`, at most every 5 s, and logs a change.
  void check(const std::string& folder,
             const std::string& plates,
             uint64_t reserve_bytes,
             SteadyTime now);

  bool is_due(SteadyTime now) const;  ///< check() would look

  /// Why no job may begin, after the last check(); empty when one may.
  const std::string& shortage() const { return shortage_; }

  /// The disk of the plates, then that of the folder, as the last check() found them.
  const std::vector<DiskView>& disks() const { return disks_; }

  /// When check() looks again; nothing while there is space.
  std::optional<SteadyTime> next_check(SteadyTime now) const;

 private:
  files::FileSystem& calls_;
  std::string shortage_;
  std::vector<DiskView> disks_;
  std::optional<SteadyTime> checked_;
};

}  // namespace mezzo::watch
