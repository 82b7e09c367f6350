#include "kernels/codec/gpu/fax_job.cuh"
#include "kernels/codec/gpu/fax_lane.h"
#include "kernels/codec/gpu/gpu_fax.cuh"
#include "kernels/gpu/launch.cuh"
#include "kernels/gpu/plate_word.cuh"

namespace mezzo::codec {
namespace {

constexpr uint32_t kWarps = 8;  // a block
constexpr uint32_t kThreads = kWarps * 32;
constexpr uint32_t kAll = UINT32_MAX;

/// A row of pixels in words of 32 columns, the first in bit 0. Behind the last column is the
/// complement of the last pixel.
class ColumnWords {
 public:
  /// `is_paper`: a row without ink takes the place of `row`.
  __device__ ColumnWords(const uint32_t* row, uint32_t width, bool is_paper)
      : row_(row), width_(width), mask_(is_paper ? 0 : ~0U) {
    const uint32_t last = gpu::plate_word(row[(width - 1) / 32]) & mask_;
    behind_ = (last >> (31 - (width - 1) % 32) & 1) != 0 ? 0 : ~0U;
  }

  /// A word of columns that are all inside.
  __device__ uint32_t inner_word(uint32_t i) const {
    return reversed(gpu::plate_word(__ldg(row_ + i))) & mask_;
  }
  __device__ uint32_t word(uint32_t i) const {
    const uint32_t whole = width_ / 32;
    const uint32_t is_behind = i < whole ? 0 : i > whole ? ~0U : ~0U << width_ % 32;
    const uint32_t pixels = is_behind != ~0U ? inner_word(i) : 0;
    return (pixels & ~is_behind) | (behind_ & is_behind);
  }

 private:
  const uint32_t* row_;
  uint32_t width_, mask_;
  uint32_t behind_;
};

/// Memory that a warp has while it codes a row.
struct WarpMemory {
  uint32_t codes[FaxLane::kMostWords][32];        ///< of each lane
  uint32_t joined[FaxLane::kMostWords * 32 + 1];  ///< those of all lanes, behind each other
};

/// Where a lane puts its codes.
struct LaneCodes {
  uint32_t* next;
  __device__ void put(uint32_t word) {
    *next = word;
    next += 32;
  }
};

/// A coded row on its way to memory, in all lanes of a warp.
class CodedRow {
 public:
  __device__ CodedRow(uint32_t* to, WarpMemory& memory)
      : memory_(memory), begin_(to), to_(to), lane_(threadIdx.x % 32) {}

  /// Adds one code, the same in all lanes.
  __device__ void put(uint32_t code) {
    const uint32_t bits = code & 0xFFFF;
    code &= 0xFFFF0000;
    pending_ |= code >> used_;
    used_ += bits;
    if (used_ < 32) return;
    if (lane_ == 0) *to_ = pending_;
    ++to_;
    used_ -= 32;
    pending_ = code << (bits - used_);
  }

  /// Adds `bits` bits of each lane, those in memory.codes.
  __device__ void put_codes(uint32_t bits) {
    uint32_t end = bits;
    for (uint32_t distance = 1; distance < 32; distance *= 2) {
      const uint32_t before = __shfl_up_sync(kAll, end, distance);
      if (lane_ >= distance) end += before;
    }
    end += used_;
    const uint32_t all = __shfl_sync(kAll, end, 31), full = all / 32;
#pragma unroll 1
    for (uint32_t i = lane_; i <= full; i += 32) memory_.joined[i] = i == 0 ? pending_ : 0;
    __syncwarp();
    join(end - bits, bits);
    __syncwarp();
#pragma unroll 1
    for (uint32_t i = lane_; i < full; i += 32) to_[i] = memory_.joined[i];
    pending_ = memory_.joined[full];
    to_ += full;
    used_ = all % 32;
    __syncwarp();
  }

  __device__ uint32_t bits() const {
    return static_cast<uint32_t>(to_ - begin_) * 32 + used_;
  }

  /// Returns the number of bits.
  __device__ uint32_t end() {
    if (lane_ == 0 && used_ > 0) *to_ = pending_;
    return bits();
  }

 private:
  /// The lane's codes into those of all, behind bit `begin`.
  __device__ void join(uint32_t begin, uint32_t bits) {
    if (bits == 0) return;
    const uint32_t words = (begin % 32 + bits + 31) / 32;
    uint32_t before = 0;
#pragma unroll 1
    for (uint32_t i = 0; i < words; ++i) {
      const uint32_t word = i * 32 < bits ? memory_.codes[i][lane_] : 0;
      atomicOr(&memory_.joined[begin / 32 + i], shifted_right(before, word, begin));
      before = word;
    }
  }

