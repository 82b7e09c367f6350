// How much this process has read, by the kernel's count: the same on a slow machine as on a fast one.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <string>

namespace mezzo::test {

struct ReadWork {
  uint64_t bytes = 0;
  uint64_t calls = 0;  ///< of read(2) and its like
};

/// What was read since this was made; a few hundred bytes of it are its own.
class ReadCount {
 public:
  ReadWork done() const {
    const ReadWork now = read_so_far();
    return {now.bytes - before_.bytes, now.calls - before_.calls};
  }

 private:
  static ReadWork read_so_far() {
    ReadWork work;
    std::ifstream file("/proc/self/io");
    uint64_t value = 0;
    for (std::string name; file >> name >> value;) {
      if (name == "rchar:") work.bytes = value;
      if (name == "syscr:") work.calls = value;
    }
    EXPECT_GT(work.calls, 0U) << "the kernel does not count what a process reads";
    return work;
  }

  ReadWork before_ = read_so_far();
};

}  // namespace mezzo::test
