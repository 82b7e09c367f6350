#include "kernels/gpu/gpu.h"

namespace mezzo::gpu {

GpuList list_gpus() {
  return {{}, "this build is without CUDA", {}};
}

}  // namespace mezzo::gpu