  WarpMemory& memory_;
  uint32_t *begin_, *to_;
  uint32_t lane_;
  uint32_t pending_ = 0, used_ = 0;  ///< bits that do not fill a word yet
};

/// What a warp carries along a row, in all lanes.
struct RowState {
  uint32_t coded = 0, above = 0;  ///< the lane's words of the step before
  uint32_t last_event = 0;
  bool passing = false, horizontal = false;
};

/// The lane's words of a step; neighbours have those before and behind. `next_above` is the lane's
/// word of the step after.
__device__ LaneWords neighbourhood(uint32_t coded,
                                   uint32_t above,
                                   uint32_t next_above,
                                   const RowState& state) {
  const uint32_t lane = threadIdx.x % 32;
  const bool is_last = lane == 31;
  LaneWords words{.coded = coded, .above = above};
  words.coded_before = __shfl_sync(kAll, is_last ? state.coded : coded, (lane + 31) % 32);
  words.above_before = __shfl_sync(kAll, is_last ? state.above : above, (lane + 31) % 32);
  words.above_after = __shfl_sync(kAll, lane == 0 ? next_above : above, (lane + 1) % 32);
  return words;
}

/// Decides the events of a step. False when no row changes in it, and there are none.
__device__ bool decide(FaxLane& fax, RowState& state) {
  if (!__any_sync(kAll, fax.has_changes())) {
    state.passing |= __any_sync(kAll, fax.passing_begins()) != 0;
    return false;
  }
  const uint32_t lane = threadIdx.x % 32;
  const uint64_t carries = lane_carries(
      __ballot_sync(kAll, fax.generates()), __ballot_sync(kAll, fax.propagates()), state.passing);
  state.passing = carries >> 32 != 0;
  fax.pass((static_cast<uint32_t>(carries) >> lane & 1) != 0);
  const uint32_t near = __ballot_sync(kAll, fax.has_near());
  const uint32_t ends = __ballot_sync(kAll, fax.ends_horizontal());
  fax.horizontal(within_code_before(lane, near, ends, state.horizontal));
  state.horizontal = __ballot_sync(kAll, fax.ends_horizontal()) >> 31 != 0;
  return true;
}

/// A long run that ends at the first event of a step, which `first_lane` has.
__device__ void put_long_run(const FaxLane& fax,
                             uint32_t first_lane,
                             uint32_t last_event,
                             const FaxTables& tables,
                             CodedRow& coded) {
  const LongRun run = fax.events() != 0 ? fax.long_run(last_event) : LongRun{};
  const uint32_t makeups = __shfl_sync(kAll, run.makeups, first_lane);
  if (makeups == 0) return;
  const uint32_t kind =
      __shfl_sync(kAll, (run.ink ? 1U : 0U) | (run.has_mode ? 2U : 0U), first_lane);
  if ((kind & 2) != 0) coded.put(tables.mode);
  const uint32_t code = tables.makeups[kind & 1][kLongestMakeup / 64];
  for (uint32_t i = 0; i < makeups; ++i) coded.put(code);
}

/// Puts the codes of a step, if it has events or the end of the row.
__device__ void put_step(const FaxLane& fax,
                         uint32_t first_column,
                         const FaxTables& tables,
                         WarpMemory& memory,
                         RowState& state,
                         CodedRow& coded) {
  const uint32_t lane = threadIdx.x % 32;
  const bool has_events = fax.events() != 0;
  const uint32_t with_events = __ballot_sync(kAll, has_events);
  const uint32_t last = has_events ? fax.last_event() : 0;
  const uint32_t below = with_events & ((1U << lane) - 1);
  const uint32_t from = __shfl_sync(kAll, last, below != 0 ? top_bit(below) : 0);
  const uint32_t before = below != 0 ? from : state.last_event;
  if (first_column + kStepColumns - state.last_event >= kLongestMakeup && with_events != 0) {
    put_long_run(fax, __ffs(static_cast<int>(with_events)) - 1, before, tables, coded);
  }
  if (with_events != 0) state.last_event = __shfl_sync(kAll, last, top_bit(with_events));
  coded.put_codes(fax.put(tables, before, LaneCodes{&memory.codes[0][lane]}));
}

/// Codes a row a warp.
__global__ void __launch_bounds__(kThreads, 5) code_rows(const FaxJob job, const FaxTables* codes) {
  __shared__ FaxTables tables;
  __shared__ WarpMemory memories[kWarps];
  copy_tables(codes, tables);
  const uint32_t lane = threadIdx.x % 32, y = blockIdx.x * kWarps + threadIdx.x / 32;
  if (y >= job.rows.rows) return;
  WarpMemory& memory = memories[threadIdx.x / 32];
  const uint32_t width = job.rows.width_px;
  const uint32_t* row = job.rows.words + y * job.rows.stride_words;
  const bool is_first = y % job.rows_per_strip == 0;
  const ColumnWords pixels(row, width, false);
  const ColumnWords above(is_first ? row : row - job.rows.stride_words, width, is_first);
  CodedRow coded(job.coded + size_t{y} * job.room_words, memory);
  RowState state;
  uint32_t next_coded = pixels.word(lane), next_above = above.word(lane);
  for (uint32_t x = 0; x <= width; x += kStepColumns) {
    const uint32_t now_coded = next_coded, now_above = next_above;
    const uint32_t next = x / 32 + 32 + lane;
    const bool is_inside = x + 2 * kStepColumns <= width;
    next_coded = is_inside ? pixels.inner_word(next) : pixels.word(next);
    next_above = is_inside ? above.inner_word(next) : above.word(next);
    FaxLane fax;
    fax.take(
        neighbourhood(now_coded, now_above, next_above, state), x + lane * kLaneColumns, width);
    state.coded = now_coded;
    state.above = now_above;
    if (decide(fax, state)) put_step(fax, x, tables, memory, state, coded);
    if (lane == 0) {
      const size_t step = size_t{y} * steps_of(width) + x / kStepColumns;
      job.places_in_rows[step] = {coded.bits(), state.last_event, state.horizontal};
    }
  }
  const uint32_t bits = coded.end();
  if (lane == 0) job.row_bits[y] = bits;
}

/// The sum of the values of threads before this one in its block, and that of all; kThreads threads.
struct BlockSum {
  uint64_t before, all;
};
__device__ BlockSum sum_of_block(uint64_t value) {
  __shared__ uint64_t of_warp[kWarps];
  const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  uint64_t sum = value;
  for (uint32_t distance = 1; distance < 32; distance *= 2) {
    const uint64_t before = __shfl_up_sync(kAll, sum, distance);
    if (lane >= distance) sum += before;
  }
  if (lane == 31) of_warp[warp] = sum;
  __syncthreads();
  BlockSum result{sum - value, 0};
  for (uint32_t i = 0; i < kWarps; ++i) {
    if (i < warp) result.before += of_warp[i];
    result.all += of_warp[i];
  }
  __syncthreads();
  return result;
}

/// Finds where rows begin in their strip, a strip a block, and how long it is.
__global__ void place_rows(const FaxJob job) {
  gpu::let_next_kernel_begin();
  gpu::wait_for_previous_kernel();
  const uint32_t strip = blockIdx.x, first = strip * job.rows_per_strip, rows = job.rows_of(strip);
  uint64_t begin = 0;
  for (uint32_t i = threadIdx.x; i - threadIdx.x < rows; i += kThreads) {
    const BlockSum sum = sum_of_block(i < rows ? job.row_bits[first + i] : 0);
    if (i < rows) job.row_begin[first + i] = begin + sum.before;
    begin += sum.all;
  }
  if (threadIdx.x == 0) job.places[strip].bytes = (begin + kEndBits + 7) / 8;
}

/// Finds where strips begin; one block.
__global__ void place_strips(const FaxJob job) {
  gpu::let_next_kernel_begin();
  gpu::wait_for_previous_kernel();
  uint64_t begin = job.first_offset, bytes = 0;
  for (uint32_t i = threadIdx.x; i - threadIdx.x < job.strips; i += kThreads) {
    const uint64_t own = i < job.strips ? job.places[i].bytes : 0;
    const BlockSum sum = sum_of_block((own + 3) / 4 * 4);
    if (i < job.strips) job.places[i].offset = begin + sum.before;
    begin += sum.all;
    bytes += sum_of_block(own).all;
  }
  if (threadIdx.x == 0) *job.index = {begin, bytes};
}

/// The rows of a strip, and behind them its end as one more.
class StripRows {
 public:
  __device__ StripRows(const FaxJob& job, uint32_t strip)
      : bits_(job.row_bits + strip * job.rows_per_strip),
        begin_(job.row_begin + strip * job.rows_per_strip),
        coded_(job.coded + size_t{strip} * job.rows_per_strip * job.room_words),
        room_words_(job.room_words),
        rows_(job.rows_of(strip)) {}

