#include "tests/fuzz/heap_peak.h"

#include <malloc.h>

#include <atomic>
#include <cstdint>

// In sanitized programs the sanitizer tells of each piece; else malloc() and its kin stand here, in front
// of glibc's.
#if defined(__SANITIZE_ADDRESS__)
#define MEZZOTINT_HAS_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MEZZOTINT_HAS_ASAN
#endif
#endif

namespace {

std::atomic<bool> counts{false};
std::atomic<int64_t> held{0}, peak{0};

void add(int64_t bytes) {
  const int64_t now = held.fetch_add(bytes) + bytes;
  int64_t most = peak.load();
  while (now > most && !peak.compare_exchange_weak(most, now)) {
  }
}

}  // namespace

// NOLINTBEGIN: names and types are those of the C library and of the sanitizer.
#ifdef MEZZOTINT_HAS_ASAN

extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*taken)(const volatile void*,
                                                                       size_t),
                                                         void (*freed)(const volatile void*));
extern "C" size_t __sanitizer_get_allocated_size(const volatile void* memory);

namespace {

void taken(const volatile void*, size_t bytes) {
  if (counts) add(static_cast<int64_t>(bytes));
}

void freed(const volatile void* memory) {
  if (counts && memory != nullptr)
    add(-static_cast<int64_t>(__sanitizer_get_allocated_size(memory)));
}

[[maybe_unused]] const int installed = __sanitizer_install_malloc_and_free_hooks(taken, freed);

}  // namespace

#else

extern "C" {
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* memory, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void* memory);
}

namespace {

void* counted(void* memory) {
  if (counts && memory != nullptr) add(static_cast<int64_t>(malloc_usable_size(memory)));
  return memory;
}

void uncount(void* memory) {
  if (counts && memory != nullptr) add(-static_cast<int64_t>(malloc_usable_size(memory)));
}

}  // namespace

extern "C" {
void* malloc(size_t bytes) {
  return counted(__libc_malloc(bytes));
}
void* calloc(size_t count, size_t bytes) {
  return counted(__libc_calloc(count, bytes));
}
void* realloc(void* memory, size_t bytes) {
  uncount(memory);
  return counted(__libc_realloc(memory, bytes));
}
void* memalign(size_t alignment, size_t bytes) {
  return counted(__libc_memalign(alignment, bytes));
}
void* aligned_alloc(size_t alignment, size_t bytes) {
  return memalign(alignment, bytes);
}
int posix_memalign(void** memory, size_t alignment, size_t bytes) {
  *memory = memalign(alignment, bytes);
  return *memory == nullptr ? 12 : 0;
}
void free(void* memory) {
  uncount(memory);
  __libc_free(memory);
}
}

#endif
// NOLINTEND

namespace mezzo::fuzz {

HeapPeak::HeapPeak() {
  held = 0;
  peak = 0;
  counts = true;
}

HeapPeak::~HeapPeak() {
  counts = false;
}

size_t HeapPeak::most() {
  return static_cast<size_t>(peak.load());
}

}  // namespace mezzo::fuzz
