// Whether the disk of a hot folder's plates has the space that its settings keep free.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pipeline/steady_time.h"

namespace mezzo::watch {

class PlateSpace {
 public:
  /// Looks at the disk of `plates`, at most every 5 s, and logs a change under `label`.
  void check(const std::string& label,
             const std::string& plates,
             uint64_t reserve_bytes,
             SteadyTime now);

  /// Why no job may begin, after the last check(); empty when one may.
  const std::string& shortage() const { return shortage_; }

  /// When check() looks again; nothing while there is space.
  std::optional<SteadyTime> next_check(SteadyTime now) const;

 private:
  std::string shortage_;
  std::optional<SteadyTime> checked_;
};

}  // namespace mezzo::watch