  __device__ uint32_t rows() const { return rows_; }
  __device__ uint32_t bits(uint32_t i) const { return i < rows_ ? bits_[i] : kEndBits; }
  __device__ uint64_t begin(uint32_t i) const {
    return i < rows_ ? begin_[i] : begin_[rows_ - 1] + bits_[rows_ - 1];
  }
  /// The words of a row that is not the end.
  const __device__ uint32_t* words(uint32_t i) const { return coded_ + size_t{i} * room_words_; }
  /// A word of any; 0 behind its bits.
  __device__ uint32_t word(uint32_t i, uint32_t word) const {
    if (word * 32 >= bits(i)) return 0;
    return i < rows_ ? words(i)[word] : kEndWord;
  }

 private:
  const uint32_t* bits_;
  const uint64_t* begin_;
  const uint32_t* coded_;
  uint32_t room_words_, rows_;
};

/// The word `w` of a strip, which begins in row i, with the start of the rows behind.
__device__ uint32_t shared_word(const StripRows& rows, uint32_t i, uint64_t w) {
  const auto at = static_cast<uint32_t>(w * 32 - rows.begin(i));
  uint32_t word = shifted_left(rows.word(i, at / 32), rows.word(i, at / 32 + 1), at);
  auto next = static_cast<uint32_t>(rows.begin(i) + rows.bits(i) - w * 32);
  for (uint32_t k = i + 1; next < 32 && k <= rows.rows(); ++k) {
    word |= rows.word(k, 0) >> next;
    next += rows.bits(k);
  }
  return word;
}

/// Puts the rows of strips behind each other, a row a warp: it writes the words that begin in it.
__global__ void __launch_bounds__(kThreads) join_rows(const FaxJob job) {
  gpu::wait_for_previous_kernel();
  const uint64_t warp = uint64_t{blockIdx.x} * kWarps + threadIdx.x / 32;
  const auto strip = static_cast<uint32_t>(warp / (job.rows_per_strip + 1));
  const auto i = static_cast<uint32_t>(warp % (job.rows_per_strip + 1));
  if (strip >= job.strips) return;
  const StripRows rows(job, strip);
  const CodedStrip place = job.places[strip];
  if (i > rows.rows() || !job.has_room_for(place)) return;
  uint32_t* to = job.words_of(place);
  const uint32_t lane = threadIdx.x % 32;
  const uint64_t begin = rows.begin(i), end = begin + rows.bits(i);
  const uint64_t first = (begin + 31) / 32, last = end / 32;
  const auto shift = static_cast<uint32_t>(first * 32 - begin);
  const uint32_t whole = first < last ? static_cast<uint32_t>(last - first) : 0;
  const uint32_t* from = rows.words(i);
#pragma unroll 4
  for (uint32_t w = lane; w < whole; w += 32) {
    to[first + w] = gpu::plate_word(shifted_left(__ldg(from + w), __ldg(from + w + 1), shift));
  }
  if (lane == 0 && last >= first && last * 32 < end) {
    to[last] = gpu::plate_word(shared_word(rows, i, last));
  }
}

uint32_t blocks_for(uint64_t warps) {
  return static_cast<uint32_t>((warps + kWarps - 1) / kWarps);
}

}  // namespace

size_t fax_workspace_bytes(uint32_t width_px, uint32_t rows) {
  return Workspace(width_px, rows).bytes();
}

size_t most_coded_bytes(uint32_t width_px, uint32_t rows, uint32_t rows_per_strip) {
  return index_bytes(rows, rows_per_strip) + Workspace(width_px, rows).coded_bytes +
         strips_of(rows, rows_per_strip) * 8;
}

void enqueue_fax(const DeviceRows& rows,
                 uint32_t rows_per_strip,
                 std::byte* workspace,
                 CodedMemory to,
                 gpu::Device device,
                 cudaStream_t stream) {
  const FaxJob job = job_of(rows, rows_per_strip, workspace, to);
  const auto* tables =
      static_cast<const FaxTables*>(gpu::table_on_gpu(device, &kFaxTables, sizeof kFaxTables));
  constexpr auto kAfter = gpu::Start::kAfterPrevious, kBeside = gpu::Start::kBesidePrevious;
  const dim3 all_rows(blocks_for(rows.rows));
  const dim3 all_parts(blocks_for(uint64_t{job.strips} * (job.rows_per_strip + 1)));
  gpu::launch("coding rows", code_rows, all_rows, kThreads, stream, kAfter, job, tables);
  gpu::launch("placing rows", place_rows, dim3(job.strips), kThreads, stream, kAfter, job);
  gpu::launch("placing strips", place_strips, dim3(1), kThreads, stream, kBeside, job);
  gpu::launch("joining rows", join_rows, all_parts, kThreads, stream, kBeside, job);
}

}  // namespace mezzo::codec
