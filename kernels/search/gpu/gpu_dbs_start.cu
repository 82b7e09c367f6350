// The start of direct binary search, as in dbs_field.cpp, a point per thread.
#include <algorithm>

#include "kernels/gpu/launch.cuh"
#include "kernels/search/gpu/gpu_dbs.cuh"

namespace mezzo::search::dbs {
namespace {

constexpr uint32_t kThreads = 256, kWarp = 32;
constexpr uint32_t kMostBlockRows = 1024;  ///< further rows are for the same blocks again
constexpr int kMostSide = 2 * static_cast<int>(kMostEyeRadius) + 1;

struct Eye {
  int radius;
  int32_t weights[kMostSide * kMostSide];  ///< row by row
};

Eye eye_of(const Square& square) {
  Eye eye{square.radius(), {}};
  std::copy(square.values().begin(), square.values().end(), eye.weights);
  return eye;
}

/// f of point (y, x).
__device__ int error_of(const DbsOnDevice& board, const Eye& eye, bool filtered, int y, int x) {
  const DbsArea& area = board.area;
  const int r = eye.radius;
  int bits = 0, tones = 0, weights = 0, at = 0;
  for (int dy = -r; dy <= r; ++dy) {
    const bool row_inside = y + dy >= 0 && y + dy < area.rows;
    const size_t row = row_inside ? static_cast<size_t>(y + dy) * area.width : 0;
    for (int dx = -r; dx <= r; ++dx, ++at) {
      if (!row_inside || x + dx < 0 || x + dx >= area.width) continue;
      const int weight = eye.weights[at];
      weights += weight;
      bits += weight * __ldg(board.bits + row + x + dx);
      if (filtered) tones += weight * __ldg(board.tones + row + x + dx);
    }
  }
  if (!filtered) {
    const int nearest_y = min(max(y, 0), area.rows - 1), nearest_x = min(max(x, 0), area.width - 1);
    tones = weights * board.tones[static_cast<size_t>(nearest_y) * area.width + nearest_x];
  }
  return bits - ((tones + 2048) >> 12);
}

__global__ void __launch_bounds__(kThreads) count_errors(const __grid_constant__ DbsOnDevice board,
                                                         const __grid_constant__ Eye eye,
                                                         bool filtered,
                                                         int point_rows,
                                                         int point_columns,
                                                         int16_t* errors) {
  const auto column = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  unsigned long long sum = 0;
  for (auto row = static_cast<int>(blockIdx.y); row < point_rows; row += gridDim.y) {
    if (column >= point_columns) break;
    const int f = error_of(
        board, eye, filtered, row + board.area.first_free - eye.radius, column - eye.radius);
    errors[static_cast<size_t>(row) * point_columns + column] = static_cast<int16_t>(f);
    sum += static_cast<unsigned long long>(static_cast<long long>(f) * f);
  }
  for (int apart = kWarp / 2; apart > 0; apart /= 2) {
    sum += __shfl_down_sync(0xFFFFFFFFU, sum, apart);
  }
  if (threadIdx.x % kWarp == 0) {
    atomicAdd(&board.counts[(blockIdx.x + blockIdx.y) % kCounts].error, sum);
  }
}

__global__ void __launch_bounds__(kThreads) count_c(const __grid_constant__ DbsOnDevice board,
                                                    const __grid_constant__ Eye eye,
                                                    int free_rows,
                                                    int point_columns,
                                                    const int16_t* errors) {
  const auto x = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (x >= board.area.width) return;
  for (auto row = static_cast<int>(blockIdx.y); row < free_rows; row += gridDim.y) {
    // The first point is a radius above and to the left of the first free pixel.
    const int16_t* const corner = errors + static_cast<size_t>(row) * point_columns + x;
    int sum = 0, at = 0;
    for (int dy = 0; dy <= 2 * eye.radius; ++dy) {
      const int16_t* const from = corner + static_cast<size_t>(dy) * point_columns;
      for (int dx = 0; dx <= 2 * eye.radius; ++dx, ++at) {
        sum += eye.weights[at] * __ldg(from + dx);
      }
    }
    board.c[static_cast<size_t>(row) * board.area.width + x] = sum;
  }
}

dim3 blocks_for(int rows, int columns) {
  return {(static_cast<uint32_t>(columns) + kThreads - 1) / kThreads,
          std::min(static_cast<uint32_t>(rows), kMostBlockRows)};
}

}  // namespace

void enqueue_start(const DbsSettings& settings,
                   const DbsOnDevice& board,
                   int16_t* errors,
                   cudaStream_t stream) {
  const DbsArea& area = board.area;
  const Eye eye = eye_of(settings.eye);
  gpu::launch("counting errors",
              count_errors,
              blocks_for(area.point_rows(), area.point_columns()),
              kThreads,
              stream,
              gpu::Start::kAfterPrevious,
              board,
              eye,
              settings.target == DbsTarget::kFiltered,
              area.point_rows(),
              area.point_columns(),
              errors);
  gpu::launch("looking at errors",
              count_c,
              blocks_for(area.free_rows(), area.width),
              kThreads,
              stream,
              gpu::Start::kAfterPrevious,
              board,
              eye,
              area.free_rows(),
              area.point_columns(),
              static_cast<const int16_t*>(errors));
}

}  // namespace mezzo::search::dbs
