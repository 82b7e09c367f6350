// The GPUs of this machine, as `mezzotint info` shows them. No CUDA header: a build without CUDA
// has the same interface, and no GPUs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mezzo::gpu {

struct GpuInfo {
  std::string name;
  std::string architecture;  ///< "sm_90"
  uint64_t memory_bytes = 0;
  uint32_t multiprocessors = 0;
};

struct GpuList {
  std::vector<GpuInfo> gpus;
  std::string why_none;       ///< one sentence when the list is empty
  std::string cuda_versions;  ///< "driver 13.0, runtime 13.0"; empty when the list is
};

/// Makes no CUDA context, so it costs little. Never throws; a driver that is missing or broken is a
/// reason, not an error.
GpuList list_gpus();

/// Throws Error kDevice, with the reason and what to do, where this machine or build has no GPU for
/// the schedule of that name.
void require_gpu(std::string_view schedule);

}  // namespace mezzo::gpu
