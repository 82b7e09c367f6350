#include <algorithm>
#include <vector>

#include "kernels/band/ink15.h"
#include "kernels/gpu/launch.cuh"
#include "kernels/prepress/gpu/gpu_scale.cuh"

namespace mezzo::prepress {
namespace {

constexpr uint32_t kThreads = 128;
constexpr uint32_t kColumns = 2;        ///< of the plate, a thread
constexpr uint32_t kRowsPerBlock = 64;  ///< of the plate

/// A thread goes down its columns: a row of the page is scaled along once for all rows of the plate
/// that take it.
template <uint32_t kTaps>
__global__ void scale_point(const DeviceAxis across,
                            const DeviceAxis down,
                            const DeviceRows<const uint16_t> page,
                            const DeviceRows<uint16_t> plate) {
  const uint32_t x = (blockIdx.x * kThreads + threadIdx.x) * kColumns;
  if (x >= across.plate_samples) return;
  const bool has_second = x + 1 < across.plate_samples;
  PointColumn<kTaps> left(across, x), right(across, has_second ? x + 1 : x);
  const uint32_t begin = plate.first_row + blockIdx.y * kRowsPerBlock;
  const uint32_t end = min(begin + kRowsPerBlock, plate.first_row + plate.rows);
  uint32_t phase = begin % down.p;
  int64_t base = int64_t{begin / down.p} * down.q;
  int64_t next = base + down.first_taps[phase];  // row of the page that the next line is made of
  for (uint32_t y = begin; y < end; ++y) {
    const int64_t first = base + down.first_taps[phase];
    for (next = max(next, first); next < first + kTaps; ++next) {
      const uint16_t* row = page.row(down.on_page(next));
      left.advance(row);
      right.advance(row);
    }
    int weights[kTaps];
    for (uint32_t tap = 0; tap < kTaps; ++tap) {
      weights[tap] = down.weights[size_t{phase} * kTaps + tap];
    }
    uint16_t* to = plate.row(y) + x;
    const auto a = static_cast<uint32_t>(left.across(weights));
    const auto b = static_cast<uint32_t>(right.across(weights));
    if (has_second) {
      *reinterpret_cast<uint32_t*>(to) = a | b << 16;
    } else {
      *to = static_cast<uint16_t>(a);
    }
    if (++phase == down.p) {
      phase = 0;
      base += down.q;
    }
  }
}

/// One direction of kArea on a GPU.
struct DeviceArea {
  uint32_t page_samples, plate_samples;
  Ratio ratio;

  /// AreaAxis::for_each_part().
  template <typename Take>
  __device__ void for_each_part(uint32_t x, const Take& take) const {
    const uint64_t end = (uint64_t{x} + 1) * ratio.q;
    for (uint64_t at = uint64_t{x} * ratio.q; at < end;) {
      const uint64_t i = min(at / ratio.p, uint64_t{page_samples} - 1);
      const uint64_t stop = i + 1 < page_samples ? min((i + 1) * ratio.p, end) : end;
      take(static_cast<uint32_t>(i), stop - at);
      at = stop;
    }
  }
};

__global__ void scale_area(const DeviceArea across,
                           const DeviceArea down,
                           const DeviceRows<const uint16_t> page,
                           const DeviceRows<uint16_t> plate) {
  const uint32_t x = blockIdx.x * kThreads + threadIdx.x;
  if (x >= across.plate_samples) return;
  const uint64_t whole = uint64_t{across.ratio.q} * down.ratio.q;
  for (uint32_t i = blockIdx.y; i < plate.rows; i += gridDim.y) {
    uint64_t sum = 0;
    down.for_each_part(plate.first_row + i, [&](uint32_t y, uint64_t row_weight) {
      const uint16_t* row = page.row(y);
      uint64_t of_row = 0;
      across.for_each_part(x, [&](uint32_t at, uint64_t weight) { of_row += weight * row[at]; });
      sum += row_weight * of_row;
    });
    plate.row(plate.first_row + i)[x] = static_cast<uint16_t>((sum + whole / 2) / whole);
  }
}

uint32_t divided_up(uint32_t n, uint32_t d) {
  return (n + d - 1) / d;
}

constexpr const char* kSending = "sending the weights of scaling";

}  // namespace

PointOnGpu::PointOnGpu(gpu::Device device, const PointAxis& of) : axis(of) {
  const PointTable table(of);
  first_taps = gpu::on_gpu<int32_t>(device, table.first_taps, kSending);
  weights = gpu::on_gpu<int16_t>(device, table.weights, kSending);
}

DeviceAxis PointOnGpu::view() const {
  const auto [p, q] = axis.ratio();
  return {axis.page_samples(), axis.plate_samples(), p, q, first_taps.data(), weights.data()};
}

ScaleOnGpu::ScaleOnGpu(gpu::Device device,
                       uint32_t page_width_px,
                       uint32_t page_height_px,
                       const Scaling& scaling)
    : filter_([&]() -> std::variant<Point, Area> {
        if (scaling.filter == ScaleFilter::kArea) {
          return Area{{page_width_px, scaling.x}, {page_height_px, scaling.y}};
        }
        return Point{{device, {page_width_px, scaling.x, scaling.filter}},
                     {device, {page_height_px, scaling.y, scaling.filter}}};
      }()) {}

void ScaleOnGpu::enqueue(const DeviceRows<const uint16_t>& page,
                         const DeviceRows<uint16_t>& plate,
                         cudaStream_t stream) const {
  constexpr const char* kDoing = "scaling a page";
  if (const Area* area = std::get_if<Area>(&filter_)) {
    const auto on_gpu = [](const AreaAxis& axis) {
      return DeviceArea{axis.page_samples(), axis.plate_samples(), axis.ratio()};
    };
    const dim3 blocks(divided_up(area->across.plate_samples(), kThreads),
                      std::min(plate.rows, 32768U));
    gpu::launch(kDoing,
                scale_area,
                blocks,
                kThreads,
                stream,
                gpu::Start::kAfterPrevious,
                on_gpu(area->across),
                on_gpu(area->down),
                page,
                plate);
    return;
  }
  const Point& point = std::get<Point>(filter_);
  const dim3 blocks(divided_up(point.across.axis.plate_samples(), kThreads * kColumns),
                    divided_up(plate.rows, kRowsPerBlock));
  const auto start = [&](auto kernel) {
    gpu::launch(kDoing,
                kernel,
                blocks,
                kThreads,
                stream,
                gpu::Start::kAfterPrevious,
                point.across.view(),
                point.down.view(),
                page,
                plate);
  };
  switch (point.across.axis.taps()) {
    case 1:
      return start(scale_point<1>);
    case 2:
      return start(scale_point<2>);
    default:
      return start(scale_point<4>);
  }
}

}  // namespace mezzo::prepress
