#include <algorithm>

#include "kernels/gpu/launch.cuh"
#include "kernels/prepress/gpu/gpu_edges.cuh"

namespace mezzo::prepress {
namespace {

constexpr uint32_t kThreads = 128;
constexpr uint32_t kRowsPerBlock = 8;  ///< of the page, in plates
constexpr uint32_t kMostBlocks = 32768;

/// Calls step(band, plane, x, y) for the pixels of a block: of the rows of the
/// band and `context` more, of plane `first_plane` + blockIdx.z.
template <typename Step>
__device__ void for_each_pixel(const EdgeBand& band,
                               uint32_t plane,
                               int context,
                               const Step& step) {
  const uint32_t x = blockIdx.x * kThreads + threadIdx.x;
  if (x >= band.page.width_px) return;
  const int end = band.found.first_row + band.found.rows + context;
  for (int y = band.found.first_row - context + static_cast<int>(blockIdx.y); y < end;
       y += static_cast<int>(gridDim.y)) {
    step(band, plane, static_cast<int>(x), y);
  }
}

__global__ void lead(const EdgeBand band, const uint32_t plane) {
  for_each_pixel(band, plane, 1, lead_edges);
}

__global__ void find(const EdgeBand band, const uint32_t plane) {
  const auto step = [=](const EdgeBand& of, uint32_t other, int x, int y) {
    find_edges(of, other, plane, x, y);
  };
  for_each_pixel(band, blockIdx.z, kEdgeContext, step);
}

__global__ void choose(const EdgeBand band) {
  for_each_pixel(band, blockIdx.z, 1, choose_edges);
}

__global__ void join(const EdgeBand band) {
  for_each_pixel(band, blockIdx.z, 1, join_edges);
}

__global__ void follow(const EdgeBand band, const uint32_t plane) {
  for_each_pixel(band, plane, 0, follow_edges);
}

__global__ void sharpen(const EdgeBand band,
                        const EdgeAxes axes,
                        const uint32_t plane,
                        const DeviceRows<uint16_t> plate) {
  const uint32_t x = blockIdx.x * kThreads + threadIdx.x;
  if (x >= axes.across.plate_samples) return;
  const int rows = static_cast<int>(kRowsPerBlock * gridDim.y);
  const int end = band.found.first_row + band.found.rows;
  for (int first = band.found.first_row + static_cast<int>(blockIdx.y * kRowsPerBlock); first < end;
       first += rows) {
    const int stop = min(first + static_cast<int>(kRowsPerBlock), end);
    for (int y = first; y < stop; ++y) sharpen_edges(band, axes, plane, x, y, plate);
  }
}

uint32_t divided_up(uint32_t n, uint32_t d) {
  return (n + d - 1) / d;
}

Scaling cubic(Scaling scaling) {
  scaling.filter = ScaleFilter::kCubic;
  return scaling;
}

}  // namespace

EdgesOnGpu::Axis::Axis(gpu::Device device, uint32_t page_samples, Ratio ratio)
    : cubic(device, {page_samples, ratio, ScaleFilter::kCubic}),
      edges(page_samples, cubic.axis.plate_samples(), ratio) {
  const EdgeTable table(edges, page_samples, cubic.axis.plate_samples());
  constexpr const char* kSending = "sending the places of plate pixels";
  firsts = gpu::on_gpu<uint32_t>(device, table.firsts, kSending);
  pixels = gpu::on_gpu<uint32_t>(device, table.pixels, kSending);
  offsets = gpu::on_gpu<uint32_t>(device, table.offsets, kSending);
}

EdgesOnGpu::EdgesOnGpu(gpu::Device device, const Page& page, const Scaling& scaling, uint32_t plane)
    : plane_(plane),
      is_same_size_(scaling.x == Ratio{} && scaling.y == Ratio{}),
      cubic_(device, page.width_px, page.height_px, cubic(scaling)),
      across_(device, page.width_px, scaling.x),
      down_(device, page.height_px, scaling.y) {
  const size_t count = EdgeResults::count(page.width_px, page.most_rows, page.planes);
  cells_ = {device, count};
  marks_ = {device, count};
  kinds_ = {device, count};
  if (page.planes > 1) leaders_ = {device, size_t{page.width_px} * (page.most_rows + 2)};
}

EdgeAxes EdgesOnGpu::axes() const {
  return {across_.pixels.data(),
          across_.offsets.data(),
          down_.firsts.data(),
          down_.offsets.data(),
          across_.cubic.view(),
          down_.cubic.view()};
}

EdgeBand EdgesOnGpu::band_of(const EdgePage& page, const DeviceRows<uint16_t>& plate) const {
  const uint32_t first = down_.edges.page_pixel(plate.first_row);
  const uint32_t end = down_.edges.page_pixel(plate.first_row + plate.rows - 1) + 1;
  return {page,
          {cells_.data(),
           marks_.data(),
           kinds_.data(),
           leaders_.data(),
           static_cast<int>(first),
           static_cast<int>(end - first)}};
}

void EdgesOnGpu::enqueue(const EdgePage& page,
                         const DeviceRows<uint16_t>& plate,
                         cudaStream_t stream) const {
  cubic_.enqueue(page.plane(plane_), plate, stream);
  if (is_same_size_) return;
  const EdgeBand band = band_of(page, plate);
  const auto rows = static_cast<uint32_t>(band.found.rows);
  const auto start = [&](auto kernel, dim3 blocks, const auto&... arguments) {
    gpu::launch("scaling a page by edges",
                kernel,
                blocks,
                kThreads,
                stream,
                gpu::Start::kAfterPrevious,
                band,
                arguments...);
  };
  const auto blocks = [&](uint32_t context, uint32_t planes) {
    return dim3(
        divided_up(page.width_px, kThreads), std::min(rows + 2 * context, kMostBlocks), planes);
  };
  if (page.planes > 1) start(lead, blocks(1, 1), plane_);
  start(find, blocks(kEdgeContext, page.planes), plane_);
  start(choose, blocks(1, page.planes));
  if (page.planes > 1) start(join, blocks(1, page.planes));
  if (page.planes > 1) start(follow, blocks(0, 1), plane_);
  const dim3 of_plate(divided_up(across_.cubic.axis.plate_samples(), kThreads),
                      std::min(divided_up(rows, kRowsPerBlock), kMostBlocks));
  start(sharpen, of_plate, axes(), plane_, plate);
}

}  // namespace mezzo::prepress
