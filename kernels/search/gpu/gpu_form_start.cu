// The start of a search with the tone form: c and E, by tiles. All filters are products of one for
// rows and one for columns, so that a tile takes a pass over its rows and one over its columns for
// each.
#include <algorithm>

#include "kernels/gpu/launch.cuh"
#include "kernels/search/gpu/gpu_form.cuh"

namespace mezzo::search::form {
namespace {

constexpr int kTile = 32;  ///< side
constexpr int kReadSide = kTile + 2 * kRadius;
constexpr int kThreadRows = 8;
constexpr int kThreads = kTile * kThreadRows;
constexpr int kOwn = kTile / kThreadRows;  ///< pixels of a thread, below each other
constexpr uint32_t kWarp = 32, kAllLanes = 0xFFFFFFFF;
constexpr uint32_t kMostBlockRows = 1024;  ///< further rows of tiles are for the same blocks again

constexpr int kEyeRadius = static_cast<int>(kEye.size()) - 1;
constexpr int kSolid = 4096;

/// dot_at() of light tones.
constexpr size_t kDots = kDot.size();
struct DotTable {
  int32_t of[kDots];
};
constexpr DotTable dot_table() {
  DotTable table{};
  for (size_t i = 0; i < kDots; ++i) table.of[i] = dot_at(static_cast<int32_t>(i));
  return table;
}
const __constant__ DotTable kDotOfTone = dot_table();

/// The taps of a filter, from the middle on, as constants in the code.
template <size_t kCount>
struct Taps {
  static constexpr int kReach = static_cast<int>(kCount) - 1;
  int32_t of[kCount];
};
template <size_t kCount>
constexpr Taps<kCount> taps(const std::array<int32_t, kCount>& from) {
  Taps<kCount> taps{};
  for (size_t i = 0; i < kCount; ++i) taps.of[i] = from[i];
  return taps;
}

/// The pixels of a tile and those around it; 0 outside the page.
struct Patch {
  uint16_t tones[kReadSide][kReadSide];
  uint8_t bits[kReadSide][kReadSide];
  int32_t rows[kReadSide][kTile];  ///< filtered
};

constexpr auto kEyeTaps = taps(kEye);
constexpr auto kNearTaps = taps(kNear);
constexpr auto kMiddleTaps = taps(kMiddle);
constexpr auto kFarTaps = taps(kFar);
constexpr auto kBlurTaps = taps(kBlur);

/// The sum of a filter's taps times the values at their distances.
template <auto kTaps, typename At>
__device__ int32_t sum_of(const At& at) {
  int32_t sum = 0;
#pragma unroll
  for (int d = -kTaps.kReach; d <= kTaps.kReach; ++d) sum += kTaps.of[d < 0 ? -d : d] * at(d);
  return sum;
}

__device__ inline int clamped(int at, int size) {
  return min(max(at, 0), size - 1);
}

/// The part of the eye's weights about `at` that lies on a page of this size, along one axis.
__device__ int eye_on_page(int at, int size) {
  return sum_of<kEyeTaps>([&](int d) { return at + d >= 0 && at + d < size ? 1 : 0; });
}

/// The sum of the squares of eye_on_page() at the points whose nearest pixel is this one.
__device__ int64_t squares_about(int at, int size) {
  const int first = at == 0 ? -kEyeRadius : at;
  const int last = at == size - 1 ? at + kEyeRadius : at;
  int64_t sum = 0;
  for (int point = first; point <= last; ++point) {
    const int64_t part = eye_on_page(point, size);
    sum += part * part;
  }
  return sum;
}

/// A thread's part of a tile: kOwn pixels in column `column` of the tile.
class Tile {
 public:
  __device__ Tile(const FormStart& start, Patch& patch, int top, int left)
      : start_(start),
        patch_(patch),
        top_(top),
        left_(left),
        column_(static_cast<int>(threadIdx.x) % kTile),
        first_(static_cast<int>(threadIdx.x) / kTile * kOwn) {}

