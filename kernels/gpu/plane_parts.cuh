// Parts of a plane on a GPU, whatever becomes of its bits there.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/gpu/device.cuh"
#include "kernels/gpu/gpu_schedule.cuh"
#include "kernels/halftoner.h"

namespace mezzo::gpu {

/// Of any curve.
inline constexpr uint32_t kMostTones = 65536;

/// The curve of a plane's bands, in the memory of a GPU: sample -> tone.
class CurveOnGpu {
 public:
  explicit CurveOnGpu(Device device);

  /// Sends the table where it is another than that of the band before; work on `stream` waits.
  void take(const ToneCurve& curve, const Stream& stream);
  const uint16_t* data() const { return tones_.data(); }
  uint32_t size() const { return static_cast<uint32_t>(table_.size()); }

 private:
  Array<uint16_t> tones_;
  std::vector<uint16_t> table_;  ///< that tones_ holds
};

/// A schedule of a plane, with what it carries from band to band.
class ScheduleWithSums {
 public:
  /// Throws Error, kOutOfMemory where the GPU has no room.
  ScheduleWithSums(std::unique_ptr<GpuSchedule> schedule, Device device, uint32_t width_px);

  /// Adds the work of a band, whose `above` and `below` are not looked at, to the stream. Throws as
  /// GpuSchedule::enqueue(), within which `on_round` is called.
  void enqueue(DeviceBand band,
               cudaStream_t stream,
               const std::function<void(const RoundReport&)>& on_round = {});

 private:
  std::unique_ptr<GpuSchedule> schedule_;
  Array<int> sums_[2];  ///< above and below the band at work
  bool has_begun_ = false;
};

/// A plane alone among InksSchedules. Throws as ScheduleWithSums does.
std::unique_ptr<InksSchedule> one_plane(std::unique_ptr<GpuSchedule> schedule,
                                        Device device,
                                        uint32_t width_px);

/// Calls `done` once all that was queued on the stream is complete, or with its failure. Throws
/// Error where it cannot be queued, and has not called it then.
void call_when_complete(const Stream& stream, Halftoner::Done done);

}  // namespace mezzo::gpu
