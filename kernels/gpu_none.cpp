// What a build without CUDA answers where another asks its GPUs.
#include <new>

#include "kernels/base/error.h"
#include "kernels/diffusion/gpu/gpu_diffusion.h"
#include "kernels/diffusion/hybrid/block_device.h"
#include "kernels/diffusion/hybrid/measured_costs.h"
#include "kernels/diffusion/rules/rules.h"
#include "kernels/gpu/device.h"
#include "kernels/gpu/gpu.h"
#include "kernels/gpu/gpu_timing.h"
#include "kernels/halftoner.h"
#include "kernels/pinwheel/gpu/gpu_pinwheel.h"
#include "kernels/search/gpu/gpu_search.h"
#include "kernels/search/random.h"

namespace mezzo {
namespace {

/// For schedules of any kind: require_gpu() throws, as list_gpus() has none.
template <typename Made>
std::unique_ptr<Made> refuse(std::string_view schedule) {
  gpu::require_gpu(schedule);
  return nullptr;
}

[[noreturn]] void refuse_measuring() {
  throw Error(ErrorKind::kDevice, "there is no GPU to measure: this build is without CUDA");
}

}  // namespace

namespace gpu {

uint32_t device_count() {
  return 0;
}
bool device_is_lost() {
  return false;
}
void set_device_memory_limit(uint64_t) {}
void inject_device_fault(uint64_t, DeviceFault) {}
uint64_t device_calls() {
  return 0;
}

PinnedMemory::PinnedMemory(size_t bytes)
    : data_(bytes > 0 ? static_cast<std::byte*>(::operator new(bytes)) : nullptr), bytes_(bytes) {}
PinnedMemory::~PinnedMemory() {
  ::operator delete(data_);
}

GpuList list_gpus() {
  return {{}, "this build is without CUDA", {}};
}

ScheduleTiming time_gpu_schedule(const HalftoneSettings&,
                                 const SampleBand&,
                                 const ToneCurve&,
                                 const BitBand&,
                                 const TimedRuns&) {
  refuse_measuring();
}
DeviceCeilings measure_device_ceilings(size_t) {
  refuse_measuring();
}

}  // namespace gpu

namespace diffusion {

template <Rule R>
std::unique_ptr<Halftoner> make_gpu_diffusion(const R&,
                                              const ScheduleInfo& schedule,
                                              std::unique_ptr<Halftoner>) {
  return refuse<Halftoner>(schedule.name);
}
template <Rule R>
std::unique_ptr<BlockDevice> make_gpu_block_device(const R&, uint32_t) {
  return refuse<BlockDevice>("bwec");
}
template <Rule R>
void measure_gpu_costs(const R&, BlockCosts&) {
  refuse_measuring();
}

#define MZ_INSTANTIATE(R)                                                          \
  template std::unique_ptr<Halftoner> make_gpu_diffusion(                          \
      const R&, const ScheduleInfo&, std::unique_ptr<Halftoner>);                  \
  template std::unique_ptr<BlockDevice> make_gpu_block_device(const R&, uint32_t); \
  template void measure_gpu_costs(const R&, BlockCosts&);
MZ_FOR_EACH_RULE(MZ_INSTANTIATE)
#undef MZ_INSTANTIATE

}  // namespace diffusion

std::unique_ptr<Halftoner> pinwheel::make_gpu(const Settings&,
                                              const ScheduleInfo& schedule,
                                              std::unique_ptr<Halftoner>) {
  return refuse<Halftoner>(schedule.name);
}

std::unique_ptr<search::Search> search::make_local_search_on_gpu(const LocalSettings&,
                                                                 const Area&) {
  return refuse<Search>("quads");
}
std::unique_ptr<search::Search> search::make_dbs_on_gpu(const DbsSettings&, const Area&) {
  return refuse<Search>("warps");
}
std::unique_ptr<Halftoner> search::make_random_on_gpu(const HalftoneSettings&,
                                                      const ScheduleInfo& schedule) {
  return refuse<Halftoner>(schedule.name);
}

}  // namespace mezzo
