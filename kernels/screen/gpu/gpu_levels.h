// Levels of screens on GPUs.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/band/drop_levels.h"
#include "kernels/halftoner.h"

namespace mezzo::screen {

/// How a GPU makes the bits of ThresholdLevels, which every `step`th level of `screen` changes; null
/// where it does not make those of the screen.
std::shared_ptr<const gpu::MethodOnGpu> levels_on_gpu(const Halftoner& screen,
                                                      const DropLevels& levels,
                                                      uint32_t step);

}  // namespace mezzo::screen
