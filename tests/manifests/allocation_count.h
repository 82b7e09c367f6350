// How much work a parser does, in place of the time that it takes, which depends on the machine.
#pragma once

#include <cstdint>

namespace mezzo::test {

struct Allocations {
  uint64_t calls = 0;
  uint64_t bytes = 0;
};

/// Counts what this process allocates by `operator new` from construction, in all threads and libraries. A parser
/// that copies what it has read so far, or keeps more than it needs, is seen by it on any machine.
class AllocationCount {
 public:
  AllocationCount();

  Allocations done() const;

 private:
  Allocations before_;
};

}  // namespace mezzo::test
