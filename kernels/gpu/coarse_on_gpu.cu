#include <algorithm>
#include <utility>

#include "kernels/base/error.h"
#include "kernels/gpu/coarse_on_gpu.h"
#include "kernels/gpu/device.cuh"
#include "kernels/gpu/gpu_halftoner.cuh"
#include "kernels/gpu/launch.cuh"
#include "kernels/gpu/plane_parts.cuh"
#include "kernels/gpu/plate_word.cuh"

namespace mezzo::gpu {
namespace {

constexpr uint32_t kThreads = 256;

/// Blocks of a grid go over rows by its height.
dim3 blocks_for(uint32_t across, uint32_t rows) {
  constexpr uint32_t kMostHigh = 65535;
  return {(across + kThreads - 1) / kThreads, std::min(rows, kMostHigh)};
}

/// Rows of squares of a page, whose samples are in a band.
struct Squares {
  std::byte* means;  ///< rows of sample_pitch()
  size_t pitch_bytes;
  uint32_t width;  ///< in squares
  uint32_t first;  ///< row of squares of the page
  uint32_t rows;
};

/// A square of a row a thread.
template <uint32_t kSide, typename Sample>
__global__ void average_squares(const DeviceBand band, const Squares squares) {
  const uint32_t column = blockIdx.x * kThreads + threadIdx.x;
  if (column >= squares.width) return;
  const uint32_t columns = min(band.width_px - column * kSide, kSide);
  for (uint32_t square = blockIdx.y; square < squares.rows; square += gridDim.y) {
    const int64_t row = int64_t{squares.first + square} * kSide - band.first_row;
    const int64_t end = min(row + kSide, int64_t{band.rows} + band.rows_below);
    const uint32_t pixels = static_cast<uint32_t>(end - row) * columns;
    uint32_t sum = pixels / 2;
    for (int64_t i = row; i < end; ++i) {
      const std::byte* at = band.samples + i * static_cast<int64_t>(band.pitch_bytes);
      const Sample* samples = reinterpret_cast<const Sample*>(at) + column * kSide;
      for (uint32_t j = 0; j < columns; ++j) sum += samples[j];
    }
    std::byte* const to = squares.means + square * squares.pitch_bytes;
    reinterpret_cast<Sample*>(to)[column] = static_cast<Sample>(sum / pixels);
  }
}

/// The bits of rows of squares.
struct SquareBits {
  const uint32_t* words;     ///< of the squares that begin in the band
  const uint32_t* last_row;  ///< of the last row of squares above
  uint32_t row_words;
  uint32_t first;  ///< row of squares of the page
};

/// A word of a row a thread.
template <uint32_t kSide>
__global__ void repeat_squares(const SquareBits squares, const DeviceBand band) {
  const uint32_t word = blockIdx.x * kThreads + threadIdx.x;
  if (word >= band.row_words()) return;
  // 32 pixels are of at most 17 squares.
  const uint32_t column = word * 32 / kSide, phase = word * 32 % kSide, from = column / 32;
  const uint32_t inside = min(band.width_px - word * 32, 32U);
  for (uint32_t y = blockIdx.y; y < band.rows; y += gridDim.y) {
    const uint32_t square = (band.first_row + y) / kSide;
    const uint32_t* row =
        square < squares.first
            ? squares.last_row
            : squares.words + uint64_t{square - squares.first} * squares.row_words;
    const uint32_t next = from + 1 < squares.row_words ? row[from + 1] : 0;
    const uint32_t bits = __funnelshift_l(plate_word(next), plate_word(row[from]), column % 32);
    uint32_t repeated = 0;
#pragma unroll
    for (uint32_t i = 0; i < 32; ++i) {
      repeated = repeated << 1 | (bits >> (31 - (phase + i) / kSide) & 1);
    }
    band.words[uint64_t{y} * band.row_words() + word] =
        plate_word(repeated & UINT32_MAX << (32 - inside));
  }
}

/// As CoarseHalftoner: a row of squares belongs to the band that has its first row of pixels.
template <uint32_t kSide>
class CoarseOnGpu final : public GpuSchedule {
 public:
  CoarseOnGpu(const MakeSchedule& make_schedule,
              uint32_t context_rows,
              Device device,
              uint32_t width_px,
              uint32_t max_rows)
      : context_rows_(context_rows),
        width_(squares(width_px)),
        means_(device,
               sample_pitch(width_ * sizeof(uint16_t)) *
                   (squares(max_rows) + 2 * size_t{context_rows})),
        words_(device, size_t{row_words()} * squares(max_rows)),
        last_row_(device, row_words()),
        schedule_(make_schedule(device, width_, squares(max_rows)), device, width_) {}

