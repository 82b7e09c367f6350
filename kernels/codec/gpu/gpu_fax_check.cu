#include "kernels/codec/gpu/fax_job.cuh"
#include "kernels/codec/gpu/fax_row_check.h"
#include "kernels/codec/gpu/gpu_fax_check.cuh"
#include "kernels/gpu/launch.cuh"

namespace mezzo::codec {
namespace {

/// Whether a row ends where the next begins, or where the strip does.
__device__ bool ends_right(const FaxJob& job,
                           const CodedStrip& strip,
                           const CodedBits& bits,
                           uint32_t y) {
  const uint32_t i = y % job.rows_per_strip;
  if (i + 1 < job.rows_of(y / job.rows_per_strip)) return bits.position() == job.row_begin[y + 1];
  constexpr uint32_t kBehind = 32 - kEndBits;
  return bits.peek() >> kBehind == kEndWord >> kBehind &&
         strip.bytes == (bits.position() + kEndBits + 7) / 8;
}

/// Whether a step of row y decodes, from the place where the step before it ended.
__device__ bool step_decodes(const FaxJob& job,
                             const FaxCheckTables& tables,
                             const CodedStrip& strip,
                             uint32_t y,
                             uint32_t step) {
  const uint32_t width = job.rows.width_px, steps = steps_of(width);
  const bool is_first = y % job.rows_per_strip == 0;
  const uint64_t begin = job.row_begin[y];
  if (is_first && begin != 0) return false;
  const RowPlace* places = job.places_in_rows + size_t{y} * steps;
  RowPlace place = step == 0 ? RowPlace{} : places[step - 1];
  const bool is_last = step + 1 == steps;
  const RowPlace end = is_last ? RowPlace{job.row_bits[y], width, false} : places[step];
  CodedBits bits(job.words_of(strip), (strip.bytes + 3) / 4, begin + place.bits);
  const uint32_t* row = job.rows.words + y * job.rows.stride_words;
  const uint32_t* above = is_first ? row : row - job.rows.stride_words;
  const uint32_t from = place.next();
  const RowPair rows{{row, width, false, from}, {above, width, is_first, from}, width};
  if (!skip_codes(tables, bits, begin + end.bits, rows, place) || !(place == end)) return false;
  return !is_last || ends_right(job, strip, bits, y);
}

constexpr uint32_t kCheckThreads = 64;

/// Checks a step of a row a thread; neighbours have neighbouring rows.
__global__ void __launch_bounds__(kCheckThreads, 16)
    check_steps(const FaxJob job, const FaxCheckTables* codes, uint32_t* faults) {
  __shared__ FaxCheckTables tables;
  copy_tables(codes, tables);
  const uint32_t y = blockIdx.x * kCheckThreads + threadIdx.x;
  if (y >= job.rows.rows) return;
  const CodedStrip strip = job.places[y / job.rows_per_strip];
  for (uint32_t step = blockIdx.y; step < steps_of(job.rows.width_px); step += gridDim.y) {
    if (job.has_room_for(strip) && step_decodes(job, tables, strip, y, step)) continue;
    atomicAdd(&faults[y / job.rows_per_strip], 1U);
  }
}

}  // namespace

void enqueue_fax_check(const DeviceRows& rows,
                       uint32_t rows_per_strip,
                       std::byte* workspace,
                       CodedMemory coded,
                       uint32_t* faults,
                       gpu::Device device,
                       cudaStream_t stream) {
  constexpr uint32_t kMostHigh = 65535;  // of a grid
  const auto* tables = static_cast<const FaxCheckTables*>(
      gpu::table_on_gpu(device, &kFaxCheckTables, sizeof kFaxCheckTables));
  gpu::launch("checking coded rows",
              check_steps,
              dim3((rows.rows + kCheckThreads - 1) / kCheckThreads,
                   std::min(steps_of(rows.width_px), kMostHigh)),
              kCheckThreads,
              stream,
              gpu::Start::kAfterPrevious,
              job_of(rows, rows_per_strip, workspace, coded),
              tables,
              faults);
}

}  // namespace mezzo::codec
