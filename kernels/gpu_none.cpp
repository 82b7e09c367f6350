// The functions of GPUs in a build without CUDA.
#include <new>
#include <utility>

#include "kernels/base/error.h"
#include "kernels/codec/gpu/gpu_codec.h"
#include "kernels/device_chain/plane.h"
#include "kernels/diffusion/gpu/gpu_diffusion.h"
#include "kernels/diffusion/gpu/gpu_together.h"
#include "kernels/diffusion/hybrid/block_device.h"
#include "kernels/diffusion/hybrid/measured_costs.h"
#include "kernels/diffusion/rules/rules.h"
#include "kernels/gpu/coarse_on_gpu.h"
#include "kernels/gpu/context.h"
#include "kernels/gpu/device_picture.h"
#include "kernels/gpu/gpu.h"
#include "kernels/gpu/gpu_packed_levels.h"
#include "kernels/gpu_timing.h"
#include "kernels/halftoner.h"
#include "kernels/pinwheel/gpu/gpu_pinwheel.h"
#include "kernels/screen/gpu/gpu_levels.h"
#include "kernels/screen/gpu/gpu_tile.h"
#include "kernels/search/colour/gpu/gpu_colour_search.h"
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

void halftone_picture(const Halftoner& /*halftoner*/,
                      const DevicePicture& /*picture*/,
                      const ToneCurve& /*curve*/) {
  require_gpu("pictures of a GPU");
}

void* allocate_for_caller(size_t /*bytes*/) {
  require_gpu("memory of a GPU");
  return nullptr;
}

void free_of_caller(void* /*memory*/) noexcept {}

struct Context::State {};

Context::Context(ContextOptions options) : options_(std::move(options)) {}
Context::~Context() = default;
Context& Context::of_process() {
  static Context context;
  return context;
}

uint32_t device_count() {
  return 0;
}
uint32_t expected_devices() {
  return 0;
}
void limit_devices(uint32_t /*most*/) {}
uint32_t lost_devices() {
  return 0;
}
bool is_awake() {
  return false;
}

PinnedMemory::PinnedMemory(size_t bytes, Context& context)
    : context_(&context),
      data_(bytes > 0 ? static_cast<std::byte*>(::operator new(bytes)) : nullptr),
      bytes_(bytes) {}
PinnedMemory::~PinnedMemory() {
  ::operator delete(data_);
}

std::shared_ptr<const MethodOnGpu> coarse_on_gpu(const Halftoner&, uint32_t) {
  return nullptr;
}

GpuList list_gpus() {
  return {{}, "this build is without CUDA", {}};
}

}  // namespace gpu

TimedRuns::Timing time_gpu_schedule(const HalftoneSettings&,
                                    const SampleBand&,
                                    const ToneCurve&,
                                    const BitBand&,
                                    const TimedRuns&) {
  refuse_measuring();
}
DeviceCeilings DeviceCeilings::measure(size_t) {
  refuse_measuring();
}

codec::CodedStrips codec::code_fax_on_gpu(const BitBand&,
                                          uint32_t,
                                          gpu::Context&,
                                          std::optional<size_t>) {
  gpu::require_gpu("fax");
  return {};
}
std::vector<codec::RowSum> codec::row_sums_on_gpu(const BitBand&, uint32_t, gpu::Context&) {
  gpu::require_gpu("row-sum");
  return {};
}

std::unique_ptr<device_chain::Plane> device_chain::make_plane(const Halftoner&,
                                                              const PlaneSettings&) {
  return nullptr;
}

std::unique_ptr<device_chain::InkPlanes> device_chain::make_ink_planes(
    const together::InksHalftoner&, std::span<const PlaneSettings>) {
  return nullptr;
}

