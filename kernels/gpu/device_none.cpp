#include <new>

#include "kernels/gpu/device.h"

namespace mezzo::gpu {

uint32_t device_count() {
  return 0;
}
bool device_is_lost() {
  return false;
}
void set_device_memory_limit(uint64_t) {}
void inject_device_fault(uint64_t, DeviceFault) {}
uint64_t device_calls() {
  return 0;
}

PinnedMemory::PinnedMemory(size_t bytes)
    : data_(bytes > 0 ? static_cast<std::byte*>(::operator new(bytes)) : nullptr), bytes_(bytes) {}

PinnedMemory::~PinnedMemory() {
  ::operator delete(data_);
}

}  // namespace mezzo::gpu
