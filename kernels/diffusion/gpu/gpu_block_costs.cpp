// The costs of steps of bwec and of copies on the first GPU, for block_costs.h.
#include <algorithm>
#include <chrono>

#include "kernels/diffusion/gpu/block_launch.cuh"
#include "kernels/diffusion/gpu/rule_on_gpu.cuh"
#include "kernels/diffusion/hybrid/measured_costs.h"
#include "kernels/diffusion/rules/rules.h"
#include "kernels/gpu/context.h"
#include "kernels/gpu/device.cuh"

namespace mezzo::diffusion {
namespace {

constexpr int kRounds = 3;  ///< the best counts; the first loads the kernels

/// A band of even grey, in steps.
template <Rule R>
class Plateau {
 public:
  Plateau(const R& rule,
          const ToneCurve& curve,
          uint32_t width_px,
          uint32_t rows,
          gpu::Device device,
          cudaStream_t at)
      : samples_(device, size_t{width_px} * rows),
        tones_(device, curve.table().size()),
        words_(device, size_t{width_px} / 32 * rows),
        sums_(device, width_px),
        left_(device, size_t{rows} * 3),
        stream_(at),
        arrays_{on_gpu(rule, device),
                {.samples = samples_.data(),
                 .pitch_bytes = width_px,
                 .tones = tones_.data(),
                 .words = words_.data(),
                 .above = nullptr,
                 .below = nullptr,
                 .width_px = width_px,
                 .rows = rows,
                 .first_row = 0,
                 .plane = 0,
                 .texture = 0,
                 .tile = nullptr,
                 .bytes_per_sample = 1},
                sums_.data(),
                left_.data()} {
    const auto clear = [&](void* memory, int value, size_t bytes) {
      gpu::check(cudaMemsetAsync(memory, value, bytes, stream_), "clearing memory");
    };
    clear(samples_.data(), 100, samples_.size());
    clear(words_.data(), 0, words_.size() * sizeof(uint32_t));
    clear(sums_.data(), 0, sums_.size() * sizeof(int));
    clear(left_.data(), 0, left_.size() * sizeof(int));
    gpu::check(cudaMemcpyAsync(tones_.data(),
                               curve.table().data(),
                               curve.table().size() * sizeof(uint16_t),
                               cudaMemcpyHostToDevice,
                               stream_),
               "sending the tone curve");
  }

  ~Plateau() { (void)cudaStreamSynchronize(stream_); }  // an error may have left work behind
  Plateau(const Plateau&) = delete;
  Plateau& operator=(const Plateau&) = delete;

  /// Seconds a step, of `steps` in a row from `first` on.
  double seconds_a_step(int first, int steps) {
    gpu::Event begin(true), end(true);
    double best = 1;
    for (int round = 0; round < kRounds; ++round) {
      begin.record(stream_);
      launch_bwec_steps(arrays_, first, first + steps, stream_);
      end.record(stream_);
      end.wait();
      best = std::min(best, end.since(begin) / 1000 / steps);
    }
    return best;
  }

 private:
  gpu::Memory samples_;
  gpu::Array<uint16_t> tones_;
  gpu::Array<uint32_t> words_;
  gpu::Array<int> sums_, left_;
  cudaStream_t stream_;
  BlockArrays<R> arrays_;
};

/// Seconds from asking for a copy of so many bytes to having waited for it.
double copy_seconds(size_t bytes, gpu::Device device, cudaStream_t stream) {
  const gpu::PinnedMemory from(bytes, *device.context);
  const gpu::Memory to(device, bytes);
  std::fill_n(from.data(), bytes, std::byte{0});
  double best = 1;
  for (int round = 0; round < kRounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    gpu::check(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyHostToDevice, stream),
               "sending");
    gpu::check(cudaStreamSynchronize(stream), "sending");
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    best = std::min(best, spent.count());
  }
  return best;
}

}  // namespace

template <Rule R>
void measure_gpu_costs(const R& rule, gpu::Context& context, BlockCosts& costs) {
  const gpu::Device device{&context, 0};
  // One block a step, and kMany: block row kMany - 1 begins after lag * (kMany - 1) steps, and the
  // first block row goes on for kSteps more.
  constexpr int kMany = 48, kSteps = 48;
  constexpr int kFirst = gpu_block_grid(1, 1).lag() * (kMany - 1);
  constexpr uint32_t kWidth = (kFirst + kSteps) * kBlockSide, kRows = kMany * kBlockSide;
  static_assert(gpu_block_grid(kWidth, kRows).block_columns() >= kFirst + kSteps);
  gpu::use(device);
  const ToneCurve curve(255, Polarity::kMaxIsPaper);
  const gpu::Stream stream(device);
  const auto seconds_a_step = [&](uint32_t rows, int first) {
    return Plateau<R>(rule, curve, kWidth, rows, device, stream.get())
        .seconds_a_step(first, kSteps);
  };
  const double one = seconds_a_step(kBlockSide, 0);
  const double many = seconds_a_step(kRows, kFirst);
  costs.gpu_block = std::max(0.0, (many - one) / (kMany - 1));
  costs.gpu_step = one - costs.gpu_block > 0 ? one - costs.gpu_block : one;

  constexpr size_t kBytes = size_t{4} << 20;
  costs.transfer = copy_seconds(64, device, stream.get());
  const double large = copy_seconds(kBytes, device, stream.get());
  costs.bytes_per_second = kBytes / std::max(large - costs.transfer, large / 10);
}

#define MZ_INSTANTIATE(R) template void measure_gpu_costs(const R&, gpu::Context&, BlockCosts&);
MZ_FOR_EACH_RULE(MZ_INSTANTIATE)
#undef MZ_INSTANTIATE

}  // namespace mezzo::diffusion
