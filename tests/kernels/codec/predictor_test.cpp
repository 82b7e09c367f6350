#include "kernels/codec/predictor.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/support/simd_target.h"

namespace mezzo::test::predictor_test {
namespace {

/// In memory of just the size that is allowed, which the address sanitizer watches.
template <typename T>
void check(size_t count, size_t step, std::mt19937& random) {
  std::vector<T> row(count);
  for (T& difference : row) difference = static_cast<T>(random());
  std::vector<T> expected = row;
  for (size_t i = step; i < count; ++i) {
    expected[i] = static_cast<T>(expected[i] + expected[i - step]);
  }
  codec::add_up(row, step);
  EXPECT_EQ(row, expected) << count << " samples of " << sizeof(T) << " bytes, step " << step;
}

class Predictor : public OnTarget {};
MZ_ON_EVERY_TARGET(Targets, Predictor);

TEST_P(Predictor, AddsUpDifferences) {
  std::mt19937 random(1);
  for (size_t step = 1; step <= 20; ++step) {
    for (const size_t count :
         {0U, 1U, 2U, 3U, 7U, 8U, 9U, 15U, 16U, 17U, 31U, 33U, 48U, 100U, 1001U}) {
      check<uint8_t>(count, step, random);
      check<uint16_t>(count, step, random);
    }
  }
}

}  // namespace
}  // namespace mezzo::test::predictor_test
