// A row of plain `bench`.
#pragma once

#include <functional>
#include <string>

#include "tools/lab/bench/pages.h"

namespace mezzo::bench {

/// One run after the other, of a page of `size`.
struct Benchmark {
  using Run = std::function<void()>;

  std::string group;  ///< rows of a group are compared with its first
  std::string name;
  PlaneSize size;
  std::function<Run()> make;  ///< called when it is this benchmark's turn
};

}  // namespace mezzo::bench
