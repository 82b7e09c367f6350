#include "stages/band/band_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace mezzo {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;
constexpr size_t kVector = 64;  // bytes, of the largest

/// Of so many bytes, those on huge pages. The last of them is one when most of it is needed anyway,
/// as bands have about the size of one.
size_t bytes_on_huge_pages(size_t bytes) {
  constexpr size_t kMostUnused = kHugePage / 8;
  return (bytes + kMostUnused) / kHugePage * kHugePage;
}

}  // namespace

BandMemory::BandMemory(size_t bytes, BufferUse use) {
  if (use == BufferUse::kDevice) {
    pinned_ = gpu::PinnedMemory(bytes);
    return;
  }
  const size_t huge = bytes_on_huge_pages(bytes);
  void* memory = nullptr;
  if (::posix_memalign(&memory, huge > 0 ? kHugePage : kVector, std::max(bytes, huge)) != 0) {
    throw std::bad_alloc();
  }
  pageable_.reset(static_cast<std::byte*>(memory));
  pageable_bytes_ = bytes;
  // A wish: small pages serve as well, once they have been touched.
  if (huge > 0) ::madvise(memory, huge, MADV_HUGEPAGE);
}

}  // namespace mezzo
