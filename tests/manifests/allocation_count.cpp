#include "tests/manifests/allocation_count.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

namespace mezzo::test {
namespace {

constinit std::atomic<uint64_t> all_calls{0}, all_bytes{0};

void* counted_memory(size_t bytes) noexcept {
  all_calls.fetch_add(1, std::memory_order_relaxed);
  all_bytes.fetch_add(bytes, std::memory_order_relaxed);
  return std::malloc(std::max<size_t>(bytes, 1));
}

}  // namespace

AllocationCount::AllocationCount() : before_{all_calls, all_bytes} {}

Allocations AllocationCount::done() const {
  return {all_calls - before_.calls, all_bytes - before_.bytes};
}

}  // namespace mezzo::test

// The program's own, as C++ lets it have. Those for arrays call these, or belong to a sanitizer in pairs.
void* operator new(size_t bytes) {
  if (void* memory = mezzo::test::counted_memory(bytes)) return memory;
  throw std::bad_alloc();
}
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  return mezzo::test::counted_memory(bytes);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
