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
//
// Where an ink has a second plate (light cyan from cyan) or plates have levels, tone curves are part of
// how an ink is printed. There the sum is of what is printed, which is P(X) for a sample X of a plane
// with the curve P, and all planes of C, M and Y become lighter by one factor:
//
//   X' = X * k / 4096, rounded down, with a k for which the sum of P(X') is at most L
//
// Bisection finds k: the largest one where no curve falls. K and its second plates are kept to L in the
// same way first.
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

/// A plane that is limited by what is printed of it.
struct PrintedPlane {
  uint16_t* samples = nullptr;  ///< in ink15
  const uint16_t* printed =
      nullptr;  ///< in ink15, of the samples 0 .. kInk15; null: the plane counts
                ///< nothing, but is made lighter with the others
};

struct PrintedInks {
  std::span<const PrintedPlane> colours;  ///< cyan, magenta, yellow, and second plates of them
  std::span<const PrintedPlane> blacks;   ///< black, and second plates of it
  std::span<const PrintedPlane> others;   ///< those that count, and stay
};

/// Keeps what is printed of `count` pixels to `most`. The counts are of what is printed.
InkLimitCounts limit_printed_ink(uint32_t most, const PrintedInks& inks, uint32_t count);

/// Counts it alone.
InkLimitCounts count_printed_ink(uint32_t most, const PrintedInks& inks, uint32_t count);

}  // namespace mezzo::prepress
