#include "stages/chain/copies_stage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "stages/chain/chain_reader.h"
#include "stages/chain/ink15_stage.h"
#include "stages/chain/scale_stage.h"
#include "tests/stages/chain/noisy_page.h"

namespace mezzo::test::copies_stage_test {
namespace {

using chain::Chain;
using chain::ChainReader;
using Begins = std::vector<uint32_t>;

/// Of an ink.
uint32_t paper_of(uint32_t ink) {
  return 3 + ink;
}

Chain repeating_chain(const PageInfo& page, const Begins& columns, const Begins& rows) {
  Chain chain(page);
  std::vector<uint32_t> papers;
  for (uint32_t ink = 0; ink < page.inks.size(); ++ink) papers.push_back(paper_of(ink));
  chain.add(std::make_unique<chain::CopiesStage>(page, columns, rows, papers));
  return chain;
}

/// The sample of the page at a place of the sheet, looked for in copy after copy; paper in none.
uint32_t sample_at(const NoisyPage& page,
                   const PageInfo& info,
                   const Begins& columns,
                   const Begins& rows,
                   uint32_t ink,
                   uint32_t x,
                   uint32_t y) {
  for (const uint32_t left : columns) {
    for (const uint32_t top : rows) {
      const bool is_inside =
          x >= left && x < left + info.width_px && y >= top && y < top + info.height_px;
      if (is_inside) return page.at(ink, x - left, y - top);
    }
  }
  return paper_of(ink);
}

void expect_copies(const PageInfo& page, const Begins& columns, const Begins& rows, unsigned seed) {
  const Chain chain = repeating_chain(page, columns, rows);
  const PageInfo& sheet = chain.page();
  ASSERT_EQ(sheet.width_px, columns.back() + page.width_px);
  ASSERT_EQ(sheet.height_px, rows.back() + page.height_px);
  auto file = std::make_unique<NoisyPage>(page, 4);
  const NoisyPage& source = *file;
  ChainReader reader(chain, std::move(file));
  std::mt19937 random(seed);
  const auto tallest = static_cast<uint32_t>(1 + random() % sheet.height_px);
  for (uint32_t y = 0; y < sheet.height_px;) {
    const auto any = static_cast<uint32_t>(1 + random() % tallest);
    const uint32_t count = std::min(any, sheet.height_px - y);
    const auto samples = read_rows(reader, sheet, y, count);
    for (uint32_t i = 0; i < samples.size(); ++i) {
      const uint32_t ink = i / (count * sheet.width_px);
      const uint32_t row = y + i / sheet.width_px % count, x = i % sheet.width_px;
      ASSERT_EQ(samples[i], sample_at(source, page, columns, rows, ink, x, row))
          << "ink " << ink << " at " << x << ", " << row;
    }
    y += count;
  }
}

TEST(CopiesStage, RepeatsThePageInAnyBands) {
  unsigned seed = 0;
  for (const uint32_t max_sample : {255U, 65535U}) {
    for (const size_t inks : {1, 4}) {
      const PageInfo page = page_of(13, 9, max_sample, inks);
      for (int i = 0; i < 5; ++i) {
        expect_copies(page, {0}, {0}, ++seed);
        expect_copies(page, {0, 13, 26}, {0, 9}, ++seed);
        expect_copies(page, {0, 15, 29}, {0, 12, 23, 35}, ++seed);
        expect_copies(page, {0}, {0, 60}, ++seed);
      }
    }
  }
}

TEST(CopiesStage, RepeatsAPageThatIsScaled) {
  const PageInfo page = page_of(10, 12, 255, 2);
  const auto scaled = [&page] {
    Chain chain(page);
    chain.add(std::make_unique<chain::Ink15Stage>(page));
    const prepress::Scaling scaling{{5, 2}, {5, 2}, prepress::ScaleFilter::kCubic};
    chain.add(std::make_unique<chain::ScaleStage>(chain.page(), scaling, Resolution{750, 750}));
    return chain;
  };
  const Chain one = scaled();
  Chain many = scaled();
  many.add(std::make_unique<chain::CopiesStage>(
      one.page(), Begins{0, 25, 57}, Begins{0, 31, 62}, Begins{0, 0}));
  ChainReader of_one(one, std::make_unique<NoisyPage>(page, 1));
  ChainReader of_many(many, std::make_unique<NoisyPage>(page, 1));
  const auto copy = read_rows(of_one, one.page(), 0, 30);
  const uint32_t width = many.page().width_px, height = many.page().height_px;
  ASSERT_EQ(width, 82U);
  ASSERT_EQ(height, 92U);
  for (uint32_t y = 0; y < height; y += 23) {
    const auto sheet = read_rows(of_many, many.page(), y, 23);
    for (uint32_t i = 0; i < sheet.size(); ++i) {
      const uint32_t ink = i / (23 * width), row = y + i / width % 23, x = i % width;
      const uint32_t left = x >= 57 ? 57 : x >= 25 ? 25 : 0;
      const bool is_page = x - left < 25 && row % 31 < 30;
      const uint32_t expected = is_page ? copy[(ink * 30 + row % 31) * 25 + x - left] : 0;
      ASSERT_EQ(sheet[i], expected) << "ink " << ink << " at " << x << ", " << row;
    }
  }
}

TEST(CopiesStage, CountsItsMemory) {
  const PageInfo page = page_of(1000, 40, 255, 1);
  const Chain chain = repeating_chain(page, {0, 1000}, {0, 40, 80, 120, 160});
  const ChainReader reader(chain, std::make_unique<NoisyPage>(page, 1));
  EXPECT_GE(reader.working_bytes(40, 1), 2U * 40 * 1000);
  const size_t grows = reader.working_bytes(160, 1) - reader.working_bytes(80, 1);
  EXPECT_EQ(reader.working_bytes(120, 1) - reader.working_bytes(80, 1), grows / 2);
}

TEST(CopiesStage, HasADigestOfItsPlaces) {
  const PageInfo page = page_of(10, 10, 255, 1);
  const std::string digest = repeating_chain(page, {0, 12}, {0, 12}).digest();
  EXPECT_NE(repeating_chain(page, {0, 13}, {0, 12}).digest(), digest);
  EXPECT_NE(repeating_chain(page, {0, 12}, {0, 13}).digest(), digest);
  EXPECT_NE(repeating_chain(page, {0, 12}, {0}).digest(), digest);
  EXPECT_EQ(chain::CopiesStage(page, {0, 12}, {0}, {0}).describe(), "2 x 1 copies on 22 x 10 px");
}

}  // namespace
}  // namespace mezzo::test::copies_stage_test
