// The most ink that a press takes in one place: colours give way to black.
//
// With the inks of a pixel as ink15 and a limit L, if C + M + Y + K + the spots that count > L,
//
//   K' = min(K, L)
//   X' = X * max(0, L - K' - spots) / (C + M + Y), rounded down, for X = C, M, Y
//
// and all others stay. So the sum is at most L, unless spots alone exceed what K leaves of it. Pixels
// within the limit stay as they are. (lcms2's ink limiting device link has the same formula, in
// floats.)
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace mezzo::prepress {

/// What a limit did to pixels; sums of the inks that count, in ink15.
struct InkLimitCounts {
  uint64_t pixels = 0;
  uint64_t above = 0;    ///< of the limit, before
  uint64_t changed = 0;  ///< those that a limit made lighter
  uint64_t sum_before = 0, sum_after = 0;
  uint32_t most_before = 0, most_after = 0;  ///< of a pixel

  InkLimitCounts& operator+=(const InkLimitCounts& other);
  bool operator==(const InkLimitCounts&) const = default;
};

/// Rows of a page's inks. An ink that the page has not is nullptr.
template <typename T>
struct LimitedInks {
  std::array<T*, 4> cmyk = {};
  std::span<const uint16_t* const> spots = {};  ///< those that count
};

/// Keeps `count` pixels to `most`, the limit: 3 * kInk15 for 300 %.
InkLimitCounts limit_ink(uint32_t most, const LimitedInks<uint16_t>& inks, uint32_t count);

/// Counts them alone: what is after is as before.
InkLimitCounts count_ink(uint32_t most, const LimitedInks<const uint16_t>& inks, uint32_t count);

}  // namespace mezzo::prepress
