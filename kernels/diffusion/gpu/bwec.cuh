// Read block_grid.h and block_launch.cuh first.
//
// Block-wise error collection (BWEC, Kasagi et al. section III): one launch a wavefront of
// parallelogram blocks, a warp a block, a lane a row.
//
// The paper collects from an array of errors in shared memory. Here a lane keeps what its last
// three residues hand to the row below, already summed for one pixel there, and the lane of that row
// fetches it with one shuffle a step. In skewed columns (block_grid.h) row i + 1 collects at column
// c from columns c - 1 (down-left), c - 2 (down) and c - 3 (down-right) of row i: when row i is
// done with column c - 1, the sum is complete. The way from pixel to pixel is then a decision, a
// weight and a shuffle, with no shared memory and no barrier on it.
#pragma once

#include "kernels/diffusion/gpu/block_tile.cuh"

namespace mezzo::diffusion {

/// The shares of a row's last residues; the last pixel done is at skewed column c - 1.
struct RowShares {
  int right = 0;        ///< to column c of the row
  int handed_down = 0;  ///< to skewed column c of the row below, complete
  int next_down = 0;    ///< to its column c + 1 by all but the pixel at c
  int down_right = 0;   ///< of the pixel at c - 1, to column c + 2 below

  /// Moves on by a column, whose pixel has `shares`.
  __device__ void add(const Shares& shares) {
    right = shares.right;
    handed_down = shares.down_left + next_down;
    next_down = shares.down + down_right;
    down_right = shares.down_right;
  }
};

/// The residues of a row at the last three skewed columns done, the last one first.
struct LastResidues {
  int residue[3];

  __device__ void add(int newest) {
    residue[2] = residue[1];
    residue[1] = residue[0];
    residue[0] = newest;
  }
};

template <Rule R>
__device__ LastResidues load_left(const BlockArrays<R>& arrays, const BlockFrame& frame, int lane) {
  LastResidues last = {};
  if (lane > frame.last_row) return last;
  for (int k = 0; k < 3; ++k) {
    last.residue[k] = __ldcg(arrays.left + size_t{arrays.band.rows} * k + frame.top + lane);
  }
  return last;
}

template <Rule R>
__device__ void store_left(const BlockArrays<R>& arrays,
                           const BlockFrame& frame,
                           int lane,
                           const LastResidues& last) {
  if (lane > frame.last_row) return;
  for (int k = 0; k < 3; ++k) {
    arrays.left[size_t{arrays.band.rows} * k + frame.top + lane] = last.residue[k];
  }
}

/// The sum that reached column x of the top row of the block from above.
template <Rule R>
__device__ int load_above(const BlockArrays<R>& arrays, const BlockFrame& frame, int x) {
  if (frame.y > 0 || arrays.border == nullptr) return __ldcg(arrays.sums + x);
  // The host may have written it a moment ago: past every cache.
  return *static_cast<const volatile int*>(arrays.border + x);
}

/// The tones of the three pixels to the left of a row of the block, the nearest first; 0 outside
/// the plane.
struct LeftTones {
  int tone[3];

  __device__ LeftTones(const DeviceBand& band, const BlockFrame& frame, int lane) {
    for (int k = 0; k < 3; ++k) {
      const int x = frame.first_column(lane) - 1 - k;
      const bool inside = lane <= frame.last_row && x >= 0 && x < static_cast<int>(band.width_px);
      tone[k] = inside ? band.tone(static_cast<uint32_t>(x), frame.top + lane) : 0;
    }
  }
};

template <Rule R>
__global__ void __launch_bounds__(kBlockThreads)
    collect_blocks(BlockArrays<R> arrays, BlockStep step) {
  __shared__ BlockTones tones;
  gpu::let_next_kernel_begin();
  const DeviceBand& band = arrays.band;
  const R& rule = arrays.rule;
  const BlockFrame frame(band, step);
  load_tones(band, frame, tones);
  __syncthreads();
  if (threadIdx.x >= kBlockSide) return;

  const int lane = static_cast<int>(threadIdx.x);
  const LeftTones left_tones(band, frame, lane);
  const uint32_t inside = frame.inside(band, lane);
  gpu::wait_for_previous_kernel();

  // The data of earlier blocks. Lane t holds the sum for column t of the top row.
  const auto in_plane = [&](int x) { return x >= 0 && x < static_cast<int>(band.width_px); };
  const int top_column = frame.first_column(0) + lane;
  const int above = in_plane(top_column) ? load_above(arrays, frame, top_column) : 0;
  const BlockRowWords words(band, frame, lane);
  LastResidues last = load_left(arrays, frame, lane);
  RowShares row;
  for (int k = 2; k >= 0; --k) row.add(rule.shares(last.residue[k], left_tones.tone[k]));

  int below = 0;  // lane t: the sum that the last row hands down in step t
  uint32_t bits = 0;
#pragma unroll
  for (int t = 0; t < kBlockSide; ++t) {
    // All but the shuffle is known early. It gives lane 0 its own number, which is taken off again.
    const int from_above = __shfl_sync(kAllLanes, above, t);
    const int known = row.right + (lane == 0 ? from_above - row.handed_down : 0);
    const int collected = known + __shfl_up_sync(kAllLanes, row.handed_down, 1);

    const int tone = tones.row[lane][t];
    const auto column = static_cast<uint32_t>(frame.first_column(lane) + t);
    const Place place = place_of(rule, band, column, frame.top + static_cast<uint32_t>(lane));
    const Decision decision = rule.decide(tone, collected, place);
    const int residue = inside >> t & 1 ? decision.residue : 0;
    bits |= uint32_t{decision.ink} << (31 - t);
    last.add(residue);
    row.add(rule.shares(residue, tone));

    const int from_last_row = __shfl_sync(kAllLanes, row.handed_down, frame.last_row);
    if (lane == t) below = from_last_row;
  }

  words.put(bits & __brev(inside));
  store_left(arrays, frame, lane, last);
  const int below_column = frame.first_column(frame.last_row) - 1 + lane;
  if (in_plane(below_column)) arrays.sums[below_column] = below;
}

template <Rule R>
void launch_bwec_steps(
    const BlockArrays<R>& arrays, int first, int last, cudaStream_t stream, gpu::Start start) {
  launch_block_steps("starting a step of bwec",
                     collect_blocks<R>,
                     kBlockThreads,
                     arrays,
                     first,
                     last,
                     stream,
                     start);
}

template <Rule R>
class Bwec final : public RuleSchedule<R> {
 public:
  Bwec(const R& rule, gpu::Device device, uint32_t width_px, uint32_t max_rows)
      : RuleSchedule<R>(rule),
        device_(device),
        sums_(device, width_px),
        left_(device, size_t{max_rows} * 3) {}

  void enqueue(const DeviceBand& band, cudaStream_t stream) override {
    gpu::use(device_);
    take_sums(band, sums_.data(), stream);
    gpu::check(cudaMemsetAsync(left_.data(), 0, size_t{band.rows} * 3 * sizeof(int), stream),
               "clearing the residues left of a band");
    const BlockArrays<R> arrays = {rule_, band, sums_.data(), left_.data()};
    launch_bwec_steps(arrays, 0, block_grid(band).steps(), stream);
    leave_sums(band, sums_.data(), stream);
  }

 private:
  using RuleSchedule<R>::rule_;
  gpu::Device device_;
  gpu::Array<int> sums_;
  gpu::Array<int> left_;
};

}  // namespace mezzo::diffusion
