#include "stages/chain/crop_stage.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "stages/chain/chain_reader.h"
#include "tests/stages/chain/noisy_page.h"

namespace mezzo::test::crop_stage_test {
namespace {

using chain::Chain;
using chain::ChainReader;

Chain cropping_chain(const PageInfo& page, const Rect& kept) {
  Chain chain(page);
  chain.add(std::make_unique<chain::CropStage>(page, kept));
  return chain;
}

TEST(CropStage, KeepsTheSamplesOfTheRectangleInAnyBands) {
  for (const uint32_t max_sample : {1U, 255U, 65535U}) {
    const PageInfo page = page_of(31, 47, max_sample, 3);
    for (const Rect kept : {Rect{0, 0, 31, 47}, {30, 46, 1, 1}, {3, 20, 17, 9}, {0, 5, 31, 42}}) {
      const Chain chain = cropping_chain(page, kept);
      for (const uint32_t band_rows : {1U, 4U, 47U}) {
        auto file = std::make_unique<NoisyPage>(page, 6);
        const NoisyPage& source = *file;
        ChainReader reader(chain, std::move(file));
        for (uint32_t y = 0; y < kept.height_px; y += band_rows) {
          const uint32_t rows = std::min(band_rows, kept.height_px - y);
          const auto samples = read_rows(reader, chain.page(), y, rows);
          ASSERT_EQ(samples.size(), size_t{3} * rows * kept.width_px);
          for (uint32_t i = 0; i < samples.size(); ++i) {
            const uint32_t ink = i / (rows * kept.width_px);
            const uint32_t row = y + i / kept.width_px % rows, x = i % kept.width_px;
            ASSERT_EQ(samples[i], source.at(ink, kept.x + x, kept.y + row)) << i;
          }
        }
      }
    }
  }
}

TEST(CropStage, LeavesAllButTheSizeAlone) {
  PageInfo page = page_of(2480, 3508, 4095, 4);
  page.polarity = Polarity::kMaxIsInk;
  PageInfo expected = page;
  expected.width_px = 100;
  expected.height_px = 50;
  EXPECT_EQ(cropping_chain(page, {10, 20, 100, 50}).page(), expected);
}

/// A page of the size of a newspaper's, of which a stamp is kept, takes the memory of a stamp.
TEST(CropStage, ReadsLittleOfWhatItLeavesOut) {
  const PageInfo page = page_of(1000, 5000, 255, 1);
  const Chain chain = cropping_chain(page, {500, 1000, 100, 200});
  auto file = std::make_unique<NoisyPage>(page, 8);
  const NoisyPage& source = *file;
  ChainReader reader(chain, std::move(file));
  for (uint32_t y = 0; y < 200; y += 50) read_rows(reader, chain.page(), y, 50);
  EXPECT_LE(source.rows_read, 200U + 8);
  EXPECT_LE(reader.working_bytes(50, 1), 2 * (50 + 2 * 8 + 2 * 32) * 1000U);
}

TEST(CropStage, HasADigestOfItsRectangle) {
  const PageInfo page = page_of(20, 20, 255, 1);
  const std::string digest = cropping_chain(page, {1, 2, 3, 4}).digest();
  EXPECT_NE(digest, "");
  for (const Rect other : {Rect{0, 2, 3, 4}, {1, 0, 3, 4}, {1, 2, 4, 4}, {1, 2, 3, 5}}) {
    EXPECT_NE(cropping_chain(page, other).digest(), digest);
  }
  EXPECT_EQ(chain::CropStage(page, {1, 2, 3, 4}).describe(), "crop to 3 x 4 px from 1, 2");
}

}  // namespace
}  // namespace mezzo::test::crop_stage_test
