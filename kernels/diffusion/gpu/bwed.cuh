// Block-wise error diffusion (BWED, Kasagi et al. section III): one launch a wavefront of
// parallelogram blocks, a warp a block, a lane a row, which pushes shares into an array of sums in
// shared memory.
//
// The array has the paper's (w + 1) x (w + 3) numbers: a row more for sums that leave the block
// downwards, three columns more for those that leave it to the right. In skewed columns
// (block_grid.h) a pixel at column c pushes to columns c + 1 (down-left), c + 2 (down) and c + 3
// (down-right) of the row below. Its share to the right stays in a register; so each row of the
// array has one lane that adds to it and one that reads it, never the same number in the same step,
// and no atomics are needed. Rows are 35 numbers apart and lanes use one column at a time: no bank
// conflicts.
#pragma once

#include "kernels/diffusion/gpu/block_tile.cuh"

namespace mezzo::diffusion {

inline constexpr int kSumRows = kBlockSide + 1;
inline constexpr int kSumColumns = kBlockSide + 3;

/// `sums` is that of BlockArrays. `pending` are the sums that blocks pushed over their right edge:
/// three numbers for each of the 33 rows of sums of each block row, plane by plane.
template <Rule R>
struct DiffusionArrays {
  R rule;
  DeviceBand band;
  int* sums;
  int* pending;

  __device__ int* pending_row(int k, int y, int i) const {
    const size_t rows = (size_t{band.rows} + kBlockSide - 1) / kBlockSide * kSumRows;
    return pending + rows * k + (size_t{kSumRows} * y + i);
  }
};

/// The sums of a block in shared memory, rows in skewed columns.
struct BlockSums {
  int row[kSumRows][kSumColumns];
};

__device__ inline bool is_in_plane(const DeviceBand& band, int x) {
  return x >= 0 && x < static_cast<int>(band.width_px);
}

/// The sums of earlier blocks, added to sums of 0; the first warp.
template <Rule R>
__device__ void load_sums(const DiffusionArrays<R>& arrays,
                          const BlockFrame& frame,
                          int lane,
                          BlockSums& sums) {
  for (int k = 0; k < 3; ++k) {
    sums.row[lane][k] = __ldcg(arrays.pending_row(k, frame.y, lane));
    if (lane == 0) sums.row[kBlockSide][k] = __ldcg(arrays.pending_row(k, frame.y, kBlockSide));
  }
  __syncwarp();
  const int top_column = frame.first_column(0) + lane;
  if (is_in_plane(arrays.band, top_column)) sums.row[0][lane] += __ldcg(arrays.sums + top_column);
  __syncwarp();
}

/// The sums for later blocks; the first warp.
template <Rule R>
__device__ void store_sums(const DiffusionArrays<R>& arrays,
                           const BlockFrame& frame,
                           int lane,
                           const BlockSums& sums) {
  // Of the row below the last, skewed columns 1 to 32 are complete now.
  const int below_row = frame.last_row + 1;
  const int below_column = frame.first_column(below_row) + 1 + lane;
  const int below = sums.row[below_row][1 + lane];
  for (int k = 0; k < 3; ++k) {
    *arrays.pending_row(k, frame.y, lane) = sums.row[lane][kBlockSide + k];
    if (lane == 0) {
      *arrays.pending_row(k, frame.y, kBlockSide) = sums.row[kBlockSide][kBlockSide + k];
    }
  }
  if (is_in_plane(arrays.band, below_column)) arrays.sums[below_column] = below;
}

template <Rule R>
__global__ void __launch_bounds__(kBlockThreads)
    diffuse_blocks(DiffusionArrays<R> arrays, BlockStep step) {
  __shared__ BlockTones tones;
  __shared__ BlockSums sums;
  gpu::let_next_kernel_begin();
  const DeviceBand& band = arrays.band;
  const R& rule = arrays.rule;
  const BlockFrame frame(band, step);
  load_tones(band, frame, tones);
  for (uint32_t n = threadIdx.x; n < kSumRows * kSumColumns; n += kBlockThreads) {
    sums.row[n / kSumColumns][n % kSumColumns] = 0;
  }
  __syncthreads();
  if (threadIdx.x >= kBlockSide) return;

  const int lane = static_cast<int>(threadIdx.x);
  const uint32_t inside = frame.inside(band, lane);
  gpu::wait_for_previous_kernel();
  const BlockRowWords words(band, frame, lane);
  load_sums(arrays, frame, lane, sums);
  int right = 0;
  uint32_t bits = 0;
#pragma unroll
  for (int t = 0; t < kBlockSide; ++t) {
    const int tone = tones.row[lane][t];
    const auto column = static_cast<uint32_t>(frame.first_column(lane) + t);
    const Place place = place_of(rule, band, column, frame.top + static_cast<uint32_t>(lane));
    const Decision decision = rule.decide(tone, sums.row[lane][t] + right, place);
    const int residue = inside >> t & 1 ? decision.residue : 0;
    bits |= uint32_t{decision.ink} << (31 - t);

    const Shares shares = rule.shares(residue, tone);
    right = shares.right;
    sums.row[lane + 1][t + 1] += shares.down_left;
    sums.row[lane + 1][t + 2] += shares.down;
    sums.row[lane + 1][t + 3] += shares.down_right;
    __syncwarp();
  }
  sums.row[lane][kBlockSide] += right;
  __syncwarp();
  words.put(bits & __brev(inside));
  store_sums(arrays, frame, lane, sums);
}

template <Rule R>
class Bwed final : public RuleSchedule<R> {
 public:
  Bwed(const R& rule, gpu::Device device, uint32_t width_px, uint32_t max_rows)
      : RuleSchedule<R>(rule),
        device_(device),
        sums_(device, width_px),
        pending_(device, pending_count(max_rows)) {}

  void enqueue(const DeviceBand& band, cudaStream_t stream) override {
    gpu::use(device_);
    take_sums(band, sums_.data(), stream);
    gpu::check(cudaMemsetAsync(pending_.data(), 0, pending_count(band.rows) * sizeof(int), stream),
               "clearing the sums left of a band");
    launch_block_steps("starting a step of bwed",
                       diffuse_blocks<R>,
                       kBlockThreads,
                       DiffusionArrays<R>{rule_, band, sums_.data(), pending_.data()},
                       0,
                       block_grid(band).steps(),
                       stream);
    leave_sums(band, sums_.data(), stream);
  }

 private:
  static size_t pending_count(uint32_t rows) {
    return (size_t{rows} + kBlockSide - 1) / kBlockSide * kSumRows * 3;
  }

  using RuleSchedule<R>::rule_;
  gpu::Device device_;
  gpu::Array<int> sums_;
  gpu::Array<int> pending_;
};

}  // namespace mezzo::diffusion
