// Digests of what was written to a file, to check the file when it is read back: a disk may report success
// for writes that it lost or damaged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include "stages/files/byte_store.h"

namespace mezzo::files {

class WrittenSums {
 public:
  /// Call it before `bytes` are written at `offset` of `file`. Reads back and checks earlier writes that they
  /// overlap. Returns 0, or the errno of a read that failed; EIO when the file differs from what was
  /// written. Throws std::bad_alloc.
  int note(uint64_t offset, std::span<const std::byte> bytes, const ByteStore& file);

  /// Whether the file contains everything that was written. `error_number` receives 0 or the errno of a read that
  /// failed. Throws std::bad_alloc.
  bool is_in(const ByteStore& file, int& error_number) const;

 private:
  struct Piece {
    size_t bytes = 0;
    uint64_t sum = 0;  ///< XXH3
  };

  std::map<uint64_t, Piece> pieces_;  ///< by offset; none overlaps another
};

}  // namespace mezzo::files
