// Local search of an area on a GPU: its memory, and rounds as chains of kernels.
#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/gpu/device.cuh"
#include "kernels/gpu/launch.cuh"
#include "kernels/search/cpu/local_plane.h"
#include "kernels/search/gpu/gpu_local_search.cuh"
#include "kernels/search/gpu/search_on_gpu.cuh"

namespace mezzo::search {
namespace {

/// The data of the first look at an area.
struct FirstLook {
  const uint16_t* tones;
  const uint8_t* bits;
  int16_t* errors;     ///< of the area's first pixel
  const int32_t* eye;  ///< (2 radius + 1)^2
  size_t stride;
  uint32_t width_px, rows, top, page_row;
  int radius;
  unsigned long long* sum;  ///< of |error|
};

/// A thread to a pixel.
__global__ void look(const FirstLook area) {
  const uint64_t index = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const auto row = static_cast<uint32_t>(index / area.width_px) + area.top;
  const auto column = static_cast<uint32_t>(index % area.width_px);
  uint32_t size = 0;
  if (row < area.rows) {
    int32_t seen = 0, on_page = 0;
    for (int dy = -area.radius; dy <= area.radius; ++dy) {
      const int64_t y = int64_t{row} + dy;
      if (y >= area.rows || y + area.page_row < 0) continue;
      for (int dx = -area.radius; dx <= area.radius; ++dx) {
        const int64_t x = int64_t{column} + dx;
        if (x < 0 || x >= area.width_px) continue;
        const int32_t weight =
            area.eye[(dy + area.radius) * (2 * area.radius + 1) + dx + area.radius];
        on_page += weight;
        seen += area.bits[y * area.width_px + x] != 0 ? weight : 0;
      }
    }
    const int32_t tone = area.tones[uint64_t{row} * area.width_px + column];
    const int32_t error = ((tone * on_page + 2048) >> 12) - seen;
    area.errors[row * area.stride + column] = static_cast<int16_t>(error);
    size = static_cast<uint32_t>(abs(error));
  }
  for (uint32_t k = 1; k < kWarpSize; k *= 2) size += __shfl_xor_sync(0xFFFFFFFF, size, k);
  if (threadIdx.x % kWarpSize == 0 && size > 0) {
    atomicAdd(area.sum, static_cast<unsigned long long>(size));
  }
}

/// The GPU's counters.
struct Counters {
  unsigned long long error, changed, saved;
  uint32_t next_cell[4];
};

/// Sixteen patterns of a quad, and the pairs of its region that they add to.
std::vector<Pair> footprints_of(const Square& eye) {
  const auto side = static_cast<uint32_t>(eye.radius()) + 1;
  const WindowTables quad(eye, 2, 2);
  std::vector<Pair> footprints(size_t{kChildren} * 2 * side * side);
  for (uint32_t child = 0; child < kChildren; ++child) {
    for (uint32_t y = 0; y < 2 * side; ++y) {
      for (uint32_t x = 0; x < 2 * side; ++x) {
        uint32_t sum = 0;
        for (uint32_t place = 0; place < 4; ++place) {
          if ((child & quad.bit(place)) == 0) continue;
          sum += static_cast<uint32_t>(quad.footprint(place)[y * quad.region_width() + x]);
        }
        footprints[(child * 2 * side + y) * side + x / 2] |= sum << (x % 2 * 16);
      }
    }
  }
  return footprints;
}

/// All pixels of the quads from each on, as ink, through the eye.
std::vector<Pair> remaining_of(const Square& eye, const WindowGrid& grid, const QuadGrid& quad) {
  const WindowTables window(eye, grid.height, grid.width);
  std::vector<Pair> remaining(size_t{quad.quads() + 1} * quad.pairs());
  for (uint32_t place = 0; place < window.pixels(); ++place) {
    const uint32_t pixel = window.order[place];
    const uint32_t own = pixel / grid.width / 2 * quad.on_side + pixel % grid.width / 2;
    for (uint32_t y = 0; y < window.region_height(); ++y) {
      for (uint32_t x = 0; x < window.region_width(); ++x) {
        const auto footprint =
            static_cast<uint32_t>(window.footprint(place)[y * window.region_width() + x]);
        for (uint32_t from = 0; from <= own; ++from) {
          remaining[from * quad.pairs() + y * quad.pairs_across() + x / 2] += footprint
                                                                              << (x % 2 * 16);
        }
      }
    }
  }
  return remaining;
}

class LocalSearchOnGpu final : public SearchOnGpu {
 public:
  LocalSearchOnGpu(const LocalSettings& settings,
                   gpu::Device device,
                   uint32_t width_px,
                   uint32_t most_rows)
      : settings_(settings),
        quad_{static_cast<uint32_t>(settings.eye.radius()), (settings.window + 1) / 2},
        stride_(width_px + 2 * size_t{quad_.radius}),
        device_(device),
        errors_(device, stride_ * (most_rows + 2 * size_t{quad_.radius})),
        is_open_(device, size_t{most_rows} * width_px),
        counters_(device, 1),
        eye_(gpu::on_gpu(device, std::span(settings.eye.values()), "sending an eye")),
        footprints_(gpu::on_gpu(
            device, std::span<const Pair>(footprints_of(settings.eye)), "sending patterns")),
        remaining_(device, size_t{quad_.quads() + 1} * quad_.pairs()) {
    gpu::check(
        cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device.index),
        "asking for multiprocessors");
  }

