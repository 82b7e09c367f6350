// Tests that run on each SIMD target of the build that this processor has.
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdint>
#include <string>

namespace mezzo::test {

/// Loops in SIMD use the target that is the test's parameter. Derive from it, and instantiate the
/// suite with MZ_ON_EVERY_TARGET(prefix, suite).
class OnTarget : public ::testing::TestWithParam<int64_t> {
 protected:
  void SetUp() override { use(GetParam()); }
  void TearDown() override { use(0); }

 private:
  /// 0: the best there is.
  static void use(int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

#define MZ_ON_EVERY_TARGET(prefix, suite)                       \
  INSTANTIATE_TEST_SUITE_P(                                     \
      prefix,                                                   \
      suite,                                                    \
      ::testing::ValuesIn(hwy::SupportedAndGeneratedTargets()), \
      [](const auto& test) { return std::string(hwy::TargetName(test.param)); })

}  // namespace mezzo::test
