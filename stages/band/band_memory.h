// Memory for the rows of a band.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

#include "kernels/gpu/context.h"

namespace mezzo {

/// The processor that reads a buffer, beside the CPU.
enum class BufferUse { kCpuOnly, kDevice };

/// Bytes, page-locked for a GPU's copies where needed, of no particular value at first: touching
/// new memory in small pages takes longer than reading a file into it.
class BandMemory {
 public:
  BandMemory() = default;

  /// Throws std::bad_alloc.
  BandMemory(size_t bytes, BufferUse use);

  std::byte* data() { return pinned_.data() != nullptr ? pinned_.data() : pageable_.get(); }
  size_t size() const {
    if (pinned_.data() != nullptr) return pinned_.size();
    return pageable_ ? pageable_bytes_ : 0;
  }

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };

  std::unique_ptr<std::byte, Free> pageable_;
  size_t pageable_bytes_ = 0;
  gpu::PinnedMemory pinned_;
};

}  // namespace mezzo
