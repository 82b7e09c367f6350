// The searches of a window in vectors, compiled once for each SIMD target.
//
// A place has two children, without and with ink on its pixel. An error that ends between e - u and
// e, u being the undecided pixels, adds max(0, e - u) + max(0, -e) to the bound; one of the two is
// 0. Without ink, e stays and u falls; with ink, e falls by as much as u and e - u stays. So each
// child has one of its parent's two sums, and both need one new sum each: one pass over the region.

#include <algorithm>
#include <array>
#include <bit>

#include "kernels/search/cpu/window.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/search/cpu/window_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mezzo::search::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Wide = hn::ScalableTag<int16_t>;
using Sums = hn::ScalableTag<int32_t>;
using Vector = hn::Vec<Wide>;

constexpr uint32_t kLanes = HWY_MAX_BYTES / 2;
static_assert(HWY_MAX_BYTES <= 2 * kRegionQuantum);

/// Adds up values of 16 bits in 32.
class Sum {
 public:
  HWY_INLINE Sum() : even_(hn::Zero(Sums())), odd_(hn::Zero(Sums())) {}
  HWY_INLINE void add(Vector values) {
    even_ = hn::ReorderWidenMulAccumulate(Sums(), values, hn::Set(Wide(), 1), even_, odd_);
  }
  HWY_INLINE int32_t total() const {
    return hn::GetLane(hn::SumOfLanes(Sums(), hn::Add(even_, odd_)));
  }

 private:
  hn::Vec<Sums> even_, odd_;
};

/// Values of a region; where kStride is 0 there are as many as the tables say.
template <uint32_t kStride>
struct Extent {
  explicit Extent(const WindowTables& tables) : stride(kStride != 0 ? kStride : tables.stride) {}
  uint32_t stride;
};

/// A place on the way down, and the data of its two children.
struct Node {
  const int16_t* errors;  ///< places before are decided
  int32_t above, below;   ///< sums over the region of max(0, e - u) and max(0, -e)
  int32_t above_without;  ///< the same for the child without ink,
  int32_t below_with;     ///< and with
  uint32_t pattern, ink;  ///< of the places before
  uint32_t tried;         ///< children
};

template <uint32_t kStride>
class ByBounds {
 public:
  ByBounds(const WindowTask& task, Best best)
      : task_(task), tables_(*task.tables), extent_(tables_), best_(best) {
    uint32_t undecided = 0;
    for (uint32_t place = tables_.pixels(); place-- > 0;) {
      kept_[place] = task.current & undecided;
      undecided |= tables_.bit(place);
    }
  }

  Best search() {
    start();
    const uint32_t last = tables_.pixels() - 1;
    for (int depth = 0; depth >= 0;) {
      const auto place = static_cast<uint32_t>(depth);
      Node& node = nodes_[place];
      if (node.tried == 2) {
        --depth;
        continue;
      }
      const uint32_t bit = tables_.bit(place);
      // The current value comes first: of patterns with equal errors, the first is the right one.
      const bool inked = ((task_.current & bit) != 0) == (node.tried == 0);
      ++node.tried;
      const uint32_t ink = node.ink + (inked ? 1 : 0);
      if (ink > task_.most_ink || ink + (last - place) < task_.least_ink) continue;
      const int32_t above = inked ? node.above : node.above_without;
      const int32_t below = inked ? node.below_with : node.below;
      const uint32_t pattern = node.pattern | (inked ? bit : 0);
      if (above + below > best_.error) continue;
      if (!task_.is_better(above + below, pattern | kept_[place], best_)) continue;
      if (place == last) {
        best_ = {above + below, pattern};
        continue;
      }
      nodes_[place + 1] = {
          inked ? errors_[place + 1].data() : node.errors, above, below, 0, 0, pattern, ink, 0};
      look_ahead(++depth);
    }
    return best_;
  }

 private:
  void start() {
    const int16_t* remaining = tables_.remaining(0);
    Sum above, below;
    for (uint32_t p = 0; p < extent_.stride; p += kLanes) {
      const auto error = hn::LoadU(Wide(), task_.errors + p);
      above.add(hn::Max(hn::Sub(error, hn::LoadU(Wide(), remaining + p)), hn::Zero(Wide())));
      below.add(hn::Max(hn::Neg(error), hn::Zero(Wide())));
    }
    nodes_[0] = {task_.errors, above.total(), below.total(), 0, 0, 0, 0, 0};
    look_ahead(0);
  }