  void enqueue(const DeviceBand& band, cudaStream_t stream) override {
    const DeviceBand means = averaged(band, stream);
    if (means.rows > 0) {
      schedule_.enqueue(means, stream, [this](const RoundReport& report) {
        if (on_round) on_round(report.in_squares(kSide));
      });
    }
    launch("repeating squares",
           repeat_squares<kSide>,
           blocks_for(band.row_words(), band.rows),
           kThreads,
           stream,
           Start::kAfterPrevious,
           SquareBits{words_.data(), last_row_.data(), row_words(), means.first_row},
           band);
    if (means.rows > 0) keep_last_row(means, stream);
  }

 private:
  static constexpr uint32_t squares(uint32_t pixels) { return (pixels + kSide - 1) / kSide; }
  uint32_t row_words() const { return (width_ + 31) / 32; }

  /// The squares that begin in the band, and those around them that the method reads.
  DeviceBand averaged(const DeviceBand& band, cudaStream_t stream) const {
    const uint32_t first = squares(band.first_row), end = squares(band.first_row + band.rows);
    const uint32_t known = squares(band.first_row - band.rows_above);
    const uint32_t page_end = squares(band.first_row + band.rows + band.rows_below);
    const uint32_t above = std::min(context_rows_, first - known);
    const uint32_t below = std::min(context_rows_, page_end - end);
    const size_t pitch = sample_pitch(size_t{width_} * band.bytes_per_sample);
    const uint32_t rows = above + (end - first) + below;
    if (end > first) {
      launch("averaging squares",
             band.bytes_per_sample == 1 ? average_squares<kSide, uint8_t>
                                        : average_squares<kSide, uint16_t>,
             blocks_for(width_, rows),
             kThreads,
             stream,
             Start::kAfterPrevious,
             band,
             Squares{means_.data(), pitch, width_, first - above, rows});
    }
    DeviceBand means = band;
    means.samples = means_.data() + above * pitch;
    means.pitch_bytes = pitch;
    means.words = words_.data();
    means.width_px = width_;
    means.rows = end - first;
    means.first_row = first;
    means.rows_above = above;
    means.rows_below = below;
    return means;
  }

  void keep_last_row(const DeviceBand& means, cudaStream_t stream) {
    check(cudaMemcpyAsync(last_row_.data(),
                          words_.data() + size_t{row_words()} * (means.rows - 1),
                          row_words() * sizeof(uint32_t),
                          cudaMemcpyDeviceToDevice,
                          stream),
          "keeping a row of squares");
  }

  uint32_t context_rows_;  ///< of the method, in squares
  uint32_t width_;         ///< in squares
  Memory means_;
  Array<uint32_t> words_;     ///< of the band's squares
  Array<uint32_t> last_row_;  ///< of squares of the band above, which may reach into this one
  ScheduleWithSums schedule_;
};

}  // namespace

std::shared_ptr<const MethodOnGpu> coarse_on_gpu(const Halftoner& method, uint32_t side) {
  MZ_ASSERT(side >= 2 && side <= 4);
  if (method.on_gpu() == nullptr) return nullptr;
  const auto make =
      [side,
       make_schedule = method.on_gpu()->make_schedule,
       context_rows = method.traits().context_rows](
          Device device, uint32_t width_px, uint32_t max_rows) -> std::unique_ptr<GpuSchedule> {
    const auto of_side = [&]<uint32_t kSide>() {
      return std::make_unique<CoarseOnGpu<kSide>>(
          make_schedule, context_rows, device, width_px, max_rows);
    };
    if (side == 2) return of_side.template operator()<2>();
    if (side == 3) return of_side.template operator()<3>();
    return of_side.template operator()<4>();
  };
  return std::make_shared<MethodOnGpu>(MethodOnGpu{make, method.on_gpu()->context});
}

}  // namespace mezzo::gpu
