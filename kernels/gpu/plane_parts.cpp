#include "kernels/gpu/plane_parts.cuh"

#include <algorithm>
#include <memory>
#include <utility>

#include "kernels/band/tone.h"

namespace mezzo::gpu {
namespace {

constexpr size_t kMostTones = 65536;

}  // namespace

CurveOnGpu::CurveOnGpu(Device device) : tones_(device, kMostTones) {}

void CurveOnGpu::take(const ToneCurve& curve, const Stream& stream) {
  const auto table = curve.table();
  if (std::ranges::equal(table, table_)) return;
  stream.wait();  // the old one is no longer read
  table_.assign(table.begin(), table.end());
  check(cudaMemcpyAsync(tones_.data(),
                        table_.data(),
                        table_.size() * sizeof(uint16_t),
                        cudaMemcpyHostToDevice,
                        stream.get()),
        "sending the tone curve");
}

void call_when_complete(const Stream& stream, Halftoner::Done done) {
  auto waiting = std::make_unique<Halftoner::Done>(std::move(done));
  const auto call = [](cudaStream_t, cudaError_t status, void* data) {
    const std::unique_ptr<Halftoner::Done> callee(static_cast<Halftoner::Done*>(data));
    std::exception_ptr error;
    try {
      check(status, "halftoning");
    } catch (...) {
      error = std::current_exception();
    }
    (*callee)(error);
  };
  // An injected fault strikes before the call: a callback that is queued must not be given up.
  check(cudaSuccess, "halftoning");
  const cudaError_t queued = cudaStreamAddCallback(stream.get(), call, waiting.get(), 0);
  if (queued != cudaSuccess) check(queued, "halftoning");
  static_cast<void>(waiting.release());  // the callback owns it
}

}  // namespace mezzo::gpu
