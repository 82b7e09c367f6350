#include "kernels/gpu/device.cuh"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/band/ink_texture.h"
#include "kernels/base/error.h"
#include "kernels/gpu/context.h"

namespace mezzo::gpu {
namespace {

// The state of CUDA in a process: a sticky error of a GPU holds for every context, and a GPU is woken once.
constexpr size_t kMostDevices = 64;
std::array<std::atomic<bool>, kMostDevices> lost{};  ///< GPUs, by number
std::atomic<bool> awake{false};
std::atomic<bool> counted{false};  ///< its GPUs, which are then fixed

constexpr const char* kVisibleDevices = "CUDA_VISIBLE_DEVICES";

/// Whom this thread's calls are told to: the context's that use() chose last, as CUDA's current
/// device is the thread's too.
thread_local std::shared_ptr<CallWatch> watch;

/// The GPU that use() chose last on this thread.
thread_local int current = 0;

bool is_lost(int device) {
  return lost.at(static_cast<size_t>(device));
}

/// Errors after which CUDA refuses the process every further call for that GPU.
bool is_sticky(cudaError_t error) {
  switch (error) {
    case cudaErrorECCUncorrectable:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorContextIsDestroyed:
    case cudaErrorDevicesUnavailable:
      return true;
    default:
      return false;
  }
}

/// The result of a call for a GPU, after the watch has had its say.
cudaError_t watched(int device, cudaError_t result) {
  awake = true;
  const auto fault = watch == nullptr ? std::nullopt : watch->next_call();
  if (is_lost(device)) return cudaErrorLaunchFailure;
  if (!fault) return result;
  switch (*fault) {
    case CallWatch::Fault::kOutOfMemory:
      return cudaErrorMemoryAllocation;
    case CallWatch::Fault::kFailed:
      return cudaErrorUnknown;
    case CallWatch::Fault::kLost:
      return cudaErrorLaunchFailure;
  }
  return result;
}

/// Memory of one kind that was freed and is kept for the next request of the same size.
class Cache {
 public:
  /// Null when there is none of that size.
  void* take(size_t bytes) {
    const auto found = blocks_.find(bytes);
    if (found == blocks_.end()) return nullptr;
    void* block = found->second.back();
    found->second.pop_back();
    if (found->second.empty()) blocks_.erase(found);
    bytes_ -= bytes;
    return block;
  }

  void keep(void* block, size_t bytes) {
    blocks_[bytes].push_back(block);
    bytes_ += bytes;
  }

  template <typename Free>
  void empty(const Free& free) {
    for (const auto& [bytes, blocks] : blocks_) {
      for (void* block : blocks) free(block);
    }
    blocks_.clear();
    bytes_ = 0;
  }

  size_t bytes() const { return bytes_; }

 private:
  std::map<size_t, std::vector<void*>> blocks_;
  size_t bytes_ = 0;
};

constexpr size_t kMostCachedHostBytes = size_t{1} << 30;

constexpr size_t kHugePage = size_t{2} << 20;

size_t whole_pages(size_t bytes) {
  return (bytes + kHugePage - 1) / kHugePage * kHugePage;
}

/// Page-locked memory. Huge pages that are there already are locked ten times as fast as CUDA
/// makes locked memory itself. Where nothing can be locked the memory is merely slower to copy.
std::byte* lock_pages(size_t bytes) {
  void* block = std::aligned_alloc(kHugePage, whole_pages(bytes));
  if (block == nullptr) throw std::bad_alloc();
  (void)madvise(block, whole_pages(bytes), MADV_HUGEPAGE);
  auto* memory = static_cast<std::byte*>(block);
  for (size_t i = 0; i < bytes; i += 4096) memory[i] = std::byte{0};
  if (device_count() > lost_devices()) {
    (void)cudaHostRegister(block, whole_pages(bytes), cudaHostRegisterPortable);
    (void)cudaGetLastError();
  }
  return memory;
}

void unlock_pages(void* block) {
  (void)cudaHostUnregister(block);
  (void)cudaGetLastError();
  std::free(block);
}

void free_on_gpu(void* block) {
  (void)cudaFree(block);
}

struct HostMemory {
  std::mutex mutex;
  Cache cache;
};

/// The memory of one GPU.
struct GpuMemory {
  std::mutex mutex;
  Cache cache;
  uint64_t in_use = 0;
  uint64_t default_limit = 0;
};

/// Planes at work, by GPU. The first GPU is woken by its first plane. When all GPUs in use have many planes,
/// a thread wakes the next one, which gets planes as soon as it is awake. Lost GPUs get no more planes.
class Loads {
 public:
  Loads() : planes_(std::max(device_count(), 1U)) {}

  /// The GPU in use with the fewest planes; counts one more for the caller.
  int take() {
    const std::lock_guard lock(mutex_);
    int device = least();
    while (is_lost(device) && in_use_ < static_cast<int>(planes_.size())) {
      ++in_use_;  // its plane wakes it
      device = least();
    }
    if (planes_[static_cast<size_t>(device)] >= kPlanesBeforeNextGpu) wake_next();
    ++planes_[static_cast<size_t>(device)];
    return device;
  }
  void give_back(int device) {
    const std::lock_guard lock(mutex_);
    --planes_[static_cast<size_t>(device)];
  }

