#include "kernels/base/error.h"
#include "kernels/gpu/gpu_timing.h"

namespace mezzo::gpu {
namespace {

[[noreturn]] void refuse() {
  throw Error(ErrorKind::kDevice, "there is no GPU to measure: this build is without CUDA");
}

}  // namespace

ScheduleTiming time_gpu_schedule(const HalftoneSettings&,
                                 const SampleBand&,
                                 const ToneCurve&,
                                 const BitBand&,
                                 uint32_t,
                                 double,
                                 const AfterRun&) {
  refuse();
}

ScheduleTiming time_gpu_planes(const HalftoneSettings&,
                               const SampleBand&,
                               const ToneCurve&,
                               const BitBand&,
                               uint32_t,
                               uint32_t,
                               double,
                               const AfterRun&) {
  refuse();
}

DeviceCeilings measure_device_ceilings(size_t) {
  refuse();
}

}  // namespace mezzo::gpu
