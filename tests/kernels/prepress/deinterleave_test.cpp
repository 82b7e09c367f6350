#include "kernels/prepress/deinterleave.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/support/simd_target.h"

namespace mezzo::test::deinterleave_test {
namespace {

struct Case {
  size_t samples = 1;
  size_t planes = 1;
  size_t pixels = 1;
  size_t first_inverted = 100;

  std::string text() const {
    return std::to_string(pixels) + " pixels of " + std::to_string(samples) + " samples, " +
           std::to_string(planes) + " planes, inverted from " + std::to_string(first_inverted);
  }
};

/// Memory of just the size that is allowed, which the address sanitizer watches, and a guard behind
/// each plane.
template <typename T>
void check(const Case& c, T max_sample, std::mt19937& random) {
  constexpr T kGuard = 0x5A;
  std::vector<T> from(c.samples * c.pixels);
  for (T& sample : from) sample = static_cast<T>(random() % (uint32_t{max_sample} + 1));
  std::vector<std::vector<T>> planes(c.planes, std::vector<T>(c.pixels + 1, kGuard));
  std::vector<std::byte*> out;
  for (std::vector<T>& plane : planes) out.push_back(reinterpret_cast<std::byte*>(plane.data()));
  prepress::deinterleave(
      {reinterpret_cast<const std::byte*>(from.data()), sizeof(T), c.samples, c.pixels},
      out,
      c.first_inverted,
      max_sample);
  for (size_t p = 0; p < c.planes; ++p) {
    std::vector<T> expected;
    for (size_t i = 0; i < c.pixels; ++i) {
      const T sample = from[i * c.samples + p];
      expected.push_back(p >= c.first_inverted ? static_cast<T>(max_sample - sample) : sample);
    }
    expected.push_back(kGuard);
    EXPECT_EQ(planes[p], expected) << c.text() << ", plane " << p << ", " << sizeof(T) << " bytes";
  }
}

class Deinterleave : public OnTarget {};
MZ_ON_EVERY_TARGET(Targets, Deinterleave);

TEST_P(Deinterleave, TakesEverySampleToItsPlane) {
  std::mt19937 random(1);
  for (const size_t samples : {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 64}) {
    for (const size_t pixels : {0U, 1U, 7U, 8U, 15U, 16U, 17U, 31U, 63U, 64U, 65U, 127U, 200U}) {
      for (const size_t planes : {size_t{1}, samples - samples / 3, samples}) {
        check<uint8_t>({samples, planes, pixels}, 255, random);
        check<uint16_t>({samples, planes, pixels}, 65'535, random);
      }
    }
  }
}

TEST_P(Deinterleave, InvertsTheLastPlanes) {
  std::mt19937 random(1);
  for (size_t samples = 1; samples <= 11; ++samples) {
    for (size_t first = 0; first <= samples; ++first) {
      check<uint8_t>({samples, samples, 131, first}, 255, random);
      check<uint16_t>({samples, samples, 131, first}, 4095, random);
      check<uint16_t>({samples, samples, 131, first}, 65'535, random);
    }
  }
}

}  // namespace
}  // namespace mezzo::test::deinterleave_test
