// Visits of colour direct binary search on a GPU: a cell to a block, the cells of a group in one
// launch.
//
// A block has its cell's surroundings in shared memory, as far as its changes of c reach: c as it is
// where visits read it, and elsewhere what is to be added. Each lane looks at one of 32 pixels that
// follow each other in raster order, as if it were visited next; the warps share the changes that are
// to be looked at. The first pixel with something to gain makes its change, as none before it does,
// each warp in channels of its own, and the next look begins behind it. In the end what was read goes
// back to where it was, as no other block looks there, and the rest is added, as others add there too.
#include "kernels/gpu/launch.cuh"
#include "kernels/search/colour/gains.h"
#include "kernels/search/colour/gpu/gpu_colour_search.cuh"
#include "kernels/search/colour/products.h"
#include "kernels/search/cpu/dbs_area.h"

namespace mezzo::search::colour {
namespace {

constexpr uint32_t kWarp = 32, kAllLanes = 0xFFFFFFFFU;
constexpr int kWarps = 8, kThreads = kWarps * static_cast<int>(kWarp);
static_assert(kWarps == dbs::kSteps);  // a warp to a neighbour

constexpr int kReach = Products::kReach, kRow = static_cast<int>(Products::kRow);
constexpr int kSide = static_cast<int>(kCell), kPixels = kSide * kSide;
constexpr int kWindow = kSide + 2;           ///< what visits read
constexpr int kTile = kWindow + 2 * kReach;  ///< what they change
constexpr int kTileRow = 48;                 ///< rows a pixel below do not share banks
static_assert(kTileRow >= kTile);
constexpr uint8_t kNoState = 0xFF;  ///< outside of the page

/// The number of a change, in the order of a visit: states first, then of each neighbour the swap of
/// all, and of each ink.
constexpr int kChangesOfNeighbour = 8, kOrderBits = 8;
static_assert(kMostStates + dbs::kSteps * kChangesOfNeighbour <= 1 << kOrderBits);
static_assert(kMostInks < kChangesOfNeighbour);

using Wide = long long;
constexpr Wide kNothing = 0;

struct Shared {
  Wide best[2][kWarps][kWarp];            ///< gain and number of change, by turns
  int32_t products[2][kReach + 1][kRow];  ///< by eye and dy
  int16_t values[kMostChannels][kMostStates];
  uint8_t states[kWindow * kWindow];
  uint16_t freedom[kWindow * kWindow];

  // As gains.h takes them.
  __device__ int value(int channel, uint32_t state) const { return values[channel][state]; }
  __device__ int32_t product(int eye, int dy, int dx) const {
    return products[eye][dy < 0 ? -dy : dy][dx + kReach];
  }
};

/// The cells of a group.
struct Group {
  int first_row;
  int first_column;
  int columns;
};

/// A change of a pixel, and of a neighbour if `step` is one.
struct Change {
  int step = -1;
  uint32_t state = 0, other = 0;
};

__device__ int own_lane() {
  return static_cast<int>(threadIdx.x % kWarp);
}
__device__ int own_warp() {
  return static_cast<int>(threadIdx.x / kWarp);
}
__device__ int step_y(int step) {
  return (step < 3) ? -1 : (step < 5) ? 0 : 1;
}
__device__ int step_x(int step) {
  return step < 3 ? step - 1 : step < 5 ? 2 * step - 7 : step - 6;
}

/// A cell in the hands of a block.
class Cell {
 public:
  __device__ Cell(
      const PageOnDevice& page, int inks, Shared& shared, int32_t* tile, int row, int column)
      : page_(page),
        inks_(inks),
        shared_(shared),
        tile_(tile),
        row_(row),
        column_(column),
        top_(row * kSide),
        left_(column * kSide) {}

