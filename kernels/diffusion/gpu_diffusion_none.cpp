#include "kernels/core/error.h"
#include "kernels/diffusion/floyd_steinberg.h"
#include "kernels/diffusion/gpu_diffusion.h"
#include "kernels/diffusion/table_rule.h"

namespace mezzo::diffusion {

template <Rule R>
std::unique_ptr<Halftoner> make_gpu_diffusion(const R&,
                                              const ScheduleInfo& schedule,
                                              std::unique_ptr<Halftoner>) {
  throw Error(ErrorKind::kDevice,
              "schedule '" + std::string(schedule.name) +
                  "' wants a GPU, and this build is without CUDA; use engine 'auto' or 'cpu'");
}

template std::unique_ptr<Halftoner> make_gpu_diffusion(const FloydSteinbergRule&,
                                                       const ScheduleInfo&,
                                                       std::unique_ptr<Halftoner>);
template std::unique_ptr<Halftoner> make_gpu_diffusion(const TableRule&,
                                                       const ScheduleInfo&,
                                                       std::unique_ptr<Halftoner>);

}  // namespace mezzo::diffusion
