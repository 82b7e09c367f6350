// A window by branch and bound on a GPU, for .cu files alone.
//
// A window is searched quad by quad. A node has the quads before its own decided; its sixteen
// children are the patterns of its quad. Lane c and lane c + 16 look at child c: of the region of
// the quad, which is the same for all quads but for its place, each takes half of the rows. With
//   seen   what the eye sees of decided pixels and those around, less the target, and
//   after  - seen - what it sees of quads still to come,
// child c ends with an error of at least max(0, seen + mass, after - mass) at a pixel, mass being
// what pattern c adds there, which stays in registers. Pixels that the quad does not touch have the
// same for all children. Nodes that cannot become better than the best are left; of the others the
// one with the least bound goes first, depth first.
//
// Values of 16 bits go in pairs. |seen|, |after| and mass are at most kEyeSum, so that no sum
// leaves 16 bits.
#pragma once

#include "kernels/search/gpu/gpu_local_search.cuh"

namespace mezzo::search {

inline constexpr uint32_t kAllLanes = 0xFFFFFFFF;
inline constexpr Pair kLeast = 0x80008000;  ///< of 16 bits, twice: no bound

__device__ inline Pair add(Pair a, Pair b) {
  return __viaddmax_s16x2(a, b, kLeast);
}

__device__ inline Pair negated(Pair a) {
  return __vneg2(a);
}

/// The sum of a pair's values, each at least 0, and `sum`.
__device__ inline uint32_t sum_of(Pair a, uint32_t sum) {
  return __dp2a_lo(a, 0x0101U, sum);
}

/// Of the values of all lanes.
__device__ inline uint32_t sum_of_all(uint32_t value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(kAllLanes, value);
#else
  for (uint32_t k = 1; k < kWarpSize; k *= 2) value += __shfl_xor_sync(kAllLanes, value, k);
  return value;
#endif
}
__device__ inline uint32_t least_of_all(uint32_t value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_min_sync(kAllLanes, value);
#else
  for (uint32_t k = 1; k < kWarpSize; k *= 2) {
    value = min(value, __shfl_xor_sync(kAllLanes, value, k));
  }
  return value;
#endif
}

/// A warp's data of a level of the tree; a level decides a quad.
struct alignas(16) Level {
  uint32_t bound[kChildren];
  uint32_t alive;    ///< children still to be looked at
  uint32_t pattern;  ///< of the quads before
  uint32_t ink;
};

/// The data of all warps of a block.
template <uint32_t kRadius, uint32_t kOnSide>
struct alignas(16) Shared {
  static constexpr uint32_t kQuads = kOnSide * kOnSide;
  static constexpr uint32_t kSide = kRadius + 1;  // pairs of a quad's region, across
  static constexpr uint32_t kQuadPairs = 2 * kSide * kSide;
  static constexpr uint32_t kAcross = kOnSide + kRadius;  // pairs of a region, across
  static constexpr uint32_t kPairs = 2 * kAcross * kAcross;

  Pair footprints[kChildren][kQuadPairs];
  Pair remaining[kQuads + 1][kPairs];
  uint32_t spread[kQuads][kChildren];  ///< a quad's pattern as bits of the window's
  uint32_t valid[kQuads];              ///< patterns that do not use missing pixels
  uint32_t left[kQuads];               ///< pixels of the quads after
  uint32_t undecided[kQuads];          ///< those pixels in a pattern
};

/// The best pattern so far as one number, the least being the best: its error, and below that
/// what it changes.
using Key = unsigned long long;
__device__ inline Key key_of(uint32_t error, uint32_t change) {
  return Key{error} << 32 | change;
}
__device__ inline uint32_t error_of(Key key) {
  return static_cast<uint32_t>(key >> 32);
}
__device__ inline uint32_t change_of(Key key) {
  return static_cast<uint32_t>(key);
}

/// A warp at work on a window, alone or with others of its team. All of a team look at the first
/// two levels; below them, each warp has its share of the second level's children.
template <uint32_t kRadius, uint32_t kOnSide, uint32_t kTeam>
class WarpSearch {
  using Of = Shared<kRadius, kOnSide>;
  static constexpr uint32_t kQuads = Of::kQuads, kPairs = Of::kPairs, kAcross = Of::kAcross;
  static constexpr uint32_t kSide = Of::kSide;
  static constexpr uint32_t kOwn = kSide * kSide;  // pairs of a quad's region that a lane looks at

