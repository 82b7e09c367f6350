// The GPUs of this machine as one job uses them; device.cu has what needs CUDA. No CUDA header, and
// no GPU needed: in a build without CUDA there are none, and page-locked memory is ordinary memory.
//
// A context holds the state that jobs must not share: the memory limit of each GPU, freed memory
// that is kept for the next plane, tables that kernels read, and the number of planes on each GPU.
// It outlives every halftoner and all memory that is made with it, and may be used from any thread.
// CUDA itself keeps one state per process: whether a GPU has failed for good.
//
// Errors of CUDA become Error: kOutOfMemory where memory is short, and a smaller attempt or the CPU
// may succeed; kDeviceLost for a sticky error (a fault inside a kernel, a lost GPU), after which
// CUDA refuses the process all further work on that GPU, in every context; kDevice for anything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace mezzo::gpu {

/// GPUs that may be used, 0 without one; see list_gpus() for their names.
uint32_t device_count();

/// The number of GPUs that CUDA will find, without starting CUDA: entries of CUDA_VISIBLE_DEVICES, or
/// device nodes of the driver. 0 in a build without CUDA.
uint32_t expected_devices();

/// Hides all GPUs but the first `most`, at least 1, from CUDA in this process. CUDA takes a tenth of a second to
/// find each GPU, and nearly as long to leave it. Has no effect after device_count(). Sets
/// CUDA_VISIBLE_DEVICES, so no other thread may read or change the environment meanwhile.
void limit_devices(uint32_t most);

/// The first `most` entries of a comma-separated list, such as CUDA_VISIBLE_DEVICES.
std::string first_devices(std::string_view list, uint32_t most);

/// When each GPU in use has so many planes, the next one is woken. That takes a tenth of a second, while the
/// others work. Four planes fill the bus to a GPU.
inline constexpr uint32_t kPlanesBeforeNextGpu = 8;

/// The number of GPUs that have failed for the rest of this process. They get no more planes.
uint32_t lost_devices();

/// True once this process has made a GPU ready for work, which takes a fifth of a second.
bool is_awake();

/// Sees every call of CUDA by work of a context, from any thread, and may make it fail, for tests.
class CallWatch {
 public:
  enum class Fault { kOutOfMemory, kFailed, kLost };
  virtual ~CallWatch() = default;
  /// Called after each call; a fault takes the place of its result.
  virtual std::optional<Fault> next_call() = 0;
};

struct ContextOptions {
  /// The most memory to use on each GPU; 0: nine tenths of the memory free at first use.
  uint64_t memory_bytes = 0;
  std::shared_ptr<CallWatch> watch = {};  ///< null: none
};

class Context {
 public:
  explicit Context(ContextOptions options = {});
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  /// Gives all memory back.
  ~Context();

  /// The context of work outside jobs: plans, measurements. Lives as long as the process, as CUDA
  /// may be gone before static objects are.
  static Context& of_process();

  struct State;  ///< of the .cu files
  /// Made by the first work for a GPU, as just listing GPUs takes a quarter of a second.
  State& state() const;

 private:
  const ContextOptions options_;
  mutable std::once_flag made_;
  mutable std::unique_ptr<State> state_;
};

/// Page-locked host memory, which a GPU copies at full speed and beside other work. Comes from the
/// context's cache, as locking is slow; without a GPU, or when no more can be locked, it is
/// ordinary memory, which is slower.
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
