// The start of colour direct binary search, as in colour_start.cpp, a thread to a pixel or point.
#include <algorithm>
#include <cstring>

#include "kernels/gpu/launch.cuh"
#include "kernels/search/colour/gpu/gpu_colour_search.cuh"

namespace mezzo::search::colour {
namespace {

constexpr uint32_t kThreads = 256, kWarp = 32;
constexpr uint32_t kMostBlockRows = 1024;  ///< further rows are for the same blocks again

/// A plane of values with a border of so many pixels.
struct Plane {
  const int32_t* values;
  int width;
  int rows;
  int border;
};

/// The sum of the eye's weights times the values about (y, x); outside of the plane they are 0.
__device__ int32_t look(const EyeOnDevice& eye, const Plane& plane, int y, int x) {
  const int stride = plane.width + 2 * plane.border;
  int32_t sum = 0;
  for (int dy = -kEyeRadius; dy <= kEyeRadius; ++dy) {
    const int row = y + dy + plane.border;
    if (row < 0 || row >= plane.rows + 2 * plane.border) continue;
    const int32_t* const from = plane.values + static_cast<size_t>(row) * stride;
#pragma unroll
    for (int dx = -kEyeRadius; dx <= kEyeRadius; ++dx) {
      const int column = x + dx + plane.border;
      if (column < 0 || column >= stride) continue;
      sum += eye.weights[dy < 0 ? -dy : dy][dx < 0 ? -dx : dx] * __ldg(from + column);
    }
  }
  return sum;
}

__global__ void __launch_bounds__(kThreads)
    mark_free(const __grid_constant__ PageOnDevice page, int inks) {
  const auto x = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (x >= page.width) return;
  for (auto y = static_cast<int>(blockIdx.y); y < page.rows; y += gridDim.y) {
    const size_t pixel = static_cast<size_t>(y) * page.width + x;
    uint16_t tones[kMostInks];
    for (int k = 0; k < inks; ++k) tones[k] = page.tones[k * page.pixels() + pixel];
    page.freedom[pixel] = freedom_of(tones, inks);
  }
}

/// e of a channel.
__global__ void __launch_bounds__(kThreads) count_errors(const __grid_constant__ Channels channels,
                                                         const __grid_constant__ PageOnDevice page,
                                                         int channel,
                                                         int32_t* errors) {
  const auto x = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (x >= page.width) return;
  const int16_t* const values = channels.values[channel];
  for (auto y = static_cast<int>(blockIdx.y); y < page.rows; y += gridDim.y) {
    const size_t pixel = static_cast<size_t>(y) * page.width + x;
    int32_t target = 0;
    if (channel < kColourChannels) {
      uint16_t tones[kMostInks];
      for (int k = 0; k < channels.inks; ++k) tones[k] = page.tones[k * page.pixels() + pixel];
      target = colour_target(values, channels.inks, tones);
    } else {
      target = ink_target(page.tones[(channel - kColourChannels) * page.pixels() + pixel]);
    }
    errors[pixel] = 16 * values[page.states[pixel]] - target;
  }
}

/// f of the points, and its squares.
__global__ void __launch_bounds__(kThreads) see_errors(const __grid_constant__ EyeOnDevice eye,
                                                       const __grid_constant__ Plane errors,
                                                       int32_t* seen,
                                                       Counts* counts) {
  const int columns = errors.width + 2 * kEyeRadius, rows = errors.rows + 2 * kEyeRadius;
  const auto column = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  unsigned long long sum = 0;
  for (auto row = static_cast<int>(blockIdx.y); row < rows; row += gridDim.y) {
    if (column >= columns) break;
    const int32_t f = (look(eye, errors, row - kEyeRadius, column - kEyeRadius) + 8) >> 4;
    seen[static_cast<size_t>(row) * columns + column] = f;
    sum += static_cast<unsigned long long>(static_cast<long long>(f) * f);
  }
  for (int apart = kWarp / 2; apart > 0; apart /= 2) {
    sum += __shfl_down_sync(0xFFFFFFFFU, sum, apart);
  }
  if (threadIdx.x % kWarp == 0) {
    atomicAdd(&counts[(blockIdx.x + blockIdx.y) % kCounts].error, sum);
  }
}

__global__ void __launch_bounds__(kThreads) see_again(const __grid_constant__ EyeOnDevice eye,
                                                      const __grid_constant__ Plane seen,
                                                      int32_t* c) {
  const auto x = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (x >= seen.width) return;
  for (auto y = static_cast<int>(blockIdx.y); y < seen.rows; y += gridDim.y) {
    c[static_cast<size_t>(y) * seen.width + x] = look(eye, seen, y, x);
  }
}

template <typename... Parameters, typename... Arguments>
void launch_rows(const char* doing,
                 void (*kernel)(Parameters...),
                 int rows,
                 int columns,
                 cudaStream_t stream,
                 const Arguments&... arguments) {
  const dim3 blocks((static_cast<uint32_t>(columns) + kThreads - 1) / kThreads,
                    std::min(static_cast<uint32_t>(rows), kMostBlockRows));
  gpu::launch(doing, kernel, blocks, kThreads, stream, gpu::Start::kAfterPrevious, arguments...);
}

EyeOnDevice on_device(const EyeQuarter& quarter) {
  EyeOnDevice eye;
  std::memcpy(eye.weights, quarter, sizeof(eye.weights));
  return eye;
}

}  // namespace

void enqueue_start(const Channels& channels,
                   const PageOnDevice& page,
                   int32_t* errors,
                   int32_t* seen,
                   cudaStream_t stream) {
  const EyeOnDevice eyes[2] = {on_device(kLuminanceEye), on_device(kChrominanceEye)};
  const int r = kEyeRadius;
  launch_rows("looking for inks", mark_free, page.rows, page.width, stream, page, channels.inks);
  for (int channel = 0; channel < channels.count(); ++channel) {
    const EyeOnDevice& eye = eyes[Channels::eye(channel)];
    launch_rows("counting errors",
                count_errors,
                page.rows,
                page.width,
                stream,
                channels,
                page,
                channel,
                errors);
    launch_rows("looking at errors",
                see_errors,
                page.rows + 2 * r,
                page.width + 2 * r,
                stream,
                eye,
                Plane{errors, page.width, page.rows, 0},
                seen,
                page.counts);
    launch_rows("looking at errors",
                see_again,
                page.rows,
                page.width,
                stream,
                eye,
                Plane{seen, page.width, page.rows, r},
                page.c + static_cast<size_t>(channel) * page.pixels());
  }
}

}  // namespace mezzo::search::colour