 public:
  /// The data of a single warp.
  struct alignas(16) Memory {
    uint2 seen[kQuads][kPairs];  ///< seen and after, at each level
    Pair inside[kPairs];         ///< the part of the region that counts, for windows at a border
    Level levels[kQuads];
  };

  /// The data of a team.
  struct alignas(16) Common {
    Key best;
    uint32_t cell;
  };

  __device__ WarpSearch(const CellGroup& group, const Of& shared, Common& common, Memory& memory)
      : group_(group),
        height_(group.grid.height),
        width_(group.grid.width),
        shared_(shared),
        common_(common),
        memory_(memory),
        lane_(threadIdx.x % kWarpSize),
        member_(threadIdx.x / kWarpSize % kTeam) {
#pragma unroll
    for (uint32_t i = 0; i < kOwn; ++i) {
      mass_[i] = shared.footprints[lane_ % kChildren][lane_ / kChildren * kOwn + i];
    }
#pragma unroll
    for (uint32_t i = 0; i < kOwn; ++i) less_[i] = negated(mass_[i]);
  }

  /// Waits for the whole team, whose writes are visible afterwards.
  static __device__ void meet() {
    kTeam > 1 ? __syncthreads() : __syncwarp();
  }

  /// Searches the window and puts its best pattern in its place; the whole team calls it.
  __device__ void improve(uint32_t row, uint32_t column) {
    const bool is_inner = row >= group_.grid.top + kRadius && column >= kRadius &&
                          row + height_ + kRadius <= group_.area_rows &&
                          column + width_ + kRadius <= group_.width_px;
    current_ = pattern_of(row, column);
    const uint32_t was = is_inner ? gather<false>(row, column) : gather<true>(row, column);
    if (is_first()) common_.best = key_of(was, 0);
    meet();
    is_inner ? search_all<false>() : search_all<true>();
    const Key best = agreed();
    if (change_of(best) == 0) return;
    saved_ += was - error_of(best);
    if (member_ == 0) replace(row, column, change_of(best));
    meet();
  }

  __device__ bool is_first() const {
    return member_ == 0 && lane_ == 0;
  }

  __device__ uint32_t changed() const {
    return changed_;
  }
  __device__ unsigned long long saved() const {
    return saved_;
  }

 private:
  __device__ uint32_t pattern_of(uint32_t row, uint32_t column) const {
    const uint32_t pixels = height_ * width_;
    uint32_t bit = 0;
    if (lane_ < pixels) {
      bit = group_.bits[size_t{row + lane_ / width_} * group_.width_px + column + lane_ % width_];
    }
    return __brev(__ballot_sync(kAllLanes, bit != 0)) >> (kWarpSize - pixels);
  }

  /// The pattern that the quad has in the window's.
  __device__ uint32_t of_quad(uint32_t pattern, uint32_t quad) const {
    uint32_t child = 0;
#pragma unroll
    for (uint32_t k = 1; k < kChildren; k *= 2) {
      child |= (pattern & shared_.spread[quad][k]) != 0 ? k : 0;
    }
    return child;
  }

  /// Adds the pattern of a quad, seen through the eye; `pair` counts in the region.
  __device__ Pair footprint_at(uint32_t quad, uint32_t child, uint32_t pair) const {
    const uint32_t y = pair / kAcross - quad / kOnSide * 2, x = pair % kAcross - quad % kOnSide;
    return y < 2 * kSide && x < kSide ? shared_.footprints[child][y * kSide + x] : 0;
  }

  /// Whether the pixel of the region counts: is wanted by the window and on the page.
  __device__ bool counts(uint32_t row, uint32_t column, uint32_t y, uint32_t x) const {
    return y < height_ + 2 * kRadius && x < width_ + 2 * kRadius &&
           row + y >= group_.grid.top + kRadius && column + x >= kRadius &&
           row + y < group_.area_rows + kRadius && column + x < group_.width_px + kRadius;
  }

