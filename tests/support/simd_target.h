// Tests that run on each SIMD target of the build that this processor has.
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdint>
#include <string>

namespace mezzo::test {

/// While it lives, loops in SIMD use `target`, and the best there is afterwards.
class UseTarget {
 public:
  explicit UseTarget(int64_t target) { use(target); }
  ~UseTarget() { use(0); }
  UseTarget(const UseTarget&) = delete;
  UseTarget& operator=(const UseTarget&) = delete;

 private:
  static void use(int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

/// Loops in SIMD use the target that is the test's parameter. Derive from it, and instantiate the
/// suite with MZ_ON_EVERY_TARGET(prefix, suite).
class OnTarget : public ::testing::TestWithParam<int64_t> {
 private:
  UseTarget use_{GetParam()};
};

#define MZ_ON_EVERY_TARGET(prefix, suite)                       \
  INSTANTIATE_TEST_SUITE_P(                                     \
      prefix,                                                   \
      suite,                                                    \
      ::testing::ValuesIn(hwy::SupportedAndGeneratedTargets()), \
      [](const auto& test) { return std::string(hwy::TargetName(test.param)); })

}  // namespace mezzo::test
