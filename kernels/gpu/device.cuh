// CUDA behind RAII and exceptions, for .cu files alone.
//
// Every call of the runtime goes through check(), which turns its error into an Error (see
// device.h) and counts calls for injected faults.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "kernels/base/error.h"
#include "kernels/gpu/device.h"

namespace mezzo::gpu {

/// Throws Error unless `result` is success; `doing` completes "the GPU failed while ...".
void check(cudaError_t result, const char* doing);

/// check() for a kernel launch: looks at the launch's own error, not at what runs.
void check_launch(const char* kernel);

/// Makes `device` the one that this thread's calls go to.
void use(int device);

/// Bytes in the memory of one GPU, from a cache that keeps to the limit. Freed memory may be handed
/// out again at once: whoever frees has seen the work that uses it end.
class Memory {
 public:
  Memory() = default;
  Memory(int device, size_t bytes);
  Memory(Memory&& other) noexcept;
  Memory& operator=(Memory&& other) noexcept;
  ~Memory();

  std::byte* data() const { return data_; }
  size_t size() const { return bytes_; }

 private:
  std::byte* data_ = nullptr;
  size_t bytes_ = 0;
  int device_ = 0;
};

/// Room for `count` values of a trivial type; not cleared.
template <typename T>
class Array {
 public:
  Array() = default;
  Array(int device, size_t count) : memory_(device, count * sizeof(T)), count_(count) {}
  T* data() const { return reinterpret_cast<T*>(memory_.data()); }
  size_t size() const { return count_; }

 private:
  Memory memory_;
  size_t count_ = 0;
};

/// A plane's place on the GPU with the fewest planes.
class Seat {
 public:
  Seat();
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;
  ~Seat();

  int device() const { return device_; }

 private:
  int device_;
};

/// A stream of its own that waits for no other; waits for its work before it goes.
class Stream {
 public:
  explicit Stream(int device);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  cudaStream_t get() const { return stream_; }
  /// Returns when all work is done; throws what it failed with.
  void wait() const;

 private:
  int device_;
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
