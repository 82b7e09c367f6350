// Levels in one band, on GPUs.
#pragma once

#include <memory>
#include <span>

#include "kernels/halftoner.h"

namespace mezzo::gpu {

/// How a GPU lays the bits of PackedLevels side by side; null where it does not make all of them.
std::shared_ptr<const MethodOnGpu> packed_levels_on_gpu(
    std::span<const std::unique_ptr<Halftoner>> bits);

}  // namespace mezzo::gpu
