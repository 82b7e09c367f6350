// Visits of direct binary search on a GPU: a cell to a warp, the cells of a group in one launch.
//
// A warp has its cell's surroundings in shared memory: as far as it reads, c and bits as they are;
// outside of that, up to where its changes reach, what is to be added to c. Its lanes look at 32
// pixels that follow each other in raster order, each as if it were visited next. The first of them
// with something to gain makes its move, as none before it does, and the next look begins behind
// it. In the end what was read goes back to where it was, as no other warp looks there, and the
// rest is added, as others add there too; sums of integers do not depend on the order.
#include <algorithm>
#include <climits>

#include "kernels/gpu/launch.cuh"
#include "kernels/search/gpu/gpu_visits.cuh"

namespace mezzo::search::dbs {
namespace {

constexpr uint32_t kWarp = 32, kAllLanes = 0xFFFFFFFFU;
constexpr uint32_t kMostWarps = 8;
constexpr uint32_t kSharedBytes = 48 << 10;  ///< a block with several warps has at most this

/// Bytes of a warp's tile and of its window's bits.
__host__ __device__ uint32_t warp_bytes(int tile, int window) {
  return static_cast<uint32_t>(tile * tile * 4 + (window * window + 3) / 4 * 4);
}

__device__ int quotient(int number, const Divisor& divisor) {
  return static_cast<int>(__umulhi(static_cast<uint32_t>(number), divisor.factor));
}

/// The cells of a group.
struct Group {
  int first_row;
  int first_column;
  uint32_t columns;
  uint32_t count;
};

struct Choice {
  int32_t gain;  ///< dE
  int move;
};

/// The best of a pixel, the first of the least: a toggle, then swaps in raster order.
__device__ Choice choose(const Visits& visits, const int32_t* c, const uint8_t* bit, int own) {
  const int sign = own == 0 ? 1 : -1;
  const int32_t own_c = *c;
  Choice best{visits.costs.of[kMiddle] + 2 * sign * own_c, kMiddle};
#pragma unroll
  for (int move = 0; move < kPlaces; ++move) {
    if (move == kMiddle) continue;
    const int dy = move / 3 - 1, dx = move % 3 - 1;
    const int32_t other = c[dy * visits.tile.by + dx];
    const int32_t gain = 2 * visits.costs.of[move] + 2 * sign * (own_c - other);
    if (bit[dy * visits.window.by + dx] == 1 - own && gain < best.gain) best = {gain, move};
  }
  return best;
}

/// A cell in the hands of a warp.
class Cell {
 public:
  __device__ Cell(
      const Visits& visits, const int32_t* products, int32_t* memory, int row, int column)
      : visits_(visits),
        products_(products),
        tile_(memory),
        bits_(reinterpret_cast<uint8_t*>(memory + visits.tile.by * visits.tile.by)),
        lane_(static_cast<int>(threadIdx.x % kWarp)),
        top_(visits.board.area.cell_top + row * visits.cell.by),
        left_(column * visits.cell.by) {}

  __device__ void load() {
    for (int i = lane_; i < visits_.tile.by * visits_.tile.by; i += kWarp) tile_[i] = 0;
    __syncwarp();
    const int to_window = (visits_.edge - 1) * (visits_.tile.by + 1);
    for (int i = lane_; i < visits_.window.by * visits_.window.by; i += kWarp) {
      const int row = quotient(i, visits_.window), column = i - row * visits_.window.by;
      const int y = top_ - 1 + row, x = left_ - 1 + column;
      const bool is_free = exists(y, x);
      bits_[i] = is_free ? visits_.board.bits[bit_index(y, x)] : kNoBit;
      if (is_free)
        tile_[to_window + row * visits_.tile.by + column] = visits_.board.c[c_index(y, x)];
    }
    __syncwarp();
  }

