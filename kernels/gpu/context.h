// The GPUs of this machine as one job uses them; device.cu has what needs CUDA. No CUDA header, and
// no GPU needed: in a build without CUDA there are none, and page-locked memory is ordinary memory.
//
// A context holds all that jobs must not share: how much memory each GPU is asked for, memory that
// was freed and is kept for the next plane, tables that kernels read, and how many planes each GPU
// has. It outlives every halftoner and all memory that is made with it, and may be used from any
// thread. CUDA itself knows one thing only by process: whether a GPU has failed for good.
//
// Errors of CUDA become Error: kOutOfMemory where memory is short, which a smaller attempt or the
// CPU may get round; kDeviceLost for a sticky error (a fault inside a kernel, a lost GPU), after
// which CUDA refuses all further work of the process, in every context; kDevice for anything
// else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

namespace mezzo::gpu {

/// GPUs that may be used, 0 without one; see list_gpus() for what they are.
uint32_t device_count();

/// Planes that the GPUs in use have each before another one is woken: waking one takes a fifth of a
/// second, and four planes fill the way to it.
inline constexpr uint32_t kPlanesBeforeNextGpu = 8;

/// True once CUDA has failed in a way that only a new process gets over.
bool device_is_lost();

/// True once this process has made a GPU ready for work, which takes a fifth of a second.
bool is_awake();

/// Sees every call of CUDA that work of a context makes, from any thread, and may have it fail: for
/// tests of what happens then.
class CallWatch {
 public:
  enum class Fault { kOutOfMemory, kFailed, kLost };
  virtual ~CallWatch() = default;
  /// Called after each call; a fault takes the place of its result.
  virtual std::optional<Fault> next_call() = 0;
};

struct ContextOptions {
  /// The most memory that each GPU is asked for in all; 0: nine tenths of what is free at first.
  uint64_t memory_bytes = 0;
  std::shared_ptr<CallWatch> watch = {};  ///< null: nobody
};

class Context {
 public:
  explicit Context(ContextOptions options = {});
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  /// Gives all memory back.
  ~Context();

  /// The one of work that is part of no job: plans, measurements. Lives as long as the process, as
  /// CUDA may be gone before static objects are.
  static Context& of_process();

  struct State;  ///< of the .cu files
  /// Made by the first work for a GPU: to ask for GPUs alone takes a quarter of a second.
  State& state() const;

 private:
  const ContextOptions options_;
  mutable std::once_flag made_;
  mutable std::unique_ptr<State> state_;
};

/// Page-locked host memory, which a GPU copies from and to at full speed and beside other work.
/// Comes from the context's cache, as locking is slow; ordinary memory where there is no GPU or no
/// more can be locked, which is slower and no error.
class PinnedMemory {
 public:
  PinnedMemory() = default;
  explicit PinnedMemory(size_t bytes, Context& context = Context::of_process());
  PinnedMemory(PinnedMemory&& other) noexcept;
  PinnedMemory& operator=(PinnedMemory&& other) noexcept;
  ~PinnedMemory();

  std::byte* data() const { return data_; }
  size_t size() const { return bytes_; }

 private:
  Context* context_ = nullptr;
  std::byte* data_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace mezzo::gpu
