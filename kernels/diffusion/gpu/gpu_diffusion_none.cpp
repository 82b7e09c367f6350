#include "kernels/base/error.h"
#include "kernels/diffusion/gpu/gpu_diffusion.h"
#include "kernels/diffusion/rules/rules.h"
#include "kernels/halftoner.h"

namespace mezzo::diffusion {

template <Rule R>
std::unique_ptr<Halftoner> make_gpu_diffusion(const R&,
                                              const ScheduleInfo& schedule,
                                              std::unique_ptr<Halftoner>) {
  throw Error(
      ErrorKind::kDevice,
      "schedule '" + std::string(schedule.name) +
          "' runs on a GPU, and this build is without CUDA; without engine and schedule the "
          "CPU does the work");
}

#define MZ_INSTANTIATE(R)                                 \
  template std::unique_ptr<Halftoner> make_gpu_diffusion( \
      const R&, const ScheduleInfo&, std::unique_ptr<Halftoner>);
MZ_FOR_EACH_RULE(MZ_INSTANTIATE)
#undef MZ_INSTANTIATE

}  // namespace mezzo::diffusion
