// Windows of the tone form on a GPU: a warp to a cell, its windows one after the other.
//
// A window is four quads of 2 x 2 pixels: A upper left, B lower right, C upper right, D lower left.
// Each lane has 8 of the 256 pairs of patterns of A and B. With such a pair decided, C and D have a
// value for each of their 16 patterns, and one for each pair of them, which is the same in all
// windows: 256 additions and minima find the least.
//
// That is done with 16 bits, of two pairs of A and B at once. All that goes into it is rounded down
// to whole units of 2^kUnitBits, so that a pair ends with a lower bound of its least E. Where that
// is below E of the window as it is, its 256 patterns are looked at in full. No pattern that could be
// better is left out: the result is exact.
#include <algorithm>
#include <climits>

#include "kernels/gpu/launch.cuh"
#include "kernels/search/gpu/gpu_form.cuh"

namespace mezzo::search::form {
namespace {

constexpr uint32_t kWarp = 32, kAllLanes = 0xFFFFFFFF;
constexpr uint32_t kWarps = 4;  ///< of a block, each with a cell of its own
constexpr uint32_t kPatterns = 16;
constexpr uint32_t kPixels = 16;
constexpr uint32_t kPairs = kPatterns * kPatterns / kWarp;  ///< of A and B, of a lane
constexpr int kUnitBits = 11;                               ///< of a unit

/// The part of x'Qx that two quads have with each other, the second `dy` and `dx` from the first,
/// for all pairs of patterns; of a quad's patterns the first pixel is the most significant.
struct Between {
  int32_t of[kPatterns][kPatterns];
};

constexpr Between between_at(int dy, int dx) {
  Between between{};
  for (int first = 0; first < 16; ++first) {
    for (int second = 0; second < 16; ++second) {
      int32_t sum = 0;
      for (int j = 0; j < 4; ++j) {
        for (int k = 0; k < 4; ++k) {
          if ((first >> (3 - j) & second >> (3 - k) & 1) == 0) continue;
          sum += 2 * q(dy + k / 2 - j / 2, dx + k % 2 - j % 2);
        }
      }
      between.of[first][second] = sum;
    }
  }
  return between;
}

constexpr Between kCrossing = between_at(2, -2);  ///< D behind C

/// The parts of a window's x'Qx.
struct Products {
  Between right;     ///< C right of A, B right of D
  Between below;     ///< D below A, B below C
  Between diagonal;  ///< B behind A
  Between crossing;  ///< D behind C
  int32_t own[kPatterns];
  int32_t pixel[kPixels][kPixels];  ///< Q of two pixels
};

constexpr Products make_products() {
  Products products{between_at(0, 2), between_at(2, 0), between_at(2, 2), kCrossing, {}, {}};
  const Between own = between_at(0, 0);
  for (uint32_t i = 0; i < kPatterns; ++i) products.own[i] = own.of[i][i] / 2;
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 16; ++j) products.pixel[i][j] = q(i / 4 - j / 4, i % 4 - j % 4);
  }
  return products;
}

constexpr Products kProductsOfAll = make_products();
const __constant__ Products kProducts = kProductsOfAll;

/// Two values of 16 bits, none below 0: of an even pattern of A in the lower half, and of the next.
using Two = uint32_t;

__host__ __device__ constexpr Two twice(int32_t value) {
  return static_cast<uint32_t>(value) * 0x10001;
}

/// In units, and no more than fits: all five values that are added up make 32767 at most.
constexpr int32_t kMostBeside = kProductsOfAll.right.of[15][15] >> kUnitBits;
constexpr int32_t kMostBetween = kProductsOfAll.crossing.of[15][15] >> kUnitBits;
constexpr int32_t kMost = (INT16_MAX - 2 * kMostBeside - kMostBetween) / 2;
static_assert(kProductsOfAll.right.of[15][15] == kProductsOfAll.below.of[15][15]);

/// The data of a warp.
struct alignas(16) Values {
  int32_t of[4][kPatterns];         ///< of each quad's patterns: L and their own products
  Two c[kPatterns / 2][kPatterns];  ///< C's patterns beside two of A's, in units
  Two d[kPatterns / 2][kPatterns];  ///< D's
};