  __device__ void load() {
    for (int i = static_cast<int>(threadIdx.x); i < kReadSide * kReadSide; i += kThreads) {
      const int y = top_ - kRadius + i / kReadSide, x = left_ - kRadius + i % kReadSide;
      const bool inside = y >= 0 && y < start_.rows && x >= 0 && x < start_.width;
      const size_t at = inside ? static_cast<size_t>(y) * start_.width + x : 0;
      patch_.tones[i / kReadSide][i % kReadSide] = inside ? start_.tones[at] : 0;
      patch_.bits[i / kReadSide][i % kReadSide] = inside ? start_.bits[at] : 0;
    }
  }

  /// Sets c of the thread's pixels; returns their part of E.
  __device__ int64_t count() {
    int32_t wide[kOwn] = {}, near[kOwn], blurred[kOwn], seen[kOwn] = {};
    add_wide<kMiddleTaps>(wide);
    add_wide<kFarTaps>(wide);
    set_near(near);
    set_blurred(blurred);
    add_bits<kNearTaps>(seen);
    add_bits<kMiddleTaps>(seen);
    add_bits<kFarTaps>(seen);
    int64_t sum = 0;
#pragma unroll
    for (int i = 0; i < kOwn; ++i) {
      const int y = top_ + first_ + i, x = left_ + column_;
      if (y >= start_.rows || x >= start_.width) continue;
      const int32_t dot = dot_of(blurred[i], y, x);
      const int32_t target = near[i] + wide[i] + dot;
      const int32_t c = seen[i] - target;
      start_.c[static_cast<size_t>(y - start_.first_free) * start_.width + x] = c;
      const int64_t tone = tone_at(y, x);
      const auto square = static_cast<uint64_t>(tone * tone * squares_about(y, start_.rows) *
                                                squares_about(x, start_.width));
      sum += static_cast<int64_t>(square >> 34) +
             ((tone * (wide[i] + 2 * static_cast<int64_t>(dot))) >> 12);
      if (bit_at(y, x) != 0) sum += static_cast<int64_t>(c) - target;
    }
    return sum;
  }

 private:
  // y and x are those of the area, and within the patch.
  __device__ int tone_at(int y, int x) const {
    return patch_.tones[y - top_ + kRadius][x - left_ + kRadius];
  }
  __device__ int bit_at(int y, int x) const {
    return patch_.bits[y - top_ + kRadius][x - left_ + kRadius];
  }
  __device__ int filtered(int y) const {
    return patch_.rows[y - top_ + kRadius][column_];
  }

  /// Filters the rows from `kReach` above the tile on: `of_pixel` takes a row and a column of the
  /// area, and this thread's column and its neighbours.
  template <int kReach, typename Filter>
  __device__ void filter_rows(const Filter& filter) {
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x) / kTile; i < kTile + 2 * kReach; i += kThreadRows) {
      const int row = i + kRadius - kReach;
      patch_.rows[row][column_] = filter(top_ - kReach + i, left_ + column_);
    }
    __syncthreads();
  }

  template <auto kTaps>
  __device__ void add_wide(int32_t (&to)[kOwn]) {
    filter_rows<kTaps.kReach>([&](int y, int x) {
      return (sum_of<kTaps>([&](int d) { return tone_at(y, x + d); }) + 8) >> 4;
    });
#pragma unroll
    for (int i = 0; i < kOwn; ++i) {
      const int y = top_ + first_ + i;
      to[i] += (sum_of<kTaps>([&](int d) { return filtered(y + d); }) + 128) >> 8;
    }
  }

  template <auto kTaps>
  __device__ void add_bits(int32_t (&to)[kOwn]) {
    filter_rows<kTaps.kReach>(
        [&](int y, int x) { return sum_of<kTaps>([&](int d) { return bit_at(y, x + d); }); });
#pragma unroll
    for (int i = 0; i < kOwn; ++i) {
      const int y = top_ + first_ + i;
      to[i] += sum_of<kTaps>([&](int d) { return filtered(y + d); });
    }
  }