  __device__ void load() {
    for (int i = threadIdx.x; i < channels() * kTile * kTileRow; i += kThreads) tile_[i] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < kWindow * kWindow; i += kThreads) {
      const int row = i / kWindow, column = i % kWindow;
      const int y = top_ - 1 + row, x = left_ - 1 + column;
      const bool is_there = exists(y, x);
      const size_t pixel = static_cast<size_t>(y) * page_.width + x;
      shared_.states[i] = is_there ? page_.states[pixel] : kNoState;
      shared_.freedom[i] = is_there ? page_.freedom[pixel] : 0;
      if (!is_there) continue;
      for (int channel = 0; channel < channels(); ++channel) {
        *c(channel, row, column) = page_.c[channel * page_.pixels() + pixel];
      }
    }
    __syncthreads();
  }

  __device__ void visit() {
    for (int first = 0, turn = 0; first < kPixels; turn ^= 1) {
      look(first + own_lane(), shared_.best[turn][own_warp()][own_lane()]);
      __syncthreads();
      Wide best = kNothing;
      for (int warp = 0; warp < kWarps; ++warp) {
        best = min(best, shared_.best[turn][warp][own_lane()]);
      }
      const uint32_t hopeful = __ballot_sync(kAllLanes, best < 0);
      if (hopeful == 0) {
        first += kWarp;
        continue;
      }
      const int chosen = __ffs(static_cast<int>(hopeful)) - 1;
      first += chosen;
      make(first, __shfl_sync(kAllLanes, best, chosen));
      ++first;
    }
  }

  /// Writes the changes, and the cells that see them.
  __device__ void store() const {
    if (changed_ == 0) return;
    for (int i = threadIdx.x; i < kWindow * kWindow; i += kThreads) {
      const int y = top_ - 1 + i / kWindow, x = left_ - 1 + i % kWindow;
      if (exists(y, x)) page_.states[static_cast<size_t>(y) * page_.width + x] = shared_.states[i];
    }
    for (int i = threadIdx.x; i < kTile * kTile; i += kThreads) {
      const int row = i / kTile - kReach, column = i % kTile - kReach;  // of the window
      const int y = top_ - 1 + row, x = left_ - 1 + column;
      if (!exists(y, x)) continue;
      const bool in_window = row >= 0 && row < kWindow && column >= 0 && column < kWindow;
      for (int channel = 0; channel < channels(); ++channel) {
        int32_t* const to =
            page_.c + channel * page_.pixels() + static_cast<size_t>(y) * page_.width + x;
        const int32_t value = *c(channel, row, column);
        if (in_window) {
          *to = value;
        } else if (value != 0) {
          atomicAdd(to, value);
        }
      }
    }
    mark_stale();
    if (threadIdx.x == 0) {
      Counts& counts = page_.counts[blockIdx.x % kCounts];
      atomicAdd(&counts.changed, changed_);
      atomicAdd(&counts.error, static_cast<unsigned long long>(gain_));
    }
  }

 private:
  __device__ int channels() const { return kColourChannels + inks_; }
  __device__ bool exists(int y, int x) const {
    return y >= 0 && y < page_.rows && x >= 0 && x < page_.width;
  }
  /// Row and column count from the window's corner.
  __device__ int32_t* c(int channel, int row, int column) const {
    return tile_ + channel * (kTile * kTileRow) + (row + kReach) * kTileRow + column + kReach;
  }
  __device__ PixelC pixel_c(int row, int column) const {
    return {c(0, row, column), kTile * kTileRow};
  }

  /// The least gain of the changes of this warp to a pixel of the cell, above its number; kNothing
  /// without one.
  __device__ void look(int pixel, Wide& out) const {
    Wide best = kNothing;
    if (pixel < kPixels) {
      const int row = pixel / kSide + 1, column = pixel % kSide + 1;
      const int at = row * kWindow + column;
      const uint32_t s = shared_.states[at], freedom = shared_.freedom[at];
      if (freedom != 0) {
        best = look_at_states(pixel_c(row, column), s, loose_inks(freedom));
        best = min(best, look_at_swaps(row, column, s, freedom, own_warp()));
      }
    }
    out = best;
  }

