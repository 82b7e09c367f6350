// Whether the disk of a hot folder's plates has the space that its settings keep free.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace mezzo::watch {

class PlateSpace {
 public:
  using Clock = std::chrono::steady_clock;

  /// Looks at the disk of `plates`, at most every 5 s, and logs a change under `label`.
  void check(const std::string& label,
             const std::string& plates,
             uint64_t reserve_bytes,
             Clock::time_point now);

  /// Why no job may begin, after the last check(); empty when one may.
  const std::string& shortage() const { return shortage_; }

  /// When check() looks again; nothing while there is space.
  std::optional<Clock::time_point> next_check(Clock::time_point now) const;

 private:
  std::string shortage_;
  std::optional<Clock::time_point> checked_;
};

}  // namespace mezzo::watch
