// The GPU's part of error diffusions whose inks are halftoned together (together/account.h). No CUDA
// header.
#pragma once

#include <memory>

#include "kernels/diffusion/rules/rule.h"
#include "kernels/diffusion/together/account.h"
#include "kernels/method_info.h"
#include "kernels/together/inks_halftoner.h"

namespace mezzo::diffusion {

/// A halftoner that runs one of kGpuSchedules for all inks on one of the machine's GPUs; `handover`
/// and `hybrid` run the blocks of the GPU, bwec, alone. Where a GPU has no memory left for the planes,
/// even in small pieces, `on_cpu` runs them. Throws Error kDevice where this build or machine has no
/// GPU. Defined for the rules listed below.
///
/// Six inks at most run as one `wavefront`; with more, or with light tones side by side, it is bwec.
template <Rule R>
std::unique_ptr<mezzo::together::InksHalftoner> make_gpu_together(
    const R& rule,
    together::LightTones light,
    const ScheduleInfo& schedule,
    gpu::Context& context,
    std::unique_ptr<mezzo::together::InksHalftoner> on_cpu);

}  // namespace mezzo::diffusion

/// INSTANTIATE(Rule) for each rule whose inks can be halftoned together, inside namespace
/// mezzo::diffusion.
#define MZ_FOR_EACH_RULE_TOGETHER(INSTANTIATE) \
  INSTANTIATE(FloydSteinbergRule)              \
  INSTANTIATE(TableRule)                       \
  INSTANTIATE(ToneRule)                        \
  INSTANTIATE(FeedbackRule)
