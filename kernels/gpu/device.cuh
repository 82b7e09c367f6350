// CUDA behind RAII and exceptions, for .cu files alone.
//
// Every call of the runtime goes through check().
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/gpu/check.cuh"

namespace mezzo::gpu {

class Context;

/// A GPU, as work of a context uses it.
struct Device {
  Context* context = nullptr;
  int index = 0;
};

/// Makes `device` the one that this thread's calls go to, and its context the one that watches
/// them.
void use(Device device);

/// Bytes in the memory of one GPU, from its context's cache, which keeps to the limit. Freed memory
/// may be handed out again at once: the work that uses it must have ended.
class Memory {
 public:
  Memory() = default;
  Memory(Device device, size_t bytes);
  Memory(Memory&& other) noexcept;
  Memory& operator=(Memory&& other) noexcept;
  ~Memory();

  std::byte* data() const { return data_; }
  size_t size() const { return bytes_; }

 private:
  std::byte* data_ = nullptr;
  size_t bytes_ = 0;
  Device device_;
};

/// Room for `count` values of a trivial type; not cleared.
template <typename T>
class Array {
 public:
  Array() = default;
  Array(Device device, size_t count) : memory_(device, count * sizeof(T)), count_(count) {}
  T* data() const { return reinterpret_cast<T*>(memory_.data()); }
  size_t size() const { return count_; }

 private:
  Memory memory_;
  size_t count_ = 0;
};

/// Copies from pageable memory of the host, and returns when the bytes are on the GPU. cudaMemcpy
/// does not promise that: it may return while they are still on the way, and a Stream waits for no
/// other. `doing` goes into the message of an error.
void copy_to_gpu(void* to, const void* from, size_t bytes, const char* doing);

/// A copy of `values` on the GPU that is there when the call returns.
template <typename T>
Array<T> on_gpu(Device device, std::span<const T> values, const char* doing) {
  use(device);
  Array<T> copy(device, values.size());
  copy_to_gpu(copy.data(), values.data(), values.size_bytes(), doing);
  return copy;
}

/// `bytes` of the host at `table`, which never change, in the memory of a GPU; copied once, and
/// kept as long as the context.
const void* table_on_gpu(Device device, const void* table, size_t bytes);

/// kTextureTile (ink_texture.h) in the memory of a GPU.
const int16_t* texture_tile(Device device);

/// A plane's use of the GPU on which its context has the fewest planes.
class DeviceLease {
 public:
  explicit DeviceLease(Context& context);
  DeviceLease(const DeviceLease&) = delete;
  DeviceLease& operator=(const DeviceLease&) = delete;
  ~DeviceLease();

  Device device() const { return device_; }

 private:
  Device device_;
};

/// A stream of its own that waits for no other; waits for its work before it goes.
class Stream {
 public:
  explicit Stream(Device device);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  cudaStream_t get() const { return stream_; }
  Device device() const { return device_; }
  /// Returns when all work is done; throws its error.
  void wait() const;

 private:
  Device device_;
  cudaStream_t stream_ = nullptr;
};

/// A point in a stream: with `timed` it can be measured from, without it is cheaper.
class Event {
 public:
  explicit Event(bool timed = false);
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event();

  void record(cudaStream_t stream);
  void hold_back(cudaStream_t stream) const;  ///< the stream's later work waits for this point
  void wait() const;
  /// Milliseconds from `begin` to this; both timed and reached.
  double since(const Event& begin) const;

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace mezzo::gpu
