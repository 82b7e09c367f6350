#include "kernels/base/error.h"
#include "kernels/diffusion/gpu/gpu_diffusion.h"
#include "kernels/diffusion/gpu/gpu_schedule.cuh"
#include "kernels/diffusion/gpu/rule_on_gpu.cuh"
#include "kernels/diffusion/rules/rules.h"
#include "kernels/gpu/gpu_halftoner.cuh"

namespace mezzo::diffusion {
namespace {

constexpr uint32_t kRowMultiple = 64;  ///< rows of a thread block of gpu_wavefront.cu; fewer idle

template <Rule R>
MakeGpuSchedule<R> maker_of(std::string_view schedule) {
  if (schedule == "pwed") return make_pwed<R>;
  if (schedule == "pwec") return make_pwec<R>;
  if (schedule == "knight") return make_knight<R>;
  if (schedule == "bwed") return make_bwed<R>;
  if (schedule == "bwec") return make_bwec<R>;
  MZ_ASSERT(schedule == "wavefront");
  return make_wavefront<R>;
}

}  // namespace

template <Rule R>
std::unique_ptr<Halftoner> make_gpu_diffusion(const R& rule,
                                              const ScheduleInfo& schedule,
                                              gpu::Context& context,
                                              std::unique_ptr<Halftoner> on_cpu) {
  const auto make = [rule, make = maker_of<R>(schedule.name)](
                        gpu::Device device, uint32_t width_px, uint32_t max_rows) {
    return make(on_gpu(rule, device), device, width_px, max_rows);
  };
  return gpu::make_gpu_halftoner({{.row_multiple = kRowMultiple, .on_device = true}, make},
                                 schedule,
                                 context,
                                 std::move(on_cpu));
}

#define MZ_INSTANTIATE(R)                                 \
  template std::unique_ptr<Halftoner> make_gpu_diffusion( \
      const R&, const ScheduleInfo&, gpu::Context&, std::unique_ptr<Halftoner>);
MZ_FOR_EACH_RULE(MZ_INSTANTIATE)
#undef MZ_INSTANTIATE

}  // namespace mezzo::diffusion
