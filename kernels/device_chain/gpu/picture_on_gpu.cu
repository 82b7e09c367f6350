#include <algorithm>
#include <utility>

#include "kernels/device_chain/gpu/picture_on_gpu.cuh"
#include "kernels/gpu/launch.cuh"
#include "kernels/gpu/plate_word.cuh"

namespace mezzo::device_chain {
namespace {

constexpr uint32_t kThreads = 256;
constexpr uint32_t kWarp = 32;
constexpr uint32_t kRowsPerThread = 32;  ///< of bits, so that few additions go to memory

/// A PictureGrid on the GPU.
struct Cells {
  const uint32_t* column_ends;
  const uint32_t* row_ends;
  const uint32_t* row_steps;
  uint32_t across, down;

  __device__ uint32_t column_begin(uint32_t cell) const {
    return cell == 0 ? 0 : column_ends[cell - 1];
  }
  __device__ uint32_t row_begin(uint32_t cell) const { return cell == 0 ? 0 : row_ends[cell - 1]; }

  /// The row of cells that a row of the page lies in.
  __device__ uint32_t row_of(uint32_t y) const {
    uint32_t low = 0, high = down - 1;
    while (low < high) {
      const uint32_t middle = (low + high) / 2;
      if (y < row_ends[middle]) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
};

__device__ void add(uint64_t* to, uint64_t value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value));
}

__device__ uint32_t sample(const gpu::DeviceBand& band, uint32_t x, uint32_t i) {
  return band.bytes_per_sample == 1 ? band.row<uint8_t>(i)[x] : band.row<uint16_t>(i)[x];
}

/// A block takes a row, a warp one of its cells after the other.
__global__ void add_samples(const gpu::DeviceBand band, const Cells cells, uint64_t* sums) {
  const uint32_t y = band.first_row + blockIdx.x;
  const uint32_t cell_row = cells.row_of(y);
  if ((y - cells.row_begin(cell_row)) % cells.row_steps[cell_row] != 0) return;
  const uint32_t lane = threadIdx.x % kWarp;
  for (uint32_t cell = threadIdx.x / kWarp; cell < cells.across; cell += kThreads / kWarp) {
    uint64_t sum = 0;
    for (uint32_t x = cells.column_begin(cell) + lane; x < cells.column_ends[cell]; x += kWarp) {
      sum += sample(band, x, blockIdx.x);
    }
    for (uint32_t distance = kWarp / 2; distance > 0; distance /= 2) {
      sum += __shfl_down_sync(UINT32_MAX, sum, distance);
    }
    if (lane == 0 && sum > 0) add(&sums[size_t{cell_row} * cells.across + cell], sum);
  }
}

__device__ uint32_t count(uint32_t bits) {
  return static_cast<uint32_t>(__popc(static_cast<int>(bits)));
}

/// The tones of the levels of a word. Level 0 has none.
__device__ uint32_t tones_of(uint32_t bits, uint32_t bits_per_px, const DropLevels& levels) {
  uint32_t tones = 0;
#pragma unroll 1
  for (uint32_t level = 1; level < levels.count; ++level) {
    tones += count(gpu::pixels_of_value(bits, bits_per_px, level)) * levels.tones[level];
  }
  return tones;
}

/// The ink of columns [begin, end) of a row: its pixels, or the tones of its levels.
__device__ uint64_t ink_of(const uint32_t* row,
                           uint32_t begin,
                           uint32_t end,
                           uint32_t bits_per_px,
                           const DropLevels& levels) {
  begin *= bits_per_px;
  end *= bits_per_px;
  uint64_t ink = 0;
  for (uint32_t word = begin / 32; word * 32 < end; ++word) {
    uint32_t bits = gpu::plate_word(row[word]);
    if (word == begin / 32) bits &= UINT32_MAX >> begin % 32;
    if (end - word * 32 < 32) bits &= ~(UINT32_MAX >> (end - word * 32));
    ink += bits_per_px == 1 ? count(bits) : tones_of(bits, bits_per_px, levels);
  }
  return ink;
}

/// A thread takes a cell's part of some rows.
__global__ void add_ink(const gpu::DeviceBand band,
                        const uint32_t* finished,
                        const Cells cells,
                        const __grid_constant__ DropLevels levels,
                        uint64_t* sums) {
  const uint32_t cell = blockIdx.y * kThreads + threadIdx.x;
  if (cell >= cells.across) return;
  const uint32_t begin = cells.column_begin(cell), end = cells.column_ends[cell];
  const uint32_t first = blockIdx.x * kRowsPerThread;
  const uint32_t last = min(first + kRowsPerThread, band.rows);
  uint32_t cell_row = cells.row_of(band.first_row + first);
  uint64_t ink = 0;
  for (uint32_t i = first; i < last; ++i) {
    const uint32_t* row = finished + size_t{i} * band.row_words();
    ink += ink_of(row, begin, end, band.bits_per_px, levels);
    const bool cell_ends = band.first_row + i + 1 == cells.row_ends[cell_row];
    if ((cell_ends || i + 1 == last) && ink > 0) {
      add(&sums[size_t{cell_row} * cells.across + cell], ink);
      ink = 0;
    }
    cell_row += cell_ends;
  }
}

/// Rows of a piece within a band.
struct PieceRow {
  uint32_t y;  ///< of the piece
  uint32_t i;  ///< of the band
  __device__ bool is_in(const gpu::DeviceBand& band) const { return i < band.rows; }
};

__device__ PieceRow piece_row(const Rect& piece, const gpu::DeviceBand& band, uint32_t y) {
  return {y, piece.y + y - band.first_row};  // rows above the band wrap around, far below it
}

/// A block takes a row of a piece.
__global__ void count_tones(const gpu::DeviceBand band,
                            const Rect* places,
                            uint32_t tone_rows,
                            uint32_t tones,
                            uint32_t samples_in_all,
                            bool max_is_ink,
                            uint32_t* counts) {
  const Rect piece = places[blockIdx.x];
  const PieceRow row = piece_row(piece, band, blockIdx.y * tone_rows);
  if (row.y >= piece.height_px || !row.is_in(band)) return;
  for (uint32_t k = threadIdx.x; k < piece.width_px; k += kThreads) {
    const uint32_t tone = sample(band, piece.x + k, row.i) * tones / samples_in_all;
    atomicAdd(&counts[blockIdx.x * tones + (max_is_ink ? tone : tones - 1 - tone)], 1U);
  }
}

/// A warp takes a row of a piece.
__global__ void copy_pieces(const gpu::DeviceBand band,
                            const uint32_t* finished,
                            const Rect* places,
                            uint32_t row_bytes,
                            uint8_t* pieces) {
  const Rect piece = places[blockIdx.x];
  const PieceRow row = piece_row(piece, band, blockIdx.y);
  if (!row.is_in(band)) return;
  const auto* from = reinterpret_cast<const uint8_t*>(finished + size_t{row.i} * band.row_words()) +
                     piece.x / 8 * band.bits_per_px;
  uint8_t* to = pieces + (size_t{blockIdx.x} * piece.height_px + row.y) * row_bytes;
  for (uint32_t byte = threadIdx.x; byte < row_bytes; byte += kWarp) to[byte] = from[byte];
}

constexpr const char* kDoing = "drawing the picture of a plate";

template <typename T>
gpu::Array<T> cleared(gpu::Device device, size_t count, const gpu::Stream& stream) {
  gpu::Array<T> array(device, count);
  gpu::check(cudaMemsetAsync(array.data(), 0, count * sizeof(T), stream.get()), kDoing);
  return array;
}

template <typename T>
std::vector<T> fetched(const gpu::Array<T>& array, const gpu::Stream& stream) {
  std::vector<T> copy(array.size());
  gpu::check(
      cudaMemcpyAsync(
          copy.data(), array.data(), copy.size() * sizeof(T), cudaMemcpyDeviceToHost, stream.get()),
      kDoing);
  stream.wait();
  return copy;
}

}  // namespace

PictureOnGpu::PictureOnGpu(gpu::Device device, PictureGrid grid, const gpu::Stream& stream)
    : grid_(std::move(grid)),
      column_ends_(gpu::on_gpu<uint32_t>(device, grid_.column_ends, kDoing)),
      row_ends_(gpu::on_gpu<uint32_t>(device, grid_.row_ends, kDoing)),
      row_steps_(gpu::on_gpu<uint32_t>(device, grid_.row_steps, kDoing)),
      places_(gpu::on_gpu<Rect>(device, grid_.pieces, kDoing)),
      samples_(cleared<uint64_t>(device, grid_.cells(), stream)),
      ink_(cleared<uint64_t>(device, grid_.cells(), stream)),
      tones_(cleared<uint32_t>(device, grid_.pieces.size() * grid_.tones, stream)),
      pieces_(cleared<uint8_t>(device, grid_.pieces.size() * grid_.piece_bytes(), stream)) {}

void PictureOnGpu::enqueue(const gpu::DeviceBand& band,
                           const uint32_t* finished,
                           cudaStream_t stream) {
  const auto start = gpu::Start::kAfterPrevious;
  const auto across = static_cast<uint32_t>(grid_.column_ends.size());
  const auto down = static_cast<uint32_t>(grid_.row_ends.size());
  const Cells cells = {column_ends_.data(), row_ends_.data(), row_steps_.data(), across, down};
  const auto pieces = static_cast<uint32_t>(grid_.pieces.size());
  const uint32_t piece_rows = grid_.pieces.front().height_px;
  const bool max_is_ink = grid_.polarity == Polarity::kMaxIsInk;
  gpu::launch(
      kDoing, add_samples, band.rows, kThreads, stream, start, band, cells, samples_.data());
  gpu::launch(
      kDoing,
      add_ink,
      dim3((band.rows + kRowsPerThread - 1) / kRowsPerThread, (across + kThreads - 1) / kThreads),
      kThreads,
      stream,
      start,
      band,
      finished,
      cells,
      grid_.levels.value_or(DropLevels{}),
      ink_.data());
  gpu::launch(kDoing,
              count_tones,
              dim3(pieces, (piece_rows + grid_.tone_rows - 1) / grid_.tone_rows),
              kThreads,
              stream,
              start,
              band,
              places_.data(),
              grid_.tone_rows,
              grid_.tones,
              grid_.max_sample + 1,
              max_is_ink,
              tones_.data());
  gpu::launch(kDoing,
              copy_pieces,
              dim3(pieces, piece_rows),
              kWarp,
              stream,
              start,
              band,
              finished,
              places_.data(),
              static_cast<uint32_t>(grid_.piece_row_bytes()),
              pieces_.data());
}

PictureSums PictureOnGpu::fetch(const gpu::Stream& stream) const {
  return {fetched(samples_, stream),
          fetched(ink_, stream),
          fetched(tones_, stream),
          fetched(pieces_, stream)};
}

}  // namespace mezzo::device_chain
