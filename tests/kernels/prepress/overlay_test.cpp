#include "kernels/prepress/overlay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/kernels/planes.h"

namespace mezzo::test::overlay_test {
namespace {

using prepress::Overlay;
using prepress::OverlayPixels;

constexpr uint32_t kRows = 3;

void fill(const BitBand& band, uint32_t seed) {
  std::mt19937 random(seed);
  for (uint32_t y = 0; y < band.rows; ++y) {
    std::fill_n(band.row(y), bit_row_bytes(band.width_px), uint8_t{0});
    for (uint32_t x = 0; x < band.width_px; ++x) {
      if (random() % 3 == 0) band.row(y)[x / 8] |= static_cast<uint8_t>(0x80U >> x % 8);
    }
  }
}

bool has_clean_padding(const BitBand& band) {
  for (uint32_t y = 0; y < band.rows; ++y) {
    for (uint32_t x = band.width_px; x < 8 * bit_row_bytes(band.width_px); ++x) {
      if (band.ink(x, y)) return false;
    }
  }
  return true;
}

TEST(LineworkOverlay, IsTheDefinitionAtEveryWidth) {
  for (uint32_t width = 1; width <= 200; ++width) {
    for (const Overlay overlay : {Overlay::kKeep, Overlay::kPrint, Overlay::kKnockOut}) {
      BitPlane linework(width, kRows), before(width, kRows), bits(width, kRows);
      fill(linework.band, width);
      fill(before.band, 1000 + width);
      fill(bits.band, 1000 + width);
      const OverlayPixels found = prepress::lay_over(overlay, linework.band, bits.band);
      OverlayPixels expected;
      for (uint32_t y = 0; y < kRows; ++y) {
        for (uint32_t x = 0; x < width; ++x) {
          const bool type = linework.band.ink(x, y), dot = before.band.ink(x, y);
          const bool ink = overlay == Overlay::kPrint      ? dot || type
                           : overlay == Overlay::kKnockOut ? dot && !type
                                                           : dot;
          ASSERT_EQ(bits.band.ink(x, y), ink) << width << " px, x " << x << ", y " << y;
          expected.printed_px += overlay == Overlay::kPrint && type;
          expected.knocked_out_px += overlay == Overlay::kKnockOut && type;
        }
      }
      EXPECT_EQ(found, expected) << width;
      EXPECT_TRUE(has_clean_padding(bits.band) && bits.guards_intact()) << width;
    }
  }
}

TEST(LineworkOverlay, OfSeveralPrintsWhatOthersKnockOutInAnyOrder) {
  std::mt19937 random(11);
  for (uint32_t width = 1; width <= 70; ++width) {
    BitPlane first(width, kRows), second(width, kRows), third(width, kRows), before(width, kRows);
    for (BitPlane* plane : {&first, &second, &third, &before}) {
      fill(plane->band, static_cast<uint32_t>(random()));
    }
    std::vector<std::pair<Overlay, BitBand>> work = {{Overlay::kKeep, first.band},
                                                     {Overlay::kKnockOut, second.band},
                                                     {Overlay::kPrint, third.band}};
    for (int order = 0; order < 3; ++order) {
      std::ranges::rotate(work, work.begin() + 1);
      BitPlane bits(width, kRows);
      for (uint32_t y = 0; y < kRows; ++y) {
        std::copy_n(before.band.row(y), bit_row_bytes(width), bits.band.row(y));
      }
      const std::vector<Overlay> overlays = {work[0].first, work[1].first, work[2].first};
      const std::vector<BitBand> bands = {work[0].second, work[1].second, work[2].second};
      const OverlayPixels found = prepress::lay_over(overlays, bands, bits.band);
      OverlayPixels expected;
      for (uint32_t y = 0; y < kRows; ++y) {
        for (uint32_t x = 0; x < width; ++x) {
          const bool print = third.band.ink(x, y), free = second.band.ink(x, y) && !print;
          ASSERT_EQ(bits.band.ink(x, y), print || (before.band.ink(x, y) && !free));
          expected.printed_px += print;
          expected.knocked_out_px += free;
        }
      }
      EXPECT_EQ(found, expected) << width;
      EXPECT_TRUE(has_clean_padding(bits.band) && bits.guards_intact()) << width;
    }
  }
}

TEST(LineworkOverlay, PacksSamplesOfEitherPolarity) {
  for (uint32_t width = 1; width <= 70; ++width) {
    for (const uint8_t ink : {uint8_t{0}, uint8_t{1}}) {
      SamplePlane samples(width, kRows, 1);
      BitPlane bits(width, kRows);
      std::mt19937 random(width);
      for (uint32_t y = 0; y < kRows; ++y) {
        for (uint32_t x = 0; x < width; ++x) samples.set(x, y, random() % 2);
      }
      prepress::pack_bits(samples.band, ink, bits.band);
      for (uint32_t y = 0; y < kRows; ++y) {
        for (uint32_t x = 0; x < width; ++x) {
          ASSERT_EQ(bits.band.ink(x, y), samples.band.row8(y)[x] == ink) << width << " px, x " << x;
        }
      }
      EXPECT_TRUE(has_clean_padding(bits.band) && bits.guards_intact()) << width;
    }
  }
}

}  // namespace
}  // namespace mezzo::test::overlay_test
