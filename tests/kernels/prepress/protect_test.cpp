#include "kernels/prepress/protect.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "kernels/band/tone.h"
#include "tests/kernels/planes.h"
#include "tests/support/simd_target.h"

namespace mezzo::test::protect_test {
namespace {

using prepress::Protect;
using prepress::Protection;

class ProtectPixels : public OnTarget {};
MZ_ON_EVERY_TARGET(Targets, ProtectPixels);

TEST_P(ProtectPixels, is_the_definition) {
  std::mt19937 random(11);
  ToneSettings steep;
  steep.points = {{0, 0}, {10, 0}, {80, 100}, {100, 100}};
  for (const uint32_t bytes : {1U, 2U}) {
    for (const Polarity polarity : {Polarity::kMaxIsInk, Polarity::kMaxIsPaper}) {
      for (const uint32_t width : {1U, 7U, 8U, 64U, 131U}) {
        const uint32_t max = bytes == 1 ? 255 : 32'640;
        const ToneCurve curve(max, polarity, width % 2 == 0 ? ToneSettings() : steep);
        SamplePlane samples(width, 5, bytes);
        BitPlane bits(width, 5), before(width, 5);
        for (uint32_t y = 0; y < 5; ++y) {
          for (uint32_t x = 0; x < width; ++x) {
            const uint64_t kind = random() % 3;
            samples.set(x,
                        y,
                        kind == 0   ? 0
                        : kind == 1 ? max
                                    : static_cast<uint32_t>(random() % (max + 1)));
            if (random() % 2 == 0) continue;
            for (BitPlane* plane : {&bits, &before}) {
              plane->band.row(y)[x / 8] |= static_cast<uint8_t>(0x80U >> x % 8);
            }
          }
        }
        const Protect tones{width != 8, width != 64};
        const prepress::ProtectedSamples protects(curve, tones);
        const Protection found = protects.protect(samples.band, bits.band);
        Protection expected;
        for (uint32_t y = 0; y < 5; ++y) {
          for (uint32_t x = 0; x < width; ++x) {
            const uint32_t sample = bytes == 1 ? samples.band.row8(y)[x] : samples.band.row16(y)[x];
            const bool paper = tones.paper && curve[sample] == 0;
            const bool solid = tones.solid && curve[sample] == kSolid;
            const bool ink = solid || (!paper && before.band.ink(x, y));
            ASSERT_EQ(bits.band.ink(x, y), ink) << width << " px, x " << x << ", y " << y;
            expected += {paper, solid, ink != before.band.ink(x, y)};
          }
        }
        EXPECT_EQ(found, expected) << width;
      }
    }
  }
}

}  // namespace
}  // namespace mezzo::test::protect_test