  void begin(const Area& area, cudaStream_t stream) override {
    gpu::use(device_);
    stream_ = stream;
    area_ = area;
    grid_.emplace(area, settings_.window, settings_.cell, quad_.radius);
    MZ_ASSERT(windows() <= is_open_.size());
    send_remaining();
    clear(is_open_.data(), windows(), 1);
    clear(counters_.data(), sizeof(Counters), 0);
    first_look();
    error_ = counted().error;
  }

  uint64_t error() const override { return error_; }

  double of_255(uint64_t error) const override { return average_of_255(area_, *grid_, error); }

  Round round(Team&, const std::function<void(double)>& pause) override {
    gpu::use(device_);
    clear(counters_.data(), sizeof(Counters), 0);
    for (uint32_t group = 0; group < 4; ++group) {
      launch(group);
      wait();
      pause((group + 1) / 4.0);
    }
    const Counters counters = counted();
    error_ -= counters.saved;
    return {counters.changed, error_};
  }

 private:
  size_t windows() const { return size_t{grid_->rows} * grid_->columns; }

  void wait() const { gpu::check(cudaStreamSynchronize(stream_), "searching"); }

  void clear(void* memory, size_t bytes, int value) {
    gpu::check(cudaMemsetAsync(memory, value, bytes, stream_), "clearing memory");
  }

  /// Windows of a low or narrow area are smaller than the others.
  void send_remaining() {
    const std::vector<Pair> remaining = remaining_of(settings_.eye, *grid_, quad_);
    gpu::copy_to_gpu(
        remaining_.data(), remaining.data(), remaining.size() * sizeof(Pair), "sending patterns");
  }

  void first_look() {
    const FirstLook first{area_.tones,
                          area_.bits,
                          origin(),
                          eye_.data(),
                          stride_,
                          area_.width_px,
                          area_.rows,
                          grid_->top,
                          area_.first_row,
                          settings_.eye.radius(),
                          &counters_.data()->error};
    constexpr uint32_t kThreads = 256;
    const uint64_t pixels = uint64_t{area_.width_px} * (area_.rows - grid_->top);
    gpu::launch("looking at a page",
                look,
                dim3(static_cast<uint32_t>((pixels + kThreads - 1) / kThreads)),
                kThreads,
                stream_,
                gpu::Start::kAfterPrevious,
                first);
  }

  int16_t* origin() const { return errors_.data() + quad_.radius * stride_ + quad_.radius; }

  void launch(uint32_t index) {
    const CellsOfGroup cells(index, *grid_);
    if (cells.count() == 0) return;
    const CellGroup group{
        .grid = *grid_,
        .quad = quad_,
        .width_px = area_.width_px,
        .area_rows = area_.rows,
        .stride = stride_,
        .errors = origin(),
        .bits = area_.bits,
        .is_open = is_open_.data(),
        .footprints = footprints_.data(),
        .remaining = remaining_.data(),
        .first_row = cells.first_row,
        .first_column = cells.first_column,
        .rows = cells.rows,
        .columns = cells.columns,
        .partial = settings_.partial,
        .next_cell = counters_.data()->next_cell + index,
        .changed = &counters_.data()->changed,
        .saved = &counters_.data()->saved,
    };
    launch_bounds(group, static_cast<uint32_t>(multiprocessors_), stream_);
  }

  Counters counted() {
    Counters counters{};
    gpu::check(cudaMemcpyAsync(
                   &counters, counters_.data(), sizeof counters, cudaMemcpyDeviceToHost, stream_),
               "counting");
    wait();
    return counters;
  }

  const LocalSettings settings_;
  const QuadGrid quad_;
  const size_t stride_;
  const gpu::Device device_;
  int multiprocessors_ = 1;
  gpu::Array<int16_t> errors_;  ///< with `radius` more on every side, which are not used
  gpu::Array<uint8_t> is_open_;
  gpu::Array<Counters> counters_;
  gpu::Array<int32_t> eye_;
  gpu::Array<Pair> footprints_, remaining_;
  // Of the area:
  Area area_;
  std::optional<WindowGrid> grid_;
  cudaStream_t stream_ = nullptr;
  uint64_t error_ = 0;
};

}  // namespace

MakeSearchOnGpu local_search_on_gpu(const LocalSettings& settings) {
  return [settings](gpu::Device device, uint32_t width_px, uint32_t most_rows) {
    return std::make_unique<LocalSearchOnGpu>(settings, device, width_px, most_rows);
  };
}

}  // namespace mezzo::search
