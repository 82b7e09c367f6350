// The parts of context.h and gpu.h that are the same with and without CUDA.
#include "kernels/gpu/context.h"

#include <utility>

#include "kernels/base/error.h"
#include "kernels/gpu/gpu.h"

namespace mezzo::gpu {

void require_gpu(std::string_view schedule) {
  if (device_count() > 0) return;
  throw Error(ErrorKind::kDevice,
              "schedule '" + std::string(schedule) + "' runs on a GPU, and there is none: " +
                  list_gpus().why_none + "; without engine and schedule the CPU does the work");
}

std::string first_devices(std::string_view list, uint32_t most) {
  size_t end = 0;
  for (uint32_t i = 0; i < most && end != std::string_view::npos; ++i) {
    end = list.find(',', i == 0 ? 0 : end + 1);
  }
  return std::string(list.substr(0, end));
}

PinnedMemory::PinnedMemory(PinnedMemory&& other) noexcept
    : context_(other.context_),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

PinnedMemory& PinnedMemory::operator=(PinnedMemory&& other) noexcept {
  std::swap(context_, other.context_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace mezzo::gpu