 private:
  /// The GPU in use with the fewest planes that is not lost; the first, where all are.
  int least() const {
    int best = 0;
    for (int device = 1; device < in_use_; ++device) {
      if (is_lost(device)) continue;
      if (is_lost(best) ||
          planes_[static_cast<size_t>(device)] < planes_[static_cast<size_t>(best)]) {
        best = device;
      }
    }
    return best;
  }

  void wake_next() {
    const auto next = static_cast<size_t>(in_use_);
    if (next == planes_.size() || wakers_.size() >= next) return;
    wakers_.emplace_back([this, device = static_cast<int>(next)] {
      // Not watched: a fault that a test injects is meant for the work of a plane.
      if (cudaSetDevice(device) != cudaSuccess || cudaFree(nullptr) != cudaSuccess) {
        (void)cudaGetLastError();
        return;  // the others do its work
      }
      const std::lock_guard lock(mutex_);
      in_use_ = std::max(in_use_, device + 1);
    });
  }

  std::mutex mutex_;
  std::vector<uint32_t> planes_;
  int in_use_ = 1;                    ///< GPUs, from the first on
  std::vector<std::jthread> wakers_;  ///< of all GPUs but the first; last, as they use the above
};

}  // namespace

struct Context::State {
  explicit State(ContextOptions asked) : options(std::move(asked)) {}

  GpuMemory& memory_of(int device) { return gpus[static_cast<size_t>(device)]; }

  const ContextOptions options;
  HostMemory host;
  std::vector<GpuMemory> gpus{std::max(device_count(), 1U)};
  Loads loads;
  std::mutex tables_mutex;
  std::map<std::pair<int, const void*>, Memory> tables;  ///< by GPU and where they are on the host
};

Context::Context(ContextOptions options) : options_(std::move(options)) {}

Context::State& Context::state() const {
  std::call_once(made_, [this] { state_ = std::make_unique<State>(options_); });
  return *state_;
}

Context::~Context() {
  if (state_ == nullptr) return;
  state_->tables.clear();  // goes into the caches
  for (GpuMemory& gpu : state_->gpus) gpu.cache.empty(free_on_gpu);
  state_->host.cache.empty(unlock_pages);
}

Context& Context::of_process() {
  static auto* context = new Context;
  return *context;
}

uint32_t expected_devices() {
  if (const char* visible = std::getenv(kVisibleDevices)) {
    return *visible == 0
               ? 0
               : static_cast<uint32_t>(1 + std::ranges::count(std::string_view(visible), ','));
  }
  uint32_t found = 0;
  while (::access(("/dev/nvidia" + std::to_string(found)).c_str(), F_OK) == 0) ++found;
  return found;
}

void limit_devices(uint32_t most) {
  if (counted || most >= expected_devices()) return;
  std::string list = "0";
  for (uint32_t i = 1; i < most; ++i) list += "," + std::to_string(i);
  if (const char* visible = std::getenv(kVisibleDevices)) list = first_devices(visible, most);
  ::setenv(kVisibleDevices, list.c_str(), 1);
}

uint32_t device_count() {
  static const uint32_t kCount = [] {
    counted = true;
    int found = 0;
    if (cudaGetDeviceCount(&found) != cudaSuccess) return 0U;
    return static_cast<uint32_t>(std::min(found, static_cast<int>(kMostDevices)));
  }();
  return kCount;
}

uint32_t lost_devices() {
  return static_cast<uint32_t>(
      std::ranges::count_if(lost, [](const auto& one) { return one.load(); }));
}

bool is_awake() {
  return awake;
}

PinnedMemory::PinnedMemory(size_t bytes, Context& context) : context_(&context), bytes_(bytes) {
  if (bytes == 0) return;
  HostMemory& host = context.state().host;
  {
    const std::lock_guard lock(host.mutex);
    data_ = static_cast<std::byte*>(host.cache.take(bytes));
  }
  if (data_ == nullptr) data_ = lock_pages(bytes);
}

PinnedMemory::~PinnedMemory() {
  if (data_ == nullptr) return;
  HostMemory& host = context_->state().host;
  const std::lock_guard lock(host.mutex);
  host.cache.keep(data_, bytes_);
  if (host.cache.bytes() > kMostCachedHostBytes) host.cache.empty(unlock_pages);
}

void check(cudaError_t result, const char* doing) {
  check_of(current, result, doing);
}

void check_of(int device, cudaError_t result, const char* doing) {
  result = watched(device, result);
  if (result == cudaSuccess) return;
  (void)cudaGetLastError();
  const std::string text =
      std::string("the GPU failed while ") + doing + ": " + cudaGetErrorString(result);
  if (result == cudaErrorMemoryAllocation) throw Error(ErrorKind::kOutOfMemory, text);
  if (is_sticky(result)) {
    lost.at(static_cast<size_t>(device)) = true;
    throw Error(ErrorKind::kDeviceLost, text + "; only a new process can use it again");
  }
  throw Error(ErrorKind::kDevice, text);
}

void check_launch(const char* kernel) {
  check(cudaGetLastError(), (std::string("starting the kernel ") + kernel).c_str());
}

void use(Device device) {
  if (watch != device.context->state().options.watch) {
    watch = device.context->state().options.watch;
  }
  current = device.index;
  check(cudaSetDevice(device.index), "choosing it");
}

namespace {

/// From CUDA, where the cache has none of that size; the cache is given up first where that makes
/// room. `limit` is the context's.
void* reserve(GpuMemory& gpu, size_t bytes, uint64_t limit) {
  if (void* block = gpu.cache.take(bytes)) return block;
  if (gpu.in_use + gpu.cache.bytes() + bytes > limit) gpu.cache.empty(free_on_gpu);
  void* block = nullptr;
  cudaError_t result = cudaMalloc(&block, bytes);
  if (result == cudaErrorMemoryAllocation && gpu.cache.bytes() > 0) {
    (void)cudaGetLastError();
    gpu.cache.empty(free_on_gpu);
    result = cudaMalloc(&block, bytes);
  }
  try {
    check(result, "reserving memory");
  } catch (...) {
    if (result == cudaSuccess) free_on_gpu(block);
    throw;
  }
  return block;
}

}  // namespace

Memory::Memory(Device device, size_t bytes) : bytes_(bytes), device_(device) {
  if (bytes == 0) return;
  use(device);
  Context::State& state = device.context->state();
  GpuMemory& gpu = state.memory_of(device.index);
  const std::lock_guard lock(gpu.mutex);
  if (gpu.default_limit == 0) {
    size_t free_bytes = 0, total = 0;
    check(cudaMemGetInfo(&free_bytes, &total), "asking for its free memory");
    gpu.default_limit = free_bytes / 10 * 9;
  }
  const uint64_t limit =
      state.options.memory_bytes != 0 ? state.options.memory_bytes : gpu.default_limit;
  if (gpu.in_use + bytes > limit) {
    throw Error(ErrorKind::kOutOfMemory,
                "the GPU's memory limit of " + std::to_string(limit >> 20) + " MiB is reached");
  }
  data_ = static_cast<std::byte*>(reserve(gpu, bytes, limit));
  gpu.in_use += bytes;
}

Memory::Memory(Memory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      device_(other.device_) {}

Memory& Memory::operator=(Memory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(device_, other.device_);
  return *this;
}

Memory::~Memory() {
  if (data_ == nullptr) return;
  GpuMemory& gpu = device_.context->state().memory_of(device_.index);
  const std::lock_guard lock(gpu.mutex);
  gpu.cache.keep(data_, bytes_);
  gpu.in_use -= bytes_;
}

void copy_to_gpu(void* to, const void* from, size_t bytes, const char* doing) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, cudaStreamPerThread), doing);
  check(cudaStreamSynchronize(cudaStreamPerThread), doing);
}