  __device__ int16_t* error_at(uint32_t row, uint32_t column, uint32_t y, uint32_t x) const {
    return group_.errors +
           (static_cast<int64_t>(row + y) - kRadius) * static_cast<int64_t>(group_.stride) +
           (static_cast<int64_t>(column + x) - kRadius);
  }

  /// Reads the errors of the region into the first level; returns the sum of |error|.
  template <bool kBorder>
  __device__ uint32_t gather(uint32_t row, uint32_t column) {
    uint32_t sum = 0;
    for (uint32_t pair = lane_; pair < kPairs; pair += kWarpSize) {
      const uint32_t y = pair / kAcross, x = 2 * (pair % kAcross);
      const bool left = counts(row, column, y, x), right = counts(row, column, y, x + 1);
      const uint32_t low = left ? static_cast<uint16_t>(*error_at(row, column, y, x)) : 0;
      const uint32_t high = right ? static_cast<uint16_t>(*error_at(row, column, y, x + 1)) : 0;
      Pair seen = negated(low | high << 16);
      sum = sum_of(__vabs2(seen), sum);
      for (uint32_t quad = 0; quad < kQuads; ++quad) {
        seen = add(seen, negated(footprint_at(quad, of_quad(current_, quad), pair)));
      }
      if (kBorder) memory_.inside[pair] = (left ? 0xFFFF : 0) | (right ? 0xFFFF0000 : 0);
      memory_.seen[0][pair] = {seen, add(negated(seen), negated(shared_.remaining[1][pair]))};
    }
    __syncwarp();
    return sum_of_all(sum);
  }

  /// search() is compiled at each of its three calls: with one call in a loop, registers rise by a
  /// fifth and a page takes 1.4 times as long on an H200.
  template <bool kBorder>
  __device__ void search_all() {
    if (group_.partial) {
      walk<kBorder>();
    } else {
      search<kBorder>(0, height_ * width_);
    }
  }

  /// Partial search: see partial() in window.h.
  template <bool kBorder>
  __device__ void walk() {
    const uint32_t pixels = height_ * width_, ink = __popc(current_);
    search<kBorder>(ink - min(ink, 1U), min(ink + 1, pixels));
    Key best = agreed();
    const uint32_t found = __popc(change_of(best) ^ current_);
    if (found == ink) return;
    const uint32_t step = found > ink ? 1 : UINT32_MAX;
    for (uint32_t next = found + step; next <= pixels; next += step) {
      search<kBorder>(next, next);
      const Key further = agreed();
      if (error_of(further) == error_of(best)) break;
      best = further;
    }
    if (is_first()) common_.best = best;
  }

  /// The best pattern when all of the team have searched.
  __device__ Key agreed() const {
    meet();
    const Key best = common_.best;
    meet();
    return best;
  }

  __device__ Key best() const {
    return *static_cast<const volatile Key*>(&common_.best);
  }

  /// Puts the best pattern with [least, most] ink pixels into common_.best, where it is better.
  template <bool kBorder>
  __device__ void search(uint32_t least, uint32_t most) {
    constexpr uint32_t kLast = kQuads - 1;
    uint32_t level = 0, pattern = 0, ink = 0;
    uint32_t bound = look<kBorder>(0);
    bool is_new = true;
    uint32_t alive = shared_.valid[0];
    for (;;) {
      // Lanes speak for their children, those of the upper half for the same again.
      const uint32_t child = lane_ % kChildren;
      const uint32_t spread = shared_.spread[level][child];
      const uint32_t inked = ink + __popc(child);
      const uint32_t left = shared_.left[level];
      const uint32_t kept = current_ & shared_.undecided[level];
      const uint32_t change = (pattern | spread | kept) ^ current_;
      const bool stays = (alive >> child & 1) != 0 && inked <= most && inked + left >= least &&
                         key_of(bound, change) < best();
      alive = __ballot_sync(kAllLanes, stays) & 0xFFFF;
      if (alive != 0 && level == kLast) {
        take_leaf(stays, bound, change);
        alive = 0;
      }
      if (alive == 0) {
        if (level == 0) return;
        --level;
        alive = memory_.levels[level].alive;
        pattern = memory_.levels[level].pattern;
        ink = memory_.levels[level].ink;
        bound = memory_.levels[level].bound[child];
        is_new = false;
        continue;
      }
      const uint32_t least_bound = least_of_all(stays ? bound << 4 | child : UINT32_MAX);
      const uint32_t next = least_bound & (kChildren - 1);
      alive &= ~(1U << next);
      __syncwarp();
      if (is_new && lane_ < kChildren) memory_.levels[level].bound[child] = bound;
      if (lane_ == 0) {
        memory_.levels[level].alive = alive;
        memory_.levels[level].pattern = pattern;
        memory_.levels[level].ink = ink;
      }
      descend(level, next);
      pattern |= shared_.spread[level][next];
      ink += __popc(next);
      ++level;
      bound = look<kBorder>(level);
      alive = shared_.valid[level];
      if (kTeam > 1 && level == 1) alive &= share_of(next);
      is_new = true;
    }
  }

