// Local search of an area on a GPU: its memory, and rounds as chains of kernels.
#include <algorithm>
#include <vector>

#include "kernels/gpu/device.cuh"
#include "kernels/gpu/launch.cuh"
#include "kernels/search/cpu/local_plane.h"
#include "kernels/search/gpu/gpu_local_search.cuh"
#include "kernels/search/gpu/gpu_search.h"

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

template <typename T>
gpu::Array<T> on_gpu(gpu::Device gpu, const std::vector<T>& values, cudaStream_t stream) {
  gpu::Array<T> copy(gpu, values.size());
  gpu::check(
      cudaMemcpyAsync(
          copy.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice, stream),
      "copying a table");
  return copy;
}

class LocalSearchOnGpu final : public Search {
 public:
  LocalSearchOnGpu(const LocalSettings& settings, const Area& area, gpu::Context& context)
      : area_(area),
        partial_(settings.partial),
        grid_(area, settings.window, settings.cell, static_cast<uint32_t>(settings.eye.radius())),
        quad_{grid_.radius, (settings.window + 1) / 2},
        stride_(area.width_px + 2 * size_t{grid_.radius}),
        lease_(context),
        bits_(lease_.device(), size_t{area.rows} * area.width_px),
        errors_(lease_.device(), stride_ * (area.rows + 2 * size_t{grid_.radius})),
        is_open_(lease_.device(), size_t{grid_.rows} * grid_.columns),
        counters_(lease_.device(), 1),
        stream_(lease_.device()) {
    gpu::use(lease_.device());
    gpu::check(cudaDeviceGetAttribute(
                   &multiprocessors_, cudaDevAttrMultiProcessorCount, lease_.device().index),
               "asking for multiprocessors");
    footprints_ = on_gpu(lease_.device(), footprints_of(settings.eye), stream_.get());
    remaining_ = on_gpu(lease_.device(), remaining_of(settings.eye, grid_, quad_), stream_.get());
    clear(is_open_.data(), is_open_.size(), 1);
    clear(counters_.data(), sizeof(Counters), 0);
    send(bits_.data(), area.bits, bits_.size());
    first_look(settings.eye);
    error_ = counted().error;
  }

  uint64_t error() const override { return error_; }

  double of_255(uint64_t error) const override { return average_of_255(area_, grid_, error); }

  Round round(Team&, const std::function<void(double)>& pause) override {
    gpu::use(lease_.device());
    clear(counters_.data(), sizeof(Counters), 0);
    for (uint32_t group = 0; group < 4; ++group) {
      launch(group);
      stream_.wait();
      pause((group + 1) / 4.0);
    }
    const Counters counters = counted();
    error_ -= counters.saved;
    return {counters.changed, error_};
  }

  void finish() override {
    gpu::use(lease_.device());
    gpu::check(cudaMemcpyAsync(
                   area_.bits, bits_.data(), bits_.size(), cudaMemcpyDeviceToHost, stream_.get()),
               "fetching bits");
    stream_.wait();
  }

 private:
  void clear(void* memory, size_t bytes, int value) {
    gpu::check(cudaMemsetAsync(memory, value, bytes, stream_.get()), "clearing memory");
  }

  void send(void* to, const void* from, size_t bytes) {
    gpu::check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_.get()),
               "sending a page");
  }

  void first_look(const Square& eye) {
    const gpu::Array<uint16_t> tones(lease_.device(), bits_.size());
    send(tones.data(), area_.tones, tones.size() * sizeof(uint16_t));
    const auto weights = on_gpu(lease_.device(), eye.values(), stream_.get());
    const FirstLook first{tones.data(),
                          bits_.data(),
                          origin(),
                          weights.data(),
                          stride_,
                          area_.width_px,
                          area_.rows,
                          grid_.top,
                          area_.first_row,
                          eye.radius(),
                          &counters_.data()->error};
    constexpr uint32_t kThreads = 256;
    const uint64_t pixels = uint64_t{area_.width_px} * (area_.rows - grid_.top);
    gpu::launch("looking at a page",
                look,
                dim3(static_cast<uint32_t>((pixels + kThreads - 1) / kThreads)),
                kThreads,
                stream_.get(),
                gpu::Start::kAfterPrevious,
                first);
    stream_.wait();  // before the tones go
  }

  int16_t* origin() const { return errors_.data() + grid_.radius * stride_ + grid_.radius; }

  void launch(uint32_t index) {
    const CellsOfGroup cells(index, grid_);
    if (cells.count() == 0) return;
    const CellGroup group{
        .grid = grid_,
        .quad = quad_,
        .width_px = area_.width_px,
        .area_rows = area_.rows,
        .stride = stride_,
        .errors = origin(),
        .bits = bits_.data(),
        .is_open = is_open_.data(),
        .footprints = footprints_.data(),
        .remaining = remaining_.data(),
        .first_row = cells.first_row,
        .first_column = cells.first_column,
        .rows = cells.rows,
        .columns = cells.columns,
        .partial = partial_,
        .next_cell = counters_.data()->next_cell + index,
        .changed = &counters_.data()->changed,
        .saved = &counters_.data()->saved,
    };
    launch_bounds(group, static_cast<uint32_t>(multiprocessors_), stream_.get());
  }

  Counters counted() {
    Counters counters{};
    gpu::check(
        cudaMemcpyAsync(
            &counters, counters_.data(), sizeof counters, cudaMemcpyDeviceToHost, stream_.get()),
        "counting");
    stream_.wait();
    return counters;
  }

  const Area area_;
  const bool partial_;
  const WindowGrid grid_;
  const QuadGrid quad_;
  const size_t stride_;
  int multiprocessors_ = 1;
  uint64_t error_ = 0;
  gpu::DeviceLease lease_;
  gpu::Array<uint8_t> bits_;
  gpu::Array<int16_t> errors_;  ///< with `radius` more on every side, which are not used
  gpu::Array<uint8_t> is_open_;
  gpu::Array<Counters> counters_;
  gpu::Array<Pair> footprints_, remaining_;
  gpu::Stream stream_;  ///< last: goes first, and waits for its work
};

}  // namespace

std::unique_ptr<Search> make_local_search_on_gpu(const LocalSettings& settings,
                                                 const Area& area,
                                                 gpu::Context& context) {
  return std::make_unique<LocalSearchOnGpu>(settings, area, context);
}

}  // namespace mezzo::search
