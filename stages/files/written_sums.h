// What was written to a file, as digests of its pieces, to compare the file with when it is read back: a
// disk may report writes as done that it has lost or damaged.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "stages/files/byte_store.h"

namespace mezzo::files {

class WrittenSums {
 public:
  /// `bytes` are to be written at `offset` of `file`. Those of earlier writes there are read first, and
  /// compared. Returns 0, or the errno of a read that failed; EIO where the file has other bytes than were
  /// written. Throws std::bad_alloc.
  int note(uint64_t offset, std::span<const std::byte> bytes, const ByteStore& file);

  /// Whether the file has all that was written. `error_number` receives 0 or the errno of a read that
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