  static __device__ Wide keyed(Wide gain, int number) {
    return gain < 0 ? gain * (1 << kOrderBits) + number : kNothing;
  }

  __device__ Wide look_at_states(const PixelC& own, uint32_t s, uint32_t loose) const {
    Wide best = kNothing;
    for (uint32_t s1 = own_warp(); s1 < 1U << inks_; s1 += kWarps) {
      const uint32_t altered = s ^ s1;
      if (altered == 0 || (altered & ~loose) != 0) continue;
      Wide gain = of_light(shared_, own, s, s1);
      for (int k = 0; k < inks_; ++k) {
        if ((altered >> k & 1) != 0) gain += of_ink(shared_, own, s, k);
      }
      best = min(best, keyed(gain, static_cast<int>(s1)));
    }
    return best;
  }

  __device__ Wide look_at_swaps(int row, int column, uint32_t s, uint32_t freedom, int step) const {
    const int dy = step_y(step), dx = step_x(step);
    const int at = (row + dy) * kWindow + column + dx;
    const uint32_t q = shared_.states[at], differ = s ^ q;
    if (q == kNoState || differ == 0) return kNothing;
    const uint32_t fixed = ~free_inks(freedom & shared_.freedom[at]);
    const PixelC own = pixel_c(row, column), other = pixel_c(row + dy, column + dx);
    const bool is_one = (differ & (differ - 1)) == 0;
    const int number = kMostStates + step * kChangesOfNeighbour;
    const Wide apart = between_inks(shared_, dy, dx);
    Wide by_inks = 0, best = kNothing;
    for (int k = 0; k < inks_; ++k) {
      if ((differ >> k & 1) == 0) continue;
      const Wide by_ink = of_ink(shared_, own, s, k) + of_ink(shared_, other, q, k) + apart;
      by_inks += by_ink;
      if (is_one || (fixed >> k & 1) != 0) continue;
      const Wide gain = by_ink + of_light_of_both(shared_, own, other, dy, dx, s, q, 1U << k);
      best = min(best, keyed(gain, number + 1 + k));
    }
    if ((differ & fixed) == 0) {
      const Wide gain = by_inks + of_light_of_both(shared_, own, other, dy, dx, s, q, differ);
      best = min(best, keyed(gain, number));
    }
    return best;
  }

  __device__ Change change_of(int number, uint32_t s, int at) const {
    if (number < kMostStates) return {-1, static_cast<uint32_t>(number), 0};
    const int step = (number - kMostStates) / kChangesOfNeighbour;
    const int which = (number - kMostStates) % kChangesOfNeighbour;
    const uint32_t q = shared_.states[at + step_y(step) * kWindow + step_x(step)];
    const uint32_t inks = which == 0 ? s ^ q : 1U << (which - 1);
    return {step, s ^ inks, q ^ inks};
  }

  /// All threads, with the same arguments.
  __device__ void make(int pixel, Wide key) {
    const int row = pixel / kSide + 1, column = pixel % kSide + 1;
    const int at = row * kWindow + column;
    const uint32_t s = shared_.states[at];
    const Change change = change_of(static_cast<int>(key & ((1 << kOrderBits) - 1)), s, at);
    for (int channel = own_warp(); channel < channels(); channel += kWarps) {
      add(channel, row, column, shared_.value(channel, change.state) - shared_.value(channel, s));
    }
    int other = at;
    if (change.step >= 0) {
      const int dy = step_y(change.step), dx = step_x(change.step);
      other += dy * kWindow + dx;
      const uint32_t q = shared_.states[other];
      __syncwarp();  // other lanes were where this one goes
      for (int channel = own_warp(); channel < channels(); channel += kWarps) {
        add(channel,
            row + dy,
            column + dx,
            shared_.value(channel, change.other) - shared_.value(channel, q));
      }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      if (change.step >= 0) shared_.states[other] = static_cast<uint8_t>(change.other);
      shared_.states[at] = static_cast<uint8_t>(change.state);
    }
    __syncthreads();
    changed_ += change.step >= 0 ? 2 : 1;
    gain_ += key >> kOrderBits;
  }

