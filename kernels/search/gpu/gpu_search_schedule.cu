#include <algorithm>
#include <utility>

#include "kernels/base/error.h"
#include "kernels/gpu/launch.cuh"
#include "kernels/gpu/plate_word.cuh"
#include "kernels/search/gpu/gpu_search_schedule.cuh"
#include "kernels/search/rounds.h"

namespace mezzo::search {
namespace {

using gpu::DeviceBand;

constexpr uint32_t kThreads = 256;

__device__ uint64_t own_index() {
  return uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

/// A thread to a pixel; tones of rows without gaps.
__global__ void make_tones(const __grid_constant__ DeviceBand rows, uint16_t* tones) {
  const uint64_t index = own_index();
  const auto row = static_cast<uint32_t>(index / rows.width_px);
  if (row >= rows.rows) return;
  tones[index] =
      static_cast<uint16_t>(rows.tone(static_cast<uint32_t>(index % rows.width_px), row));
}

/// A thread to a pixel: from the words of the rows to a byte a pixel.
__global__ void unpack(const __grid_constant__ DeviceBand rows, uint8_t* bits) {
  const uint64_t index = own_index();
  const uint64_t row = index / rows.width_px;
  if (row >= rows.rows) return;
  const auto x = static_cast<uint32_t>(index % rows.width_px);
  const uint32_t word = gpu::plate_word(rows.words[row * rows.row_words() + x / 32]);
  bits[index] = static_cast<uint8_t>(word >> (31 - x % 32) & 1);
}

/// A thread to a word: from a byte a pixel to the words of the rows.
__global__ void pack(const __grid_constant__ DeviceBand rows, const uint8_t* bits) {
  const uint64_t index = own_index();
  const uint64_t row = index / rows.row_words();
  if (row >= rows.rows) return;
  const auto first = static_cast<uint32_t>(index % rows.row_words()) * 32;
  const uint32_t count = min(rows.width_px - first, 32U);
  const uint8_t* pixels = bits + row * rows.width_px + first;
  uint32_t word = 0;
  for (uint32_t i = 0; i < count; ++i) word |= uint32_t{pixels[i]} << (31 - i);
  rows.words[index] = gpu::plate_word(word);
}

/// Adds a kernel with a thread to each of `count` values.
template <typename... Parameters, typename... Arguments>
void launch_each(const char* doing,
                 void (*kernel)(Parameters...),
                 uint64_t count,
                 cudaStream_t stream,
                 const Arguments&... arguments) {
  gpu::launch(doing,
              kernel,
              dim3(static_cast<uint32_t>((count + kThreads - 1) / kThreads)),
              kThreads,
              stream,
              gpu::Start::kAfterPrevious,
              arguments...);
}

/// Rows of a band from row `first` on, which may be one of the context above it. They have no bits.
DeviceBand rows_of(DeviceBand band, int64_t first, uint32_t rows) {
  band.samples += first * static_cast<int64_t>(band.pitch_bytes);
  band.first_row = static_cast<uint32_t>(int64_t{band.first_row} + first);
  band.rows = rows;
  band.words = nullptr;
  band.rows_above = band.rows_below = 0;
  return band;
}

class SearchSchedule final : public gpu::GpuSchedule {
 public:
  SearchSchedule(const SearchSettings& settings,
                 const MakeSearchOnGpu& make_search,
                 const gpu::MakeSchedule& make_start,
                 gpu::Device device,
                 uint32_t width_px,
                 uint32_t max_rows)
      : settings_(settings),
        slab_rows_(settings.slab_rows > 0 ? std::min(settings.slab_rows, max_rows) : max_rows),
        kept_rows_(settings.slab_rows > 0 ? 2 * settings.eye_radius + kOverlapRows : 0),
        tones_(device, size_t{most_rows()} * width_px),
        bits_(device, tones_.size()),
        kept_(device, size_t{kept_rows_} * width_px),
        start_words_(device, size_t{most_rows()} * ((width_px + 31) / 32)),
        sums_{{device, width_px}, {device, width_px}},
        start_(make_start(device, width_px, most_rows())),
        search_(make_search(device, width_px, most_rows())) {}

  void enqueue(const DeviceBand& band, cudaStream_t stream) override {
    if (band.first_row == 0) begin_plane(band.width_px, stream);
    for (uint32_t row = 0; row < band.rows; row += slab_rows_) {
      DeviceBand slab = rows_of(band, row, std::min(slab_rows_, band.rows - row));
      slab.words = band.words + size_t{row} * band.row_words();
      slab.rows_below = band.rows - row - slab.rows + band.rows_below;
      search(slab, stream);
    }
  }

 private:
  uint32_t most_rows() const { return slab_rows_ + kept_rows_; }

  void begin_plane(uint32_t width_px, cudaStream_t stream) {
    known_rows_ = 0;
    gpu::check(cudaMemsetAsync(sums_[0].data(), 0, width_px * sizeof(int), stream),
               "clearing sums");
  }

  void search(const DeviceBand& slab, cudaStream_t stream) {
    const SlabRows rows(settings_, slab.first_row, slab.rows, slab.rows_below);
    const DeviceBand area = rows_of(slab, -int64_t{rows.settled}, rows.count);
    MZ_ASSERT(rows.count <= most_rows());
    launch_each("reading tones",
                make_tones,
                uint64_t{area.rows} * area.width_px,
                stream,
                area,
                tones_.data());
    make_start(area, stream);
    Rounds rounds(settings_, slab.first_row, on_round);
    search_->begin({area.width_px,
                    area.rows,
                    area.first_row,
                    rows.settled,
                    area.plane,
                    tones_.data(),
                    bits_.data()},
                   stream);
    SoloTeam solo;
    rounds.run(*search_, solo);
    launch_each("packing bits",
                pack,
                uint64_t{slab.rows} * slab.row_words(),
                stream,
                slab,
                bits_.data() + size_t{rows.settled} * slab.width_px);
    keep(rows, slab.width_px, stream);
  }

  /// A start image of the rows behind those that are known from the slab above.
  void make_start(const DeviceBand& area, cudaStream_t stream) {
    if (known_rows_ == area.rows) return;
    DeviceBand rest = rows_of(area, known_rows_, area.rows - known_rows_);
    rest.words = start_words_.data();
    rest.above = sums_[0].data();
    rest.below = sums_[1].data();
    start_->enqueue(rest, stream);
    std::swap(sums_[0], sums_[1]);
    launch_each("reading a start image",
                unpack,
                uint64_t{rest.rows} * rest.width_px,
                stream,
                rest,
                bits_.data() + size_t{known_rows_} * rest.width_px);
  }

  /// Moves the rows that the next slab begins with to the front.
  void keep(const SlabRows& rows, uint32_t width_px, cudaStream_t stream) {
    known_rows_ = rows.count - rows.kept;
    if (settings_.slab_rows == 0) return;  // the plane is complete
    const size_t bytes = size_t{known_rows_} * width_px;
    MZ_ASSERT(bytes <= kept_.size());
    const auto copy = [&](uint8_t* to, const uint8_t* from) {
      gpu::check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream),
                 "keeping rows of a slab");
    };
    copy(kept_.data(), bits_.data() + size_t{rows.kept} * width_px);
    copy(bits_.data(), kept_.data());
  }

  const SearchSettings settings_;
  const uint32_t slab_rows_, kept_rows_;  ///< at most
  gpu::Array<uint16_t> tones_;            ///< of the rows that are searched
  gpu::Array<uint8_t> bits_;              ///< likewise
  gpu::Array<uint8_t> kept_;              ///< of those that the next slab begins with
  gpu::Array<uint32_t> start_words_;
  gpu::Array<int> sums_[2];  ///< above and below a start image
  const std::unique_ptr<gpu::GpuSchedule> start_;
  const std::unique_ptr<SearchOnGpu> search_;
  uint32_t known_rows_ = 0;  ///< of bits_, from the slab above
};

}  // namespace

std::unique_ptr<gpu::GpuSchedule> make_search_schedule(const SearchSettings& settings,
                                                       const MakeSearchOnGpu& make_search,
                                                       const gpu::MakeSchedule& make_start,
                                                       gpu::Device device,
                                                       uint32_t width_px,
                                                       uint32_t max_rows) {
  return std::make_unique<SearchSchedule>(
      settings, make_search, make_start, device, width_px, max_rows);
}

}  // namespace mezzo::search