const void* table_on_gpu(Device device, const void* table, size_t bytes) {
  Context::State& state = device.context->state();
  const std::lock_guard lock(state.tables_mutex);
  Memory& copy = state.tables[{device.index, table}];
  if (copy.size() == 0) {
    Memory fresh(device, bytes);
    copy_to_gpu(fresh.data(), table, bytes, "copying a table");
    copy = std::move(fresh);
  }
  return copy.data();
}

const int16_t* texture_tile(Device device) {
  return static_cast<const int16_t*>(
      table_on_gpu(device, kTextureTile.data(), sizeof kTextureTile));
}

DeviceLease::DeviceLease(Context& context) : device_{&context, context.state().loads.take()} {}

DeviceLease::~DeviceLease() {
  device_.context->state().loads.give_back(device_.index);
}

Stream::Stream(Device device) : device_(device) {
  use(device);
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream");
}

Stream::~Stream() {
  if (stream_ == nullptr) return;
  (void)cudaSetDevice(device_.index);
  (void)cudaStreamSynchronize(stream_);
  (void)cudaStreamDestroy(stream_);
}

void Stream::wait() const {
  check(cudaStreamSynchronize(stream_), "working");
}

Event::Event(bool timed) {
  check(cudaEventCreateWithFlags(&event_, timed ? cudaEventDefault : cudaEventDisableTiming),
        "making an event");
}

Event::~Event() {
  if (event_ != nullptr) (void)cudaEventDestroy(event_);
}

void Event::record(cudaStream_t stream) {
  check(cudaEventRecord(event_, stream), "marking a point in a stream");
}

void Event::hold_back(cudaStream_t stream) const {
  check(cudaStreamWaitEvent(stream, event_), "ordering streams");
}

void Event::wait() const {
  check(cudaEventSynchronize(event_), "working");
}

double Event::since(const Event& begin) const {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin.event_, event_), "reading its clock");
  return milliseconds;
}

}  // namespace mezzo::gpu
