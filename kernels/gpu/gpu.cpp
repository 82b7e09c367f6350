#include "kernels/gpu/gpu.h"

#include <cuda_runtime_api.h>

namespace mezzo::gpu {
namespace {

/// "13.0" of 13000.
std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

GpuList list_gpus() {
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess) {
    if (error == cudaErrorInsufficientDriver) {
      return {{}, "there is no NVIDIA driver, or it is too old for this program's CUDA", {}};
    }
    return {{}, std::string("CUDA says: ") + cudaGetErrorString(error), {}};
  }
  GpuList list;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) continue;
    list.gpus.push_back({properties.name,
                         "sm_" + std::to_string(properties.major * 10 + properties.minor),
                         properties.totalGlobalMem,
                         static_cast<uint32_t>(properties.multiProcessorCount)});
  }
  if (list.gpus.empty()) {
    list.why_none = "CUDA finds no device";
    return list;
  }
  int driver = 0, runtime = 0;
  (void)cudaDriverGetVersion(&driver);
  (void)cudaRuntimeGetVersion(&runtime);
  list.cuda_versions = "driver " + version_text(driver) + ", runtime " + version_text(runtime);
  return list;
}

}  // namespace mezzo::gpu