struct alignas(16) Shared {
  Products products;
  Values values[kWarps];
};

/// Quads of a window, and the first pixel of each.
enum Quad : uint32_t { kA, kB, kC, kD };
__device__ constexpr uint32_t kFirstPixel[] = {0, 10, 2, 8};

/// The first pixel of a window, and that of a quad, is the most significant bit of its pattern.
__device__ inline uint32_t quad_of(uint32_t pattern, Quad quad) {
  const uint32_t first = pattern << kFirstPixel[quad];
  return (first >> 12 & 12) | (first >> 10 & 3);
}
__device__ inline uint32_t in_window(uint32_t child, Quad quad) {
  return ((child & 12) << 12 | (child & 3) << 10) >> kFirstPixel[quad];
}

/// Of the values of all lanes.
template <typename T>
__device__ inline T least_of_all(T value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_min_sync(kAllLanes, value);
#else
  for (uint32_t k = 1; k < kWarp; k *= 2) value = min(value, __shfl_xor_sync(kAllLanes, value, k));
  return value;
#endif
}

/// A warp at work.
class Searcher {
 public:
  __device__ Searcher(const WindowGroup& group, const Products& products, Values& values)
      : group_(group),
        products_(products),
        values_(values),
        lane_(threadIdx.x % kWarp),
        half_(lane_ / kPatterns),
        own_(lane_ % kPatterns) {
#pragma unroll
    for (uint32_t i = 0; i < kPatterns; ++i) {
      c_beside_[i] = twice(products_.below.of[i][own_] >> kUnitBits);
      d_beside_[i] = twice(products_.right.of[i][own_] >> kUnitBits);
    }
  }

  /// Puts the best pattern in place; all lanes, with the same arguments. Whether it is a new one.
  __device__ bool improve(uint32_t row, uint32_t column) {
    const uint32_t y = row + lane_ / kWindow, x = column + lane_ % kWindow;
    const bool exists = lane_ < kPixels && y < group_.rows && x < group_.width_px;
    const int32_t c = exists ? __ldcg(c_at(y, x)) : 0;
    const uint32_t ink = __ballot_sync(kAllLanes, exists && __ldcg(bit_at(y, x)) != 0);
    // Paper that wants no ink, or ink that wants no paper: each change alone makes E larger.
    if (ink == 0 && __all_sync(kAllLanes, c >= 0)) return false;
    if (ink == __ballot_sync(kAllLanes, exists) && __all_sync(kAllLanes, c <= 0)) return false;
    current_ = __brev(ink) >> (kWarp - kPixels);
    set_values(exists ? 2 * (c - present(ink)) : kAbsent);
    const int32_t now = value_of(current_);
    bound(now);
    const int32_t least = least_of_all(least_value());
    if (least >= now) return false;
    replace(row, column, least_of_all(least_change(least)));
    gain_ += least - now;
    return true;
  }

  __device__ void count() const {
    if (lane_ != 0 || changed_ == 0) return;
    dbs::Counts& counts = group_.counts[blockIdx.x % dbs::kCounts];
    atomicAdd(&counts.changed, static_cast<unsigned long long>(changed_));
    atomicAdd(&counts.error, static_cast<unsigned long long>(gain_));
  }

 private:
  __device__ int32_t* c_at(uint32_t y, uint32_t x) const {
    return group_.c + size_t{y - group_.grid.first} * group_.width_px + x;
  }
  __device__ uint8_t* bit_at(uint32_t y, uint32_t x) const {
    return group_.bits + size_t{y} * group_.width_px + x;
  }

  /// The amount that the window's ink adds to c of this lane's pixel.
  __device__ int32_t present(uint32_t ink) const {
    int32_t sum = 0;
    for (; ink != 0; ink &= ink - 1) {
      sum += products_.pixel[__ffs(static_cast<int>(ink)) - 1][own_];
    }
    return sum;
  }