  /// Of the children of a child, those that this warp sees to.
  __device__ uint32_t share_of(uint32_t child) const {
    uint32_t mine = 0;
    for (uint32_t k = (member_ + child) % kTeam; k < kChildren; k += kTeam) mine |= 1U << k;
    return mine;
  }

  /// The best of the children of the last level.
  __device__ void take_leaf(bool stays, uint32_t error, uint32_t change) {
    const uint32_t least = least_of_all(stays ? error : UINT32_MAX);
    const uint32_t least_change = least_of_all(stays && error == least ? change : UINT32_MAX);
    if (lane_ == 0) atomicMin(&common_.best, key_of(least, least_change));
    __syncwarp();
  }

  /// From a level to the next by way of a child.
  __device__ void descend(uint32_t level, uint32_t child) {
    const uint2* from = memory_.seen[level];
    uint2* to = memory_.seen[level + 1];
    const Pair* rest = shared_.remaining[level + 2];
    for (uint32_t pair = lane_; pair < kPairs; pair += kWarpSize) {
      const Pair seen = add(from[pair].x, footprint_at(level, child, pair));
      to[pair] = {seen, add(negated(seen), negated(rest[pair]))};
    }
    __syncwarp();
  }

  /// The bound of this lane's child of the level's node.
  template <bool kBorder>
  __device__ uint32_t look(uint32_t level) const {
    const uint2* node = memory_.seen[level];
    const uint32_t y0 = level / kOnSide * 2, x0 = level % kOnSide;
    uint32_t outside = 0;
    for (uint32_t pair = lane_; pair < kPairs; pair += kWarpSize) {
      const uint32_t y = pair / kAcross - y0, x = pair % kAcross - x0;
      if (y < 2 * kSide && x < kSide) continue;
      Pair error = __viaddmax_s16x2_relu(node[pair].x, 0, node[pair].y);
      if (kBorder) error &= memory_.inside[pair];
      outside = sum_of(error, outside);
    }
    outside = sum_of_all(outside);
    const uint32_t first = (y0 + lane_ / kChildren * kSide) * kAcross + x0;
    uint32_t sum = 0;
#pragma unroll
    for (uint32_t i = 0; i < kOwn; ++i) {
      const uint32_t pair = first + i / kSide * kAcross + i % kSide;
      const uint2 at = node[pair];
      Pair error = __viaddmax_s16x2_relu(at.x, mass_[i], add(at.y, less_[i]));
      if (kBorder) error &= memory_.inside[pair];
      sum = sum_of(error, sum);
    }
    return sum + __shfl_xor_sync(kAllLanes, sum, kChildren) + outside;
  }

