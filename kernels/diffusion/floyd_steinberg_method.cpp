#include "kernels/diffusion/floyd_steinberg_method.h"

#include "kernels/diffusion/sequential.h"
#include "kernels/diffusion/wavefront.h"

namespace mezzo {

std::unique_ptr<Halftoner> make_floyd_steinberg(const HalftoneSettings&,
                                                const ScheduleInfo& schedule) {
  if (schedule.name == "wavefront") return std::make_unique<WavefrontDiffusion>();
  if (schedule.name == "ed") return std::make_unique<SequentialDiffusion>();
  return std::make_unique<SequentialCollection>();
}

}  // namespace mezzo