  /// From L of this lane's pixel to the values of patterns.
  __device__ void set_values(int32_t linear) {
    int32_t ab = products_.own[own_], cd = ab;
#pragma unroll
    for (uint32_t k = 0; k < 4; ++k) {
      const uint32_t pixel = k / 2 * kWindow + k % 2;
      const int32_t of_ab =
          __shfl_sync(kAllLanes, linear, kFirstPixel[half_ == 0 ? kA : kB] + pixel);
      const int32_t of_cd =
          __shfl_sync(kAllLanes, linear, kFirstPixel[half_ == 0 ? kC : kD] + pixel);
      const bool has_ink = (own_ >> (3 - k) & 1) != 0;
      ab += has_ink ? of_ab : 0;
      cd += has_ink ? of_cd : 0;
    }
    values_.of[half_ == 0 ? kA : kB][own_] = ab;
    values_.of[half_ == 0 ? kC : kD][own_] = cd;
    const int32_t least_c = least_of_all(half_ == 0 ? cd : INT_MAX);
    const int32_t least_d = least_of_all(half_ == 0 ? INT_MAX : cd);
    least_cd_ = least_c + least_d;
    cd -= half_ == 0 ? least_c : least_d;
    Two* const to = half_ == 0 ? values_.c[0] : values_.d[0];
    const int32_t* const beside = half_ == 0 ? products_.right.of[0] : products_.below.of[0];
#pragma unroll
    for (uint32_t a = 0; a < kPatterns; a += 2) {
      const int32_t even = cd + beside[a * kPatterns + own_];
      const int32_t odd = cd + beside[(a + 1) * kPatterns + own_];
      to[a / 2 * kPatterns + own_] = in_units(even) | in_units(odd) << 16;
    }
    __syncwarp();
  }

  static __device__ uint32_t in_units(int32_t value) {
    return static_cast<uint32_t>(min(value >> kUnitBits, kMost));
  }

  /// E of A and B alone.
  __device__ int32_t value_of(uint32_t a, uint32_t b) const {
    return values_.of[kA][a] + values_.of[kB][b] + products_.diagonal.of[a][b];
  }

  __device__ int32_t value_of(uint32_t a, uint32_t b, uint32_t c, uint32_t d) const {
    return value_of(a, b) + values_.of[kC][c] + products_.right.of[a][c] +
           products_.below.of[c][b] + values_.of[kD][d] + products_.below.of[a][d] +
           products_.right.of[d][b] + products_.crossing.of[c][d];
  }

  __device__ int32_t value_of(uint32_t pattern) const {
    return value_of(
        quad_of(pattern, kA), quad_of(pattern, kB), quad_of(pattern, kC), quad_of(pattern, kD));
  }

  /// Sets hopeful_: the pairs i of this lane, pattern half_ * kPairs + i of A and own_ of B, that may
  /// have an E below `now`.
  __device__ void bound(int32_t now) {
    hopeful_ = 0;
#pragma unroll 1
    for (uint32_t i = 0; i < kPairs; i += 2) {
      const uint32_t a = half_ * kPairs + i;
      const Two others = least_beside(a / 2);
      const auto even = static_cast<int32_t>((others & 0xFFFF) << kUnitBits);
      const auto odd = static_cast<int32_t>(others >> 16 << kUnitBits);
      if (value_of(a, own_) + least_cd_ + even < now) hopeful_ |= 1U << i;
      if (value_of(a + 1, own_) + least_cd_ + odd < now) hopeful_ |= 2U << i;
    }
  }

  /// Lower bounds of C and D beside two of A's patterns and this lane's of B.
  __device__ Two least_beside(uint32_t two) const {
    static constexpr Between kValues = kCrossing;
    constexpr Two kNone = twice(INT16_MAX);
    Two least[kPatterns];
#pragma unroll
    for (uint32_t c = 0; c < kPatterns; ++c) least[c] = kNone;
#pragma unroll
    for (uint32_t d = 0; d < kPatterns; ++d) {
      const Two of_d = __viaddmin_s16x2(values_.d[two][d], d_beside_[d], kNone);
#pragma unroll
      for (uint32_t c = 0; c < kPatterns; ++c) {
        least[c] = __viaddmin_s16x2(of_d, twice(kValues.of[c][d] >> kUnitBits), least[c]);
      }
    }
    Two all = kNone;
#pragma unroll
    for (uint32_t c = 0; c < kPatterns; ++c) {
      const Two of_c = __viaddmin_s16x2(values_.c[two][c], c_beside_[c], kNone);
      all = __viaddmin_s16x2(of_c, least[c], all);
    }
    return all;
  }