  /// The data of the children of the node at this depth.
  HWY_INLINE void look_ahead(int depth) {
    const auto place = static_cast<uint32_t>(depth);
    Node& node = nodes_[place];
    const int16_t* HWY_RESTRICT errors = node.errors;
    const int16_t* HWY_RESTRICT footprint = tables_.footprint(place);
    const int16_t* HWY_RESTRICT remaining = tables_.remaining(place + 1);
    int16_t* HWY_RESTRICT with_ink = errors_[place + 1].data();
    Sum above, below;
    for (uint32_t p = 0; p < extent_.stride; p += kLanes) {
      const auto error = hn::LoadU(Wide(), errors + p);
      const auto inked = hn::Sub(error, hn::LoadU(Wide(), footprint + p));
      hn::StoreU(inked, Wide(), with_ink + p);
      above.add(hn::Max(hn::Sub(error, hn::LoadU(Wide(), remaining + p)), hn::Zero(Wide())));
      below.add(hn::Max(hn::Neg(inked), hn::Zero(Wide())));
    }
    node.above_without = above.total();
    node.below_with = below.total();
  }

  const WindowTask& task_;
  const WindowTables& tables_;
  Extent<kStride> extent_;
  Best best_;
  std::array<uint32_t, kMostPixels> kept_;  ///< of the current pattern, places after this one
  std::array<Node, kMostPixels> nodes_;
  alignas(64) std::array<std::array<int16_t, kStride != 0 ? kStride : kMostRegion>,
                         kMostPixels + 1> errors_;
};

Best by_bounds(const WindowTask& task, Best best) {
  constexpr uint32_t kUsual = 128;  // 4 x 4 pixels and a radius of 3, as published
  if (task.tables->stride == kUsual) return ByBounds<kUsual>(task, best).search();
  return ByBounds<0>(task, best).search();
}

/// Takes patterns in turn.
template <uint32_t kStride>
class Literally {
 public:
  Literally(const WindowTask& task, Best best)
      : task_(task), tables_(*task.tables), extent_(tables_), best_(best) {
    std::copy_n(task.errors, extent_.stride, errors_.begin());
    for (uint32_t place = 0; place < tables_.pixels(); ++place) {
      place_of_[static_cast<uint32_t>(std::countr_zero(tables_.bit(place)))] = place;
    }
  }

  /// Changes pixels one by one, and looks at the sum of all errors.
  void take(uint32_t pattern) {
    for (uint32_t changed = pattern_ ^ pattern; changed != 0; changed &= changed - 1) {
      const auto bit = static_cast<uint32_t>(std::countr_zero(changed));
      flip(tables_.footprint(place_of_[bit]), (pattern_ >> bit & 1) != 0);
    }
    pattern_ = pattern;
    Sum sum;
    for (uint32_t p = 0; p < extent_.stride; p += kLanes) {
      sum.add(hn::Abs(hn::LoadU(Wide(), errors_.data() + p)));
    }
    const int32_t error = sum.total();
    if (error <= best_.error && task_.is_better(error, pattern, best_)) best_ = {error, pattern};
  }

  Best best() const { return best_; }

 private:
  HWY_INLINE void flip(const int16_t* HWY_RESTRICT footprint, bool was_inked) {
    for (uint32_t p = 0; p < extent_.stride; p += kLanes) {
      const auto error = hn::LoadU(Wide(), errors_.data() + p);
      const auto change = hn::LoadU(Wide(), footprint + p);
      hn::StoreU(
          was_inked ? hn::Add(error, change) : hn::Sub(error, change), Wide(), errors_.data() + p);
    }
  }

  const WindowTask& task_;
  const WindowTables& tables_;
  Extent<kStride> extent_;
  Best best_;
  uint32_t pattern_ = 0;
  std::array<uint32_t, kMostPixels> place_of_;
  alignas(64) std::array<int16_t, kStride != 0 ? kStride : kMostRegion> errors_;
};

template <uint32_t kStride>
Best literally(const WindowTask& task, Best best) {
  Literally<kStride> search(task, best);
  const uint32_t pixels = task.tables->pixels();
  if (task.least_ink == 0 && task.most_ink >= pixels) {
    for (uint32_t i = 0; i <= task.tables->all(); ++i) search.take(i ^ i >> 1);
    return search.best();
  }
  for (uint32_t ink = task.least_ink; ink <= std::min(task.most_ink, pixels); ++ink) {
    for (const uint32_t pattern : revolving_door(pixels, ink)) search.take(pattern);
  }
  return search.best();
}

Best literally_any(const WindowTask& task, Best best) {
  constexpr uint32_t kUsual = 128;
  return task.tables->stride == kUsual ? literally<kUsual>(task, best) : literally<0>(task, best);
}

}  // namespace mezzo::search::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::search {

HWY_EXPORT(by_bounds);
HWY_EXPORT(literally_any);

Best search_in_lanes(const WindowTask& task, Best best) {
  return HWY_DYNAMIC_DISPATCH(by_bounds)(task, best);
}

Best search_literally(const WindowTask& task, Best best) {
  return HWY_DYNAMIC_DISPATCH(literally_any)(task, best);
}

}  // namespace mezzo::search
#endif
