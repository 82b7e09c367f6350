// Screens on GPUs.
#pragma once

#include <memory>

#include "kernels/halftoner.h"
#include "kernels/method_info.h"
#include "kernels/screen/ink_screens.h"

namespace mezzo::screen {

/// The bits of TileHalftoner; `on_cpu` takes over when a GPU has no room. Throws Error kDevice where
/// this build or machine has no GPU.
std::unique_ptr<Halftoner> make_tiles_on_gpu(const InkScreens& screens,
                                             const ScheduleInfo& schedule,
                                             gpu::Context& context,
                                             std::unique_ptr<Halftoner> on_cpu);

}  // namespace mezzo::screen