  /// Calls `look` with all patterns of the hopeful pairs, one at a time in each lane, and their E.
  template <typename Look>
  __device__ void for_each_hopeful(const Look& look) const {
#pragma unroll 1
    for (uint32_t i = 0; i < kPairs; ++i) {
      uint32_t lanes = __ballot_sync(kAllLanes, (hopeful_ >> i & 1) != 0);
      for (; lanes != 0; lanes &= lanes - 1) {
        const uint32_t lane = __ffs(static_cast<int>(lanes)) - 1;
        const uint32_t a = lane / kPatterns * kPairs + i, b = lane % kPatterns;
#pragma unroll
        for (uint32_t j = 0; j < kPatterns / 2; ++j) {
          const uint32_t d = half_ * (kPatterns / 2) + j;
          const uint32_t pattern =
              in_window(a, kA) | in_window(b, kB) | in_window(own_, kC) | in_window(d, kD);
          if (counts(pattern)) look(pattern, value_of(a, b, own_, d));
        }
      }
    }
  }

  __device__ bool counts(uint32_t pattern) const {
    return !group_.same_ink || abs(__popc(pattern) - __popc(current_)) <= 1;
  }

  /// The least E of this lane's hopeful patterns.
  __device__ int32_t least_value() const {
    int32_t least = INT_MAX;
    for_each_hopeful([&](uint32_t, int32_t value) { least = min(least, value); });
    return least;
  }

  /// Of this lane's patterns with this E, which is the least, the least change of the current one.
  __device__ uint32_t least_change(int32_t least) const {
    uint32_t change = UINT32_MAX;
    for_each_hopeful([&](uint32_t pattern, int32_t value) {
      if (value == least) change = min(change, pattern ^ current_);
    });
    return change;
  }

  __device__ void replace(uint32_t row, uint32_t column, uint32_t change) {
    changed_ += __popc(change);
    const bool is_mine = lane_ < kPixels && (change >> (kPixels - 1 - lane_) & 1) != 0;
    if (is_mine) *bit_at(row + lane_ / kWindow, column + lane_ % kWindow) ^= 1;
    const uint32_t pixels = __ballot_sync(kAllLanes, is_mine);
    for (uint32_t left = pixels; left != 0; left &= left - 1) {
      const uint32_t pixel = __ffs(static_cast<int>(left)) - 1;
      open_around(row + pixel / kWindow, column + pixel % kWindow);
    }
    change_c(row, column, pixels);
    __syncwarp();
  }

  /// Opens the windows near a pixel.
  __device__ void open_around(uint32_t row, uint32_t column) {
    constexpr uint32_t kBefore = kWindow - 1 + kReach, kSide = kBefore + kReach + 1;
    const WindowGrid& grid = group_.grid;
    for (uint32_t i = lane_; i < kSide * kSide; i += kWarp) {
      // Of windows before the first the difference is a large number.
      const uint32_t y = row + i / kSide - kBefore - grid.first, x = column + i % kSide - kBefore;
      if (y < grid.rows && x < grid.columns) group_.is_open[size_t{y} * grid.columns + x] = 1;
    }
  }

  /// Changes c around the window; bit k of `pixels` stands for its k-th pixel.
  __device__ void change_c(uint32_t row, uint32_t column, uint32_t pixels) {
    constexpr uint32_t kSide = kWindow + 2 * kRadius;
    for (uint32_t i = lane_; i < kSide * kSide; i += kWarp) {
      const uint32_t dy = i / kSide, dx = i % kSide;  // from the upper left corner of the changes
      const uint32_t y = row + dy - kRadius, x = column + dx - kRadius;
      if (y - group_.grid.first >= group_.rows - group_.grid.first || x >= group_.width_px)
        continue;
      const int32_t* const q = group_.spread + (dy + kWindow - 1) * kSpreadSide + dx + kWindow - 1;
      int32_t sum = 0;
      for (uint32_t left = pixels; left != 0; left &= left - 1) {
        const uint32_t pixel = __ffs(static_cast<int>(left)) - 1;
        const int32_t by = __ldg(q - pixel / kWindow * kSpreadSide - pixel % kWindow);
        sum += (current_ >> (kPixels - 1 - pixel) & 1) != 0 ? -by : by;
      }
      atomicAdd(c_at(y, x), sum);
    }
  }

