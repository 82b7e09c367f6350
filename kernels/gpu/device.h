// GPUs as the rest of the program sees them: which there are, their memory, and page-locked host
// memory for bands that they read and write. No CUDA header, and no GPU needed: in a build without
// CUDA there are none, and page-locked memory is ordinary memory.
//
// Errors of CUDA become Error: kOutOfMemory where memory is short, which a smaller attempt or the
// CPU may get round; kDeviceLost for a sticky error (a fault inside a kernel, a lost GPU), after
// which CUDA refuses all further work of the process, and for all that is tried from then on;
// kDevice for anything else.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mezzo::gpu {

/// GPUs that may be used, 0 without one; see list_gpus() for what they are.
uint32_t device_count();

/// Planes that the GPUs in use have each before another one is woken: waking one takes a fifth of a
/// second, and four planes fill the way to it.
inline constexpr uint32_t kPlanesBeforeNextGpu = 8;

/// True once CUDA has failed in a way that only a new process gets over.
bool device_is_lost();

/// The most memory that a GPU may be asked for in all, per GPU; 0: nine tenths of what was free at
/// the first use.
void set_device_memory_limit(uint64_t bytes);

/// For tests: the k-th call of CUDA from now on (from 1) fails as if the GPU had, once; 0 turns it
/// off. A lost device stays lost for the process.
enum class DeviceFault { kOutOfMemory, kFailed, kLost };
void inject_device_fault(uint64_t call, DeviceFault fault);

/// Calls of CUDA so far, which is what inject_device_fault() counts.
uint64_t device_calls();

/// Page-locked host memory, which a GPU copies from and to at full speed and beside other work.
/// Comes from a cache, as locking is slow; ordinary memory where there is no GPU or no more can be
/// locked, which is slower and no error.
class PinnedMemory {
 public:
  PinnedMemory() = default;
  explicit PinnedMemory(size_t bytes);
  PinnedMemory(PinnedMemory&& other) noexcept;
  PinnedMemory& operator=(PinnedMemory&& other) noexcept;
  ~PinnedMemory();

  std::byte* data() const { return data_; }
  size_t size() const { return bytes_; }

 private:
  std::byte* data_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace mezzo::gpu
