#include "stages/chain/limit_stage.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/band/ink15.h"
#include "stages/chain/chain_reader.h"
#include "tests/stages/chain/noisy_page.h"
#include "tests/support/thread_team.h"

namespace mezzo::test::limit_stage_test {
namespace {

using chain::LimitSettings;
using chain::LimitStage;
using chain::LimitTotals;

/// Six inks in an order of their own: spot, black, yellow, cyan, spot, magenta.
PageInfo ink_page(uint32_t width, uint32_t height) {
  PageInfo page = page_of(width, height, kInk15, 6);
  page.polarity = Polarity::kMaxIsInk;
  return page;
}

LimitSettings settings_of(uint32_t most) {
  return {.cmyk = {3, 5, 2, 1}, .spots = {4}, .most = most};
}

using Planes = std::vector<std::vector<uint16_t>>;

/// All rows, one plane after the other.
Planes all_rows(const PageInfo& page) {
  NoisyPage source(page, 1);
  const std::vector<uint16_t> samples = read_rows(source, page, 0, page.height_px);
  const size_t count = size_t{page.width_px} * page.height_px;
  Planes planes;
  for (size_t at = 0; at < samples.size(); at += count) {
    planes.emplace_back(samples.begin() + static_cast<int64_t>(at),
                        samples.begin() + static_cast<int64_t>(at + count));
  }
  return planes;
}

prepress::InkLimitCounts limit(Planes& p, uint32_t most) {
  const std::vector<const uint16_t*> spots = {p[4].data()};
  return prepress::limit_ink(most,
                             {{p[3].data(), p[5].data(), p[2].data(), p[1].data()}, spots},
                             static_cast<uint32_t>(p[0].size()));
}

/// Runs the stage over rows [first, first + count), and checks them against `expected`.
void run_rows(const LimitStage& stage,
              const PageInfo& page,
              uint32_t first,
              uint32_t count,
              Team& team,
              const Planes& expected) {
  NoisyPage source(page, 1);
  ContoneBuffer from(page, page.height_px), to(page, count);
  const auto whole = from.rows(0, page.height_px);
  source.read(whole, team);
  const std::vector<SampleBand> in(whole.begin(), whole.end());
  const auto out = to.rows(first, count);
  stage.run(in, out, team);
  for (size_t plane = 0; plane < out.size(); ++plane) {
    for (uint32_t i = 0; i < count; ++i) {
      const SampleBand band = out[plane];
      ASSERT_TRUE(std::equal(band.row16(i),
                             band.row16(i) + page.width_px,
                             expected[plane].data() + size_t{first + i} * page.width_px))
          << "plane " << plane << ", row " << first + i;
    }
  }
}

TEST(LimitStage, LimitsEachPixelAndCountsEachRowOnce) {
  for (const uint32_t width : {1U, 7U, 300U, 3000U}) {
    const PageInfo page = ink_page(width, 41);
    Planes expected = all_rows(page);
    const uint32_t most = 5 * kInk15 / 2;
    const prepress::InkLimitCounts counts = limit(expected, most);
    const auto totals = std::make_shared<LimitTotals>(page);
    const LimitStage stage(page, settings_of(most), totals);
    ThreadTeam team(3);
    for (const auto& [first, count] : {std::pair{0U, 10U}, {5U, 20U}, {25U, 16U}, {0U, 41U}}) {
      run_rows(stage, page, first, count, team, expected);
    }
    EXPECT_EQ(totals->total(), counts);
    EXPECT_GT(counts.changed, 0U);
  }
}

TEST(LimitStage, OnlyChecks) {
  const PageInfo page = ink_page(100, 20);
  Planes limited = all_rows(page);
  const uint32_t most = 2 * kInk15;
  const prepress::InkLimitCounts counts = limit(limited, most);
  const auto totals = std::make_shared<LimitTotals>(page);
  LimitSettings settings = settings_of(most);
  settings.check_only = true;
  const LimitStage stage(page, settings, totals);
  SoloTeam solo;
  run_rows(stage, page, 0, 20, solo, all_rows(page));
  EXPECT_EQ(totals->total().above, counts.above);
  EXPECT_EQ(totals->total().most_before, counts.most_before);
  EXPECT_EQ(totals->total().sum_after, counts.sum_before);
  EXPECT_EQ(totals->total().changed, 0U);
}

TEST(LimitStage, MapsWhereTheLimitWasExceeded) {
  const PageInfo page = ink_page(20, 10);
  LimitTotals totals(page);
  ASSERT_EQ(totals.cell_px(), 8U);
  ASSERT_EQ(totals.columns(), 3U);
  ASSERT_EQ(totals.cell_rows(), 2U);
  std::vector<prepress::InkLimitCounts> row(3);
  row[0] = {.pixels = 8, .above = 1};
  row[2] = {.pixels = 4, .above = 4};
  totals.add(0, row);
  totals.add(0, row);  // once more
  totals.add(8, row);
  totals.add(9, row);
  EXPECT_EQ(totals.map(), (std::vector<uint8_t>{4, 0, 32, 32, 0, 255}));
  EXPECT_EQ(totals.total().above, 15U);
  EXPECT_EQ(LimitTotals(ink_page(2560, 10)).columns(), 256U);
  EXPECT_EQ(LimitTotals(ink_page(2561, 10)).columns(), 233U);
}

TEST(LimitStage, HasADigestOfAllThatDecidesItsBits) {
  const PageInfo page = ink_page(10, 10);
  const auto totals = std::make_shared<LimitTotals>(page);
  const auto digest = [&](const LimitSettings& settings) {
    return LimitStage(page, settings, totals).digest();
  };
  LimitSettings settings = settings_of(3 * kInk15);
  std::vector<std::string> digests = {digest(settings)};
  settings.most += 1;
  digests.push_back(digest(settings));
  settings.spots = {0};
  digests.push_back(digest(settings));
  settings.cmyk[3] = std::nullopt;
  digests.push_back(digest(settings));
  settings.check_only = true;
  digests.push_back(digest(settings));
  std::ranges::sort(digests);
  EXPECT_EQ(std::ranges::adjacent_find(digests), digests.end());
  EXPECT_EQ(LimitStage(page, settings_of(3 * kInk15), totals).describe(), "ink limited to 300 %");
}

}  // namespace
}  // namespace mezzo::test::limit_stage_test