  __device__ void visit() {
    const int pixels = visits_.cell.by * visits_.cell.by;
    for (int first = 0; first < pixels;) {
      const int pixel = first + lane_;
      const int y = quotient(pixel, visits_.cell), x = pixel - y * visits_.cell.by;
      const uint8_t* const bit = bits_ + (y + 1) * visits_.window.by + x + 1;
      const int32_t* const c = tile_ + (y + visits_.edge) * visits_.tile.by + x + visits_.edge;
      const int own = pixel < pixels ? *bit : kNoBit;
      Choice choice{0, 0};
      if (own != kNoBit) choice = choose(visits_, c, bit, own);
      const uint32_t hopeful = __ballot_sync(kAllLanes, choice.gain < 0);
      if (hopeful == 0) {
        first += kWarp;
        continue;
      }
      const int chosen = __ffs(static_cast<int>(hopeful)) - 1;
      make(__shfl_sync(kAllLanes, y, chosen),
           __shfl_sync(kAllLanes, x, chosen),
           __shfl_sync(kAllLanes, own, chosen),
           {__shfl_sync(kAllLanes, choice.gain, chosen),
            __shfl_sync(kAllLanes, choice.move, chosen)});
      first += chosen + 1;
    }
  }

  /// Writes the changes, and the cells that see them.
  __device__ void store() const {
    if (changed_ == 0) return;
    for (int i = lane_; i < visits_.window.by * visits_.window.by; i += kWarp) {
      const int row = quotient(i, visits_.window), column = i - row * visits_.window.by;
      const int y = top_ - 1 + row, x = left_ - 1 + column;
      if (bits_[i] != kNoBit) visits_.board.bits[bit_index(y, x)] = bits_[i];
    }
    const auto in_window = [&](int i) {
      return i >= visits_.edge - 1 && i <= visits_.edge + visits_.cell.by;
    };
    for (int i = lane_; i < visits_.tile.by * visits_.tile.by; i += kWarp) {
      const int row = quotient(i, visits_.tile), column = i - row * visits_.tile.by;
      const int y = top_ - visits_.edge + row, x = left_ - visits_.edge + column;
      if (!exists(y, x)) continue;
      int32_t* const c = visits_.board.c + c_index(y, x);
      if (in_window(row) && in_window(column)) {
        *c = tile_[i];
      } else if (tile_[i] != 0) {
        atomicAdd(c, tile_[i]);
      }
    }
    mark_stale();
    if (lane_ == 0) {
      Counts& counts = visits_.board.counts[blockIdx.x % kCounts];
      atomicAdd(&counts.changed, changed_);
      atomicAdd(&counts.error, static_cast<unsigned long long>(gain_));
    }
  }

 private:
  __device__ bool exists(int y, int x) const {
    const DbsArea& area = visits_.board.area;
    return y >= area.first_free && y < area.rows && x >= 0 && x < area.width;
  }
  __device__ size_t bit_index(int y, int x) const {
    return static_cast<size_t>(y) * visits_.board.area.width + x;
  }
  __device__ size_t c_index(int y, int x) const {
    return static_cast<size_t>(y - visits_.board.area.first_free) * visits_.board.area.width + x;
  }

  /// All lanes, with the same arguments; y and x count from the cell's corner.
  __device__ void make(int y, int x, int own, const Choice& choice) {
    const int row = visits_.tile.by;
    const int dy = choice.move / 3 - 1, dx = choice.move % 3 - 1;
    // Both begin at the upper left corner of what changes, and follow each other row by row. Past
    // its right end products are 0.
    int32_t* const c = tile_ + y * row + x;
    const int32_t* const gained = products_ + row + 1;
    const int32_t* const lost = gained - dy * row - dx;
    const int count = 2 * visits_.edge * (row + 1) + 1;
    const int sign = own == 0 ? 1 : -1;
    if (choice.move == kMiddle) {
#pragma unroll 4
      for (int i = lane_; i < count; i += kWarp) c[i] += sign * gained[i];
    } else {
#pragma unroll 4
      for (int i = lane_; i < count; i += kWarp) c[i] += sign * (gained[i] - lost[i]);
    }
    if (lane_ == 0) {
      uint8_t* const bit = bits_ + (y + 1) * visits_.window.by + x + 1;
      *bit ^= 1;
      if (choice.move != kMiddle) bit[dy * visits_.window.by + dx] ^= 1;
    }
    __syncwarp();
    changed_ += choice.move == kMiddle ? 1 : 2;
    gain_ += choice.gain;
    first_y_ = min(first_y_, y);
    last_y_ = max(last_y_, y);
    first_x_ = min(first_x_, x);
    last_x_ = max(last_x_, x);
  }

