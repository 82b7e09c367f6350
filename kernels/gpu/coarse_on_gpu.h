// Dots of several pixels (coarse_halftoner.h) on a GPU. No CUDA header.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/halftoner.h"

namespace mezzo::gpu {

/// The GPU's way to dots of side x side pixels, 2 to 4, of a method; null where it has none itself.
std::shared_ptr<const MethodOnGpu> coarse_on_gpu(const Halftoner& method, uint32_t side);

}  // namespace mezzo::gpu