namespace diffusion {

template <Rule R>
std::unique_ptr<Halftoner> make_gpu_diffusion(const R&,
                                              const ScheduleInfo& schedule,
                                              gpu::Context&,
                                              std::unique_ptr<Halftoner>) {
  return refuse<Halftoner>(schedule.name);
}
template <Rule R>
std::unique_ptr<BlockDevice> make_gpu_block_device(const R&, gpu::Context&, uint32_t) {
  return refuse<BlockDevice>("bwec");
}
template <Rule R>
void measure_gpu_costs(const R&, gpu::Context&, BlockCosts&) {
  refuse_measuring();
}

#define MZ_INSTANTIATE(R)                                                                         \
  template std::unique_ptr<Halftoner> make_gpu_diffusion(                                         \
      const R&, const ScheduleInfo&, gpu::Context&, std::unique_ptr<Halftoner>);                  \
  template std::unique_ptr<BlockDevice> make_gpu_block_device(const R&, gpu::Context&, uint32_t); \
  template void measure_gpu_costs(const R&, gpu::Context&, BlockCosts&);
MZ_FOR_EACH_RULE(MZ_INSTANTIATE)
#undef MZ_INSTANTIATE

template <Rule R>
std::unique_ptr<mezzo::together::InksHalftoner> make_gpu_together(
    const R&,
    together::LightTones,
    const ScheduleInfo& schedule,
    gpu::Context&,
    std::unique_ptr<mezzo::together::InksHalftoner>) {
  return refuse<mezzo::together::InksHalftoner>(schedule.name);
}

#define MZ_INSTANTIATE(R)                                                     \
  template std::unique_ptr<mezzo::together::InksHalftoner> make_gpu_together( \
      const R&,                                                               \
      together::LightTones,                                                   \
      const ScheduleInfo&,                                                    \
      gpu::Context&,                                                          \
      std::unique_ptr<mezzo::together::InksHalftoner>);
MZ_FOR_EACH_RULE_TOGETHER(MZ_INSTANTIATE)
#undef MZ_INSTANTIATE

}  // namespace diffusion

std::unique_ptr<Halftoner> pinwheel::make_gpu(const Settings&,
                                              const ScheduleInfo& schedule,
                                              gpu::Context&,
                                              std::unique_ptr<Halftoner>) {
  return refuse<Halftoner>(schedule.name);
}

std::unique_ptr<Halftoner> screen::make_tiles_on_gpu(const InkScreens&,
                                                     const ScheduleInfo& schedule,
                                                     gpu::Context&,
                                                     std::unique_ptr<Halftoner>) {
  return refuse<Halftoner>(schedule.name);
}

std::shared_ptr<const gpu::MethodOnGpu> screen::levels_on_gpu(const Halftoner&,
                                                              const DropLevels&,
                                                              uint32_t) {
  return nullptr;
}

std::shared_ptr<const gpu::MethodOnGpu> gpu::packed_levels_on_gpu(
    std::span<const std::unique_ptr<Halftoner>>) {
  return nullptr;
}

std::unique_ptr<search::Search> search::make_local_search_on_gpu(const LocalSettings&,
                                                                 const Area&,
                                                                 gpu::Context&) {
  return refuse<Search>("quads");
}
std::unique_ptr<search::Search> search::make_dbs_on_gpu(const DbsSettings&,
                                                        const Area&,
                                                        gpu::Context&) {
  return refuse<Search>("warps");
}
std::unique_ptr<search::Search> search::colour::make_search_on_gpu(const together::InkColours&,
                                                                   const Page&,
                                                                   gpu::Context&) {
  return refuse<Search>("warps");
}
std::unique_ptr<search::Search> search::make_form_search_on_gpu(const FormSettings&,
                                                                const Area&,
                                                                gpu::Context&) {
  return refuse<Search>("quads");
}
std::shared_ptr<const gpu::MethodOnGpu> search::local_method_on_gpu(const LocalSettings&,
                                                                    const SearchSettings&,
                                                                    gpu::Context&) {
  gpu::require_gpu("quads");
  return nullptr;
}
std::shared_ptr<const gpu::MethodOnGpu> search::dbs_method_on_gpu(const DbsSettings&,
                                                                  const SearchSettings&,
                                                                  gpu::Context&) {
  gpu::require_gpu("warps");
  return nullptr;
}
std::shared_ptr<const gpu::MethodOnGpu> search::form_method_on_gpu(const FormSettings&,
                                                                   const SearchSettings&,
                                                                   gpu::Context&) {
  gpu::require_gpu("quads");
  return nullptr;
}
std::unique_ptr<Halftoner> search::make_random_on_gpu(const HalftoneSettings&,
                                                      const ScheduleInfo& schedule,
                                                      gpu::Context&) {
  return refuse<Halftoner>(schedule.name);
}

}  // namespace mezzo