  /// Puts the best pattern in place: bits, errors, and the windows to search again.
  __device__ void replace(uint32_t row, uint32_t column, uint32_t change) {
    const uint32_t pixels = height_ * width_;
    for (uint32_t pair = lane_; pair < kPairs; pair += kWarpSize) {
      const uint32_t y = pair / kAcross, x = 2 * (pair % kAcross);
      Pair less = 0;
      for (uint32_t quad = 0; quad < kQuads; ++quad) {
        less = add(less, negated(footprint_at(quad, of_quad(current_, quad), pair)));
        less = add(less, footprint_at(quad, of_quad(current_ ^ change, quad), pair));
      }
      if (counts(row, column, y, x)) {
        *error_at(row, column, y, x) -= static_cast<int16_t>(less & 0xFFFF);
      }
      if (counts(row, column, y, x + 1)) {
        *error_at(row, column, y, x + 1) -= static_cast<int16_t>(less >> 16);
      }
    }
    uint32_t low_y = row, high_y = row, low_x = column, high_x = column;
    bool any = false;
    for (uint32_t k = 0; k < pixels; ++k) {
      if ((change >> (pixels - 1 - k) & 1) == 0) continue;
      const uint32_t y = row + k / width_, x = column + k % width_;
      if (lane_ == 0) group_.bits[size_t{y} * group_.width_px + x] ^= 1;
      low_y = any ? min(low_y, y) : y;
      high_y = any ? max(high_y, y) : y;
      low_x = any ? min(low_x, x) : x;
      high_x = any ? max(high_x, x) : x;
      any = true;
    }
    open_around(low_y, high_y, low_x, high_x);
    changed_ += __popc(change);
  }

  /// Opens the windows that see an error which a pixel of these rows and columns changes.
  __device__ void open_around(uint32_t low_y, uint32_t high_y, uint32_t low_x, uint32_t high_x) {
    const WindowGrid& grid = group_.grid;
    const uint32_t up = 2 * kRadius + height_ - 1, left = 2 * kRadius + width_ - 1;
    const uint32_t y0 = max(low_y - min(low_y, up), grid.first);
    const uint32_t y1 = min(high_y + 2 * kRadius + 1, grid.first + grid.rows);
    const uint32_t x0 = low_x - min(low_x, left);
    const uint32_t x1 = min(high_x + 2 * kRadius + 1, grid.columns);
    for (uint32_t y = y0; y < y1; ++y) {
      for (uint32_t x = x0 + lane_; x < x1; x += kWarpSize) {
        group_.is_open[size_t{y - grid.first} * grid.columns + x] = 1;
      }
    }
  }

  const CellGroup& group_;
  const uint32_t height_, width_;  ///< of the window
  const Of& shared_;
  Common& common_;
  Memory& memory_;
  const uint32_t lane_, member_;
  Pair mass_[kOwn], less_[kOwn];
  uint32_t current_ = 0;
  uint32_t changed_ = 0;
  unsigned long long saved_ = 0;
};

/// Fills in the data that the warps of a block share.
template <uint32_t kRadius, uint32_t kOnSide>
__device__ void share(const CellGroup& group, Shared<kRadius, kOnSide>& shared) {
  using Of = Shared<kRadius, kOnSide>;
  const uint32_t height = group.grid.height, width = group.grid.width;
  for (uint32_t i = threadIdx.x; i < kChildren * Of::kQuadPairs; i += blockDim.x) {
    (&shared.footprints[0][0])[i] = group.footprints[i];
  }
  for (uint32_t i = threadIdx.x; i < (Of::kQuads + 1) * Of::kPairs; i += blockDim.x) {
    (&shared.remaining[0][0])[i] = group.remaining[i];
  }
  for (uint32_t i = threadIdx.x; i < Of::kQuads; i += blockDim.x) {
    shared.valid[i] = shared.left[i] = shared.undecided[i] = 0;
    for (uint32_t child = 0; child < kChildren; ++child) {
      uint32_t spread = 0;
      bool is_valid = true;
      for (uint32_t k = 0; k < 4; ++k) {
        if ((child >> (3 - k) & 1) == 0) continue;
        const uint32_t row = i / kOnSide * 2 + k / 2, column = i % kOnSide * 2 + k % 2;
        if (row < height && column < width) {
          spread |= 1U << (height * width - 1 - (row * width + column));
        } else {
          is_valid = false;
        }
      }
      shared.spread[i][child] = spread;
      shared.valid[i] |= static_cast<uint32_t>(is_valid) << child;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (uint32_t i = Of::kQuads - 1; i-- > 0;) {
      // Of the quad's patterns the largest valid one has ink everywhere.
      const uint32_t all = 31 - __clz(shared.valid[i + 1]);
      shared.undecided[i] = shared.undecided[i + 1] | shared.spread[i + 1][all];
      shared.left[i] = __popc(shared.undecided[i]);
    }
  }
  __syncthreads();
}

}  // namespace mezzo::search
