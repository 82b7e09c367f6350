#include "kernels/base/simd.h"

#include <hwy/highway.h>
#include <hwy/nanobenchmark.h>

/// Highway's library measures the clock whenever a program starts that is linked with it, for 4 ms, in case
/// that program has benchmarks of Highway's. Ours has none: this definition takes the place of its own.
uint64_t hwy::platform::TimerResolution() {
  return 1;
}

namespace mezzo {

std::vector<std::string> simd_targets() {
  std::vector<std::string> names;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    names.emplace_back(hwy::TargetName(target));
  }
  return names;
}

}  // namespace mezzo
