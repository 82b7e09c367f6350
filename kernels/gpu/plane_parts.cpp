#include "kernels/gpu/plane_parts.cuh"

#include <algorithm>
#include <memory>
#include <utility>

#include "kernels/band/tone.h"

namespace mezzo::gpu {

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

ScheduleWithSums::ScheduleWithSums(std::unique_ptr<GpuSchedule> schedule,
                                   Device device,
                                   uint32_t width_px)
    : schedule_(std::move(schedule)), sums_{{device, width_px}, {device, width_px}} {}

void ScheduleWithSums::enqueue(DeviceBand band,
                               cudaStream_t stream,
                               const std::function<void(const RoundReport&)>& on_round) {
  if (!std::exchange(has_begun_, true)) {
    check(cudaMemsetAsync(sums_[0].data(), 0, sums_[0].size() * sizeof(int), stream),
          "clearing sums");
  }
  band.above = sums_[0].data();
  band.below = sums_[1].data();
  schedule_->on_round = on_round;
  schedule_->enqueue(band, stream);
  std::swap(sums_[0], sums_[1]);
}

namespace {

class OnePlane final : public InksSchedule {
 public:
  OnePlane(std::unique_ptr<GpuSchedule> schedule, Device device, uint32_t width_px)
      : schedule_(std::move(schedule), device, width_px) {}

  void enqueue(std::span<const DeviceBand> inks, cudaStream_t stream) override {
    schedule_.enqueue(inks.front(), stream, on_round);
  }

 private:
  ScheduleWithSums schedule_;
};

}  // namespace

std::unique_ptr<InksSchedule> one_plane(std::unique_ptr<GpuSchedule> schedule,
                                        Device device,
                                        uint32_t width_px) {
  return std::make_unique<OnePlane>(std::move(schedule), device, width_px);
}

void call_when_complete(const Stream& stream, Halftoner::Done done) {
  struct Waiting {
    Halftoner::Done done;
    int device;
  };
  auto waiting = std::make_unique<Waiting>(std::move(done), stream.device().index);
  const auto call = [](cudaStream_t, cudaError_t status, void* data) {
    const std::unique_ptr<Waiting> callee(static_cast<Waiting*>(data));
    std::exception_ptr error;
    try {
      check_of(callee->device, status, "halftoning");
    } catch (...) {
      error = std::current_exception();
    }
    callee->done(error);
  };
  // An injected fault strikes before the call: a callback that is queued must not be given up.
  check(cudaSuccess, "halftoning");
  const cudaError_t queued = cudaStreamAddCallback(stream.get(), call, waiting.get(), 0);
  if (queued != cudaSuccess) check(queued, "halftoning");
  static_cast<void>(waiting.release());  // the callback owns it
}

}  // namespace mezzo::gpu