  /// Cells that see a move; see DbsArea::cells_that_see().
  __device__ void mark_stale() const {
    const DbsArea& area = visits_.board.area;
    const int far = visits_.edge + 1;
    const int first_row = max(top_ - area.cell_top + first_y_ - far, 0) / area.cell;
    const int last_row =
        min((top_ - area.cell_top + last_y_ + far) / area.cell, area.cell_rows - 1);
    const int first_column = max(left_ + first_x_ - far, 0) / area.cell;
    const int last_column = min((left_ + last_x_ + far) / area.cell, area.cell_columns - 1);
    for (int row = first_row; row <= last_row; ++row) {
      const int column = first_column + lane_;
      if (column <= last_column)
        visits_.stale[static_cast<size_t>(row) * area.cell_columns + column] = 1;
    }
  }

  const Visits& visits_;
  const int32_t* const products_;  ///< in shared memory
  int32_t* const tile_;
  uint8_t* const bits_;  ///< the window's
  const int lane_;
  const int top_;
  const int left_;
  unsigned long long changed_ = 0;
  long long gain_ = 0;
  int first_y_ = INT_MAX, last_y_ = 0;  ///< of visits that made a move
  int first_x_ = INT_MAX, last_x_ = 0;
};

__global__ void visit_group(const __grid_constant__ Visits visits, const Group group) {
  extern __shared__ int32_t memory[];
  const uint32_t warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
  const uint32_t number = blockIdx.x * warps + warp;
  const int row = group.first_row + 2 * static_cast<int>(number / group.columns);
  const int column = group.first_column + 2 * static_cast<int>(number % group.columns);
  uint8_t* const stale =
      visits.stale + static_cast<size_t>(row) * visits.board.area.cell_columns + column;
  const bool visit = number < group.count && *stale != 0;
  if (!__syncthreads_or(visit)) return;
  for (uint32_t i = threadIdx.x; i < visits.product_count; i += blockDim.x) {
    memory[i] = visits.products[i];
  }
  __syncthreads();
  if (!visit) return;
  if (threadIdx.x % kWarp == 0) *stale = 0;
  int32_t* const own = memory + visits.product_count +
                       warp * (warp_bytes(visits.tile.by, visits.window.by) / sizeof(int32_t));
  Cell cell(visits, memory, own, row, column);
  cell.load();
  cell.visit();
  cell.store();
}

}  // namespace

void enqueue_visits(const Visits& visits, uint32_t group, cudaStream_t stream) {
  const DbsArea& area = visits.board.area;
  const int first_row = static_cast<int>((area.top_cell + group / 2) % 2);
  const int first_column = static_cast<int>(group % 2);
  const int rows = (area.cell_rows - first_row + 1) / 2;
  const int columns = (area.cell_columns - first_column + 1) / 2;
  if (rows <= 0 || columns <= 0) return;
  const auto product_bytes = static_cast<uint32_t>(visits.product_count * sizeof(int32_t));
  const uint32_t each = warp_bytes(visits.tile.by, visits.window.by);
  const uint32_t room = kSharedBytes > product_bytes ? kSharedBytes - product_bytes : 0;
  const uint32_t warps = std::clamp(room / each, 1U, kMostWarps);
  const auto count = static_cast<uint32_t>(rows) * static_cast<uint32_t>(columns);
  gpu::launch_with_memory("visiting cells",
                          visit_group,
                          (count + warps - 1) / warps,
                          warps * kWarp,
                          product_bytes + warps * each,
                          stream,
                          visits,
                          Group{first_row, first_column, static_cast<uint32_t>(columns), count});
}

}  // namespace mezzo::search::dbs