  /// The narrow eye on the page's points, each with the tone of the nearest pixel.
  __device__ void set_near(int32_t (&to)[kOwn]) {
    const int width = start_.width, rows = start_.rows;
    filter_rows<kEyeRadius>([&](int y, int x) {
      return sum_of<kEyeTaps>(
          [&](int d) { return eye_on_page(x + d, width) * tone_at(y, clamped(x + d, width)); });
    });
#pragma unroll
    for (int i = 0; i < kOwn; ++i) {
      const int y = top_ + first_ + i;
      const int32_t sum = sum_of<kEyeTaps>([&](int d) {
        const int32_t seen = (filtered(clamped(y + d, rows)) + (1 << 13)) >> 14;
        return eye_on_page(y + d, rows) * seen;
      });
      to[i] = (sum + 128) >> 8;
    }
  }

  __device__ void set_blurred(int32_t (&to)[kOwn]) {
    const int width = start_.width, rows = start_.rows;
    filter_rows<kBlurTaps.kReach>([&](int y, int x) {
      return sum_of<kBlurTaps>([&](int d) { return tone_at(y, clamped(x + d, width)); });
    });
#pragma unroll
    for (int i = 0; i < kOwn; ++i) {
      const int y = top_ + first_ + i;
      const int32_t sum = sum_of<kBlurTaps>([&](int d) { return filtered(clamped(y + d, rows)); });
      to[i] = (sum + (1 << 15)) >> 16;
    }
  }

  /// The price of ink; none where all around is paper, or solid.
  __device__ int32_t dot_of(int32_t tone, int y, int x) const {
    const bool is_light = tone <= kSolid / 2;
    const auto part = static_cast<size_t>(is_light ? tone : kSolid - tone);
    if (part >= kDots || is_plain(y, x)) return 0;
    return is_light ? kDotOfTone.of[part] : -kDotOfTone.of[part];
  }

  /// Whether a pixel and those next to it are all paper, or all solid.
  __device__ bool is_plain(int y, int x) const {
    const int own = tone_at(y, x);
    if (own != 0 && own != kSolid) return false;
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        if (tone_at(clamped(y + dy, start_.rows), clamped(x + dx, start_.width)) != own) {
          return false;
        }
      }
    }
    return true;
  }

  const FormStart& start_;
  Patch& patch_;
  const int top_, left_;
  const int column_, first_;
};

__global__ void __launch_bounds__(kThreads) count_c(const __grid_constant__ FormStart start) {
  __shared__ Patch patch;
  unsigned long long sum = 0;
  const int left = static_cast<int>(blockIdx.x) * kTile;
  for (int top = start.first_free + static_cast<int>(blockIdx.y) * kTile; top < start.rows;
       top += static_cast<int>(gridDim.y) * kTile) {
    __syncthreads();
    Tile tile(start, patch, top, left);
    tile.load();
    sum += static_cast<unsigned long long>(tile.count());
  }
  for (uint32_t apart = kWarp / 2; apart > 0; apart /= 2) {
    sum += __shfl_down_sync(kAllLanes, sum, apart);
  }
  if (threadIdx.x % kWarp == 0) {
    atomicAdd(&start.counts[(blockIdx.x + blockIdx.y) % dbs::kCounts].error, sum);
  }
}

}  // namespace

void enqueue_form_start(const FormStart& start, cudaStream_t stream) {
  const auto tiles = [](int pixels) { return static_cast<uint32_t>((pixels + kTile - 1) / kTile); };
  gpu::launch(
      "beginning a search",
      count_c,
      dim3(tiles(start.width), std::min(tiles(start.rows - start.first_free), kMostBlockRows)),
      kThreads,
      stream,
      gpu::Start::kAfterPrevious,
      start);
}

}  // namespace mezzo::search::form