  /// Adds v times C about a pixel of the window to c. All lanes of a warp; a row is a lane a column.
  __device__ void add(int channel, int row, int column, int v) {
    if (v == 0 || own_lane() > 2 * kReach) return;
    int32_t* const corner = c(channel, row - kReach, column - kReach) + own_lane();
    const int32_t* const by = &shared_.products[Channels::eye(channel)][0][own_lane()];
#pragma unroll
    for (int dy = -kReach; dy <= kReach; ++dy) {
      corner[(dy + kReach) * kTileRow] += v * by[(dy < 0 ? -dy : dy) * kRow];
    }
  }

  /// The cell and those around it see its changes: c changes up to kReach + 1 outside of it, and is
  /// read up to 1 outside of a cell.
  __device__ void mark_stale() const {
    static_assert(kReach + 2 == kSide);
    if (threadIdx.x >= 9) return;
    const int row = row_ + static_cast<int>(threadIdx.x) / 3 - 1;
    const int column = column_ + static_cast<int>(threadIdx.x) % 3 - 1;
    if (row < 0 || row >= page_.cell_rows || column < 0 || column >= page_.cell_columns) return;
    page_.stale[static_cast<size_t>(row) * page_.cell_columns + column] = 1;
  }

  const PageOnDevice& page_;
  const int inks_;
  Shared& shared_;
  int32_t* const tile_;
  const int row_, column_;
  const int top_, left_;
  unsigned long long changed_ = 0;
  Wide gain_ = 0;
};

__global__ void __launch_bounds__(kThreads) visit_group(const __grid_constant__ Channels channels,
                                                        const __grid_constant__ PageOnDevice page,
                                                        const int32_t* products,
                                                        const Group group) {
  extern __shared__ uint4 memory[];
  auto& shared = *reinterpret_cast<Shared*>(memory);
  auto* const tile = reinterpret_cast<int32_t*>(&shared + 1);
  const int row = group.first_row + 2 * static_cast<int>(blockIdx.x / group.columns);
  const int column = group.first_column + 2 * static_cast<int>(blockIdx.x % group.columns);
  uint8_t* const stale = page.stale + static_cast<size_t>(row) * page.cell_columns + column;
  if (__syncthreads_and(*stale == 0)) return;
  for (int i = threadIdx.x; i < 2 * (kReach + 1) * kRow; i += kThreads) {
    (&shared.products[0][0][0])[i] = products[i];
  }
  for (int i = threadIdx.x; i < kMostChannels * kMostStates; i += kThreads) {
    (&shared.values[0][0])[i] = (&channels.values[0][0])[i];
  }
  if (threadIdx.x == 0) *stale = 0;
  Cell cell(page, channels.inks, shared, tile, row, column);
  cell.load();
  cell.visit();
  cell.store();
}

}  // namespace

void enqueue_visits(const Channels& channels,
                    const PageOnDevice& page,
                    const int32_t* products,
                    uint32_t group,
                    cudaStream_t stream) {
  const auto first_row = static_cast<int>(group / 2), first_column = static_cast<int>(group % 2);
  const int rows = (page.cell_rows - first_row + 1) / 2;
  const int columns = (page.cell_columns - first_column + 1) / 2;
  if (rows <= 0 || columns <= 0) return;
  const size_t tile = static_cast<size_t>(channels.count() * kTile * kTileRow) * sizeof(int32_t);
  gpu::launch_with_memory("visiting cells",
                          visit_group,
                          static_cast<uint32_t>(rows) * static_cast<uint32_t>(columns),
                          kThreads,
                          sizeof(Shared) + tile,
                          stream,
                          channels,
                          page,
                          products,
                          Group{first_row, first_column, columns});
}

}  // namespace mezzo::search::colour
