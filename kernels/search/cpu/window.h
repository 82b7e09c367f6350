// A window of a local search: the few pixels that are searched for their best pattern at a time,
// and the pixels around them whose errors they change.
//
// Words. A window is h x w pixels of a plane, at most kMostWindow on a side. Its region is all
// pixels that the eye sees together with one of them: the window and `radius` more on every side.
// The error of a pixel is target - sum of eye x bits, in parts of kEyeSum, so |error| <= kEyeSum
// fits 16 bits. A pattern is a number with a bit for each pixel of the window, 1 for ink, the first
// pixel (row by row) the most significant.
//
// The best pattern has the least sum of |error| over the region; of several the one whose
// exclusive-or with the current pattern is least, so the current one where it is among them. That
// is one pattern, for any way of searching.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/search/cpu/window_grid.h"
#include "kernels/search/eye.h"

namespace mezzo::search {

inline constexpr uint32_t kMostPixels = kMostWindow * kMostWindow;

/// Values of a region come in multiples of this, the last ones 0, for the widest vectors.
inline constexpr uint32_t kRegionQuantum = 32;

/// Values of the largest region, padded.
inline constexpr size_t kMostRegion = [] {
  constexpr size_t kSide = kMostWindow + 2 * kMostWindowRadius;
  return (kSide * kSide + kRegionQuantum - 1) / kRegionQuantum * kRegionQuantum;
}();

/// The common data of all windows of one shape.
///
/// Branch and bound fixes one pixel after another. It goes through the window in squares of 2 x 2
/// (measured: 13 % less nodes than row by row), so that errors between fixed pixels are settled
/// early. Places 0, 1, .. are pixels in that order.
struct WindowTables {
  WindowTables(const Square& eye, uint32_t height, uint32_t width);

  /// The same where some rows and columns of the region lie outside the page, so that errors there
  /// do not count: so many from each side.
  struct Clip {
    uint32_t above, below, left, right;
    bool operator==(const Clip&) const = default;
  };
  WindowTables clipped(const Clip& clip) const;

  uint32_t pixels() const { return height * width; }
  uint32_t region_height() const { return height + 2 * radius; }
  uint32_t region_width() const { return width + 2 * radius; }
  uint32_t all() const { return (1U << pixels()) - 1; }  ///< the pattern of solid ink

  /// The amounts that ink on a place's pixel takes from the errors of the region.
  const int16_t* footprint(uint32_t place) const {
    return footprints_.data() + size_t{place} * stride;
  }
  /// The same of the pixels of all places from `place` on; 0 for place = pixels().
  const int16_t* remaining(uint32_t place) const {
    return remaining_.data() + size_t{place} * stride;
  }

  /// The bit that the pixel of a place has in a pattern.
  uint32_t bit(uint32_t place) const { return 1U << (pixels() - 1 - order[place]); }

  uint32_t height, width, radius;
  uint32_t stride;  ///< values of a region, padded
  Clip clip{};
  uint8_t order[kMostPixels];  ///< place -> pixel, row by row

 private:
  std::vector<int16_t> footprints_, remaining_;
};

struct Best {
  int32_t error;
  uint32_t pattern;
};

/// A window in its present state.
struct WindowTask {
  const WindowTables* tables;
  const int16_t* errors;  ///< of the region, stride values; as if no pixel of the window had ink
  uint32_t current;
  uint32_t least_ink, most_ink;  ///< patterns with so many ink pixels are searched

  /// Whether `pattern` with its error is better than `best`.
  bool is_better(int32_t error, uint32_t pattern, const Best& best) const {
    return error < best.error ||
           (error == best.error && (pattern ^ current) < (best.pattern ^ current));
  }
};

/// The best pattern, or `best` where none is better.
using SearchWindow = std::function<Best(const WindowTask& task, Best best)>;

/// Branch and bound, written plainly. With pixels undecided, an error e will end between e - u and
/// e, where u is the undecided pixels through the eye, so that the sum over the region of max(0, e
/// - u, -e) is a lower bound. Patterns that cannot become better than the best so far are left out:
/// the result is exact. The bound contains the one by mass (the sum of all errors is fixed but for
/// kEyeSum a pixel with ink), by the triangle inequality.
Best search_by_bounds(const WindowTask& task, Best best);

/// The same in vectors (window_lanes.cpp).
Best search_in_lanes(const WindowTask& task, Best best);

/// As published, in vectors: every pattern, in the order of the reflected Gray code, so that each
/// differs from the one before in one pixel; where the count of ink is given, in that of the
/// revolving door. Windows of up to kMostLiteralPixels.
Best search_literally(const WindowTask& task, Best best);

inline constexpr uint32_t kMostLiteralPixels = 16;

/// All patterns of `pixels` bits with `ink` ones, each two bits from the one before.
const std::vector<uint32_t>& revolving_door(uint32_t pixels, uint32_t ink);

/// Local exhaustive search: the best of all patterns.
Best exhaustive(const SearchWindow& search, WindowTask task, Best current);

/// Partial exhaustive search (Nakano and Yamagishi): starts from patterns with as many ink pixels
/// as there are and one more or less, then walks on in the direction of the best as long as that
/// improves it. Misses the best of all where the way there leads over worse counts.
Best partial(const SearchWindow& search, WindowTask task, Best current);

/// partial() or exhaustive(), by `search`.
SearchWindow window_search(bool is_partial, SearchWindow search);

}  // namespace mezzo::search
