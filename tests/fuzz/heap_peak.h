// The most memory that the process had from malloc() and new at one time, counted while it is wanted.
#pragma once

#include <cstddef>

namespace mezzo::fuzz {

/// Counts from construction; one at a time. Nothing is counted where neither a sanitizer nor glibc lets
/// it: most() is 0 then.
class HeapPeak {
 public:
  HeapPeak();
  ~HeapPeak();
  HeapPeak(const HeapPeak&) = delete;
  HeapPeak& operator=(const HeapPeak&) = delete;

  /// Bytes beyond those that were there at construction.
  static size_t most();
};

}  // namespace mezzo::fuzz
