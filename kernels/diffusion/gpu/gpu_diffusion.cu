#include "kernels/base/error.h"
#include "kernels/diffusion/gpu/bwec.cuh"
#include "kernels/diffusion/gpu/bwed.cuh"
#include "kernels/diffusion/gpu/gpu_diffusion.h"
#include "kernels/diffusion/gpu/gpu_schedule.cuh"
#include "kernels/diffusion/gpu/knight.cuh"
#include "kernels/diffusion/gpu/pwec.cuh"
#include "kernels/diffusion/gpu/pwed.cuh"
#include "kernels/diffusion/gpu/rule_on_gpu.cuh"
#include "kernels/diffusion/rules/rules.h"
#include "kernels/gpu/gpu_halftoner.cuh"

namespace mezzo::diffusion {
namespace {

constexpr uint32_t kRowMultiple = 64;  ///< rows of a thread block of gpu_wavefront.cu; fewer idle

}  // namespace

template <Rule R>
std::unique_ptr<GpuSchedule> make_gpu_schedule(std::string_view schedule,
                                               const R& rule,
                                               gpu::Device device,
                                               uint32_t width_px,
                                               uint32_t max_rows) {
  if (schedule == "pwed") return std::make_unique<Pwed<R>>(rule, device, width_px, max_rows);
  if (schedule == "pwec") return std::make_unique<Pwec<R>>(rule, device, width_px, max_rows);
  if (schedule == "knight") return std::make_unique<Knight<R>>(rule, device, width_px, max_rows);
  if (schedule == "bwed") return std::make_unique<Bwed<R>>(rule, device, width_px, max_rows);
  if (schedule == "bwec") return std::make_unique<Bwec<R>>(rule, device, width_px, max_rows);
  MZ_ASSERT(schedule == "wavefront");
  return make_wavefront(rule, device, width_px, max_rows);
}

template <Rule R>
std::unique_ptr<Halftoner> make_gpu_diffusion(const R& rule,
                                              const ScheduleInfo& schedule,
                                              gpu::Context& context,
                                              std::unique_ptr<Halftoner> on_cpu) {
  const auto make = [rule, name = schedule.name](
                        gpu::Device device, uint32_t width_px, uint32_t max_rows) {
    return make_gpu_schedule(name, on_gpu(rule, device), device, width_px, max_rows);
  };
  return gpu::make_gpu_halftoner({.row_multiple = kRowMultiple, .on_device = true},
                                 make,
                                 schedule,
                                 context,
                                 std::move(on_cpu));
}

#define MZ_INSTANTIATE(R)                                                                     \
  template void launch_bwec_steps(const BlockArrays<R>&, int, int, cudaStream_t, gpu::Start); \
  template std::unique_ptr<GpuSchedule> make_gpu_schedule(                                    \
      std::string_view, const R&, gpu::Device, uint32_t, uint32_t);                           \
  template std::unique_ptr<Halftoner> make_gpu_diffusion(                                     \
      const R&, const ScheduleInfo&, gpu::Context&, std::unique_ptr<Halftoner>);
MZ_FOR_EACH_RULE(MZ_INSTANTIATE)
#undef MZ_INSTANTIATE

}  // namespace mezzo::diffusion