  const WindowGroup& group_;
  const Products& products_;
  Values& values_;
  const uint32_t lane_, half_, own_;               ///< own_: this lane's pattern of B, and others
  Two c_beside_[kPatterns], d_beside_[kPatterns];  ///< what that of B adds to C and D, in units
  int32_t least_cd_ = 0;  ///< the least of C and of D, which units leave out
  uint32_t hopeful_ = 0;  ///< pairs
  uint32_t current_ = 0;  ///< pattern of the window
  uint32_t changed_ = 0;
  long long gain_ = 0;
};

/// Takes cells as long as there are any, and searches their open windows row by row.
__global__ void __launch_bounds__(kWarps* kWarp, 4)
    search_windows(const __grid_constant__ WindowGroup group) {
  __shared__ Shared shared;
  for (uint32_t i = threadIdx.x; i < sizeof(Products) / sizeof(int32_t); i += kWarps * kWarp) {
    reinterpret_cast<int32_t*>(&shared.products)[i] =
        reinterpret_cast<const int32_t*>(&kProducts)[i];
  }
  __syncthreads();
  const uint32_t lane = threadIdx.x % kWarp;
  Searcher searcher(group, shared.products, shared.values[threadIdx.x / kWarp]);
  const WindowGrid& grid = group.grid;
  for (;;) {
    uint32_t cell = lane == 0 ? atomicAdd(group.next_cell, 1U) : 0;
    cell = __shfl_sync(kAllLanes, cell, 0);
    if (cell >= group.cell_rows * group.cell_columns) break;
    const uint32_t cell_row = group.first_row + 2 * (cell / group.cell_columns);
    const uint32_t first_column =
        (group.first_column + 2 * (cell % group.cell_columns)) * grid.cell;
    const uint32_t first_row = grid.begin_of(cell_row);
    const uint32_t columns = min(grid.cell, grid.columns - first_column);
    const uint32_t count = (grid.end_of(cell_row) - first_row) * columns;
    for (uint32_t base = 0; base < count; base += kWarp) {
      const uint32_t row = first_row + (base + lane) / columns;
      const uint32_t column = first_column + (base + lane) % columns;
      uint8_t* const flag = group.is_open + size_t{row - grid.first} * grid.columns + column;
      const bool has_turn = base + lane < count && (grid.page_row + row) % group.step == 0 &&
                            column % group.step == 0;
      uint32_t open = __ballot_sync(kAllLanes, has_turn && *flag != 0);
      while (open != 0) {
        const uint32_t next = __ffs(static_cast<int>(open)) - 1;
        const bool is_new = searcher.improve(__shfl_sync(kAllLanes, row, next),
                                             __shfl_sync(kAllLanes, column, next));
        if (lane == next && !(group.same_ink && is_new)) *flag = 0;
        __syncwarp();
        // Windows after it may have been opened.
        const uint32_t after = next == kWarp - 1 ? 0 : kAllLanes << (next + 1);
        open = __ballot_sync(kAllLanes, has_turn && *flag != 0) & after;
      }
    }
  }
  searcher.count();
}

}  // namespace

void enqueue_windows(const WindowGroup& group, uint32_t multiprocessors, cudaStream_t stream) {
  const uint32_t cells = group.cell_rows * group.cell_columns;
  if (cells == 0) return;
  int resident = 0;
  gpu::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                 &resident, search_windows, static_cast<int>(kWarps * kWarp), 0),
             "searching windows");
  const uint32_t blocks =
      std::min((cells + kWarps - 1) / kWarps, multiprocessors * static_cast<uint32_t>(resident));
  gpu::launch("searching windows",
              search_windows,
              dim3(blocks),
              kWarps * kWarp,
              stream,
              gpu::Start::kAfterPrevious,
              group);
}

}  // namespace mezzo::search::form
