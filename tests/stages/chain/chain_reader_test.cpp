#include "stages/chain/chain_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "kernels/band/ink15.h"
#include "stages/chain/ink15_stage.h"
#include "stages/chain/mix_stage.h"
#include "stages/chain/scale_stage.h"
#include "stages/chain/select_stage.h"
#include "tests/stages/chain/noisy_page.h"

namespace mezzo::test::chain_reader_test {
namespace {

using chain::Chain;
using chain::ChainReader;
using prepress::Ratio;
using prepress::ScaleFilter;

Chain scaling_chain(const PageInfo& page, Ratio ratio, ScaleFilter filter) {
  Chain chain(page);
  chain.add(std::make_unique<chain::Ink15Stage>(chain.page()));
  const prepress::Scaling scaling{ratio, ratio, filter};
  chain.add(std::make_unique<chain::ScaleStage>(chain.page(), scaling, Resolution{2400, 2400}));
  return chain;
}

class ChainReaderBands
    : public testing::TestWithParam<std::tuple<Ratio, ScaleFilter, uint32_t, uint32_t>> {};

TEST_P(ChainReaderBands, AreTheWholePageInPieces) {
  const auto [ratio, filter, quantum, band_rows] = GetParam();
  const PageInfo page = page_of(31, 47, 255, 3);
  const Chain chain = scaling_chain(page, ratio, filter);
  const uint32_t height = chain.page().height_px;
  ChainReader at_once(chain, std::make_unique<NoisyPage>(page, 1));
  const std::vector<uint16_t> whole = read_rows(at_once, chain.page(), 0, height);
  auto file = std::make_unique<NoisyPage>(page, quantum);
  const NoisyPage& source = *file;
  ChainReader reader(chain, std::move(file));
  for (uint32_t y = 0; y < height; y += band_rows) {
    const uint32_t rows = std::min(band_rows, height - y);
    const std::vector<uint16_t> band = read_rows(reader, chain.page(), y, rows);
    for (size_t ink = 0; ink < page.inks.size(); ++ink) {
      const size_t width = chain.page().width_px;
      ASSERT_TRUE(std::equal(band.begin() + static_cast<ptrdiff_t>(ink * rows * width),
                             band.begin() + static_cast<ptrdiff_t>((ink + 1) * rows * width),
                             whole.begin() + static_cast<ptrdiff_t>((ink * height + y) * width)))
          << "row " << y << ", ink " << ink;
    }
  }
  EXPECT_EQ(source.rows_read, page.height_px) << "each row of the file once";
}

INSTANTIATE_TEST_SUITE_P(All,
                         ChainReaderBands,
                         testing::Combine(testing::Values(Ratio{8, 1}, Ratio{127, 15}, Ratio{1, 3}),
                                          testing::Values(ScaleFilter::kNearest,
                                                          ScaleFilter::kCubic,
                                                          ScaleFilter::kArea),
                                          testing::Values(1U, 10U),
                                          testing::Values(1U, 7U, 64U)));
INSTANTIATE_TEST_SUITE_P(Edges,
                         ChainReaderBands,
                         testing::Combine(testing::Values(Ratio{8, 1}, Ratio{127, 15}, Ratio{3, 2}),
                                          testing::Values(ScaleFilter::kEdges),
                                          testing::Values(1U, 10U),
                                          testing::Values(1U, 7U, 1000U)));

TEST(ChainReader, goes_back) {
  const PageInfo page = page_of(9, 30, 65535, 1);
  const Chain chain = scaling_chain(page, {3, 2}, ScaleFilter::kLinear);
  ChainReader reader(chain, std::make_unique<NoisyPage>(page, 4));
  const auto middle = read_rows(reader, chain.page(), 20, 5);
  const auto top = read_rows(reader, chain.page(), 0, 5);
  EXPECT_EQ(read_rows(reader, chain.page(), 20, 5), middle);
  EXPECT_EQ(read_rows(reader, chain.page(), 0, 5), top);
}

TEST(ChainReader, counts_its_memory) {
  const PageInfo page = page_of(1000, 1000, 255, 4);
  const Chain chain = scaling_chain(page, {8, 1}, ScaleFilter::kCubic);
  const ChainReader reader(chain, std::make_unique<NoisyPage>(page, 16));
  // A band of 64 rows takes 8 rows of the file and 3 around them, and what is decoded with them.
  const uint64_t rows = 8 + 3 + 16 + 32;
  EXPECT_GE(reader.working_bytes(64, 1), 2 * rows * 4000 + (8 + 3) * 8000);
  EXPECT_LE(reader.working_bytes(64, 1), 1 << 20);
}

TEST(Ink15Stage, takes_both_polarities_of_any_depth) {
  SoloTeam solo;
  for (const uint32_t max_sample : {1U, 15U, 255U, 4095U, 65535U}) {
    for (const Polarity polarity : {Polarity::kMaxIsInk, Polarity::kMaxIsPaper}) {
      PageInfo page = page_of(64, 3, max_sample, 1);
      page.polarity = polarity;
      Chain chain(page);
      chain.add(std::make_unique<chain::Ink15Stage>(page));
      auto file = std::make_unique<NoisyPage>(page, 1);
      const NoisyPage& source = *file;
      ChainReader reader(chain, std::move(file));
      const auto samples = read_rows(reader, chain.page(), 0, 3);
      for (uint32_t i = 0; i < 64 * 3; ++i) {
        const uint32_t sample = source.at(0, i % 64, i / 64);
        const uint32_t ink = polarity == Polarity::kMaxIsInk ? sample : max_sample - sample;
        ASSERT_EQ(samples[i], (uint64_t{ink} * 32640 + max_sample / 2) / max_sample);
      }
    }
  }
}

TEST(Chain, HasTheDigestOfItsStages) {
  const PageInfo page = page_of(10, 10, 255, 1);
  EXPECT_EQ(Chain(page).digest(), "");
  EXPECT_NE(Chain(page, Rotation::k90).digest(), "");
  EXPECT_NE(Chain(page, Rotation::k90).digest(), Chain(page, Rotation::k180).digest());
  const std::string cubic = scaling_chain(page, {8, 1}, ScaleFilter::kCubic).digest();
  EXPECT_EQ(cubic, scaling_chain(page, {8, 1}, ScaleFilter::kCubic).digest());
  EXPECT_NE(cubic, scaling_chain(page, {8, 1}, ScaleFilter::kLinear).digest());
  EXPECT_NE(cubic, scaling_chain(page, {4, 1}, ScaleFilter::kCubic).digest());
}

TEST(Chain, SaysWhetherAGpuScales) {
  const PageInfo page = page_of(10, 10, 255, 1);
  EXPECT_EQ(Chain(page).scaling_on_gpu(), nullptr);
  EXPECT_FALSE(Chain(page).scales_on_cpu());
  Chain cubic = scaling_chain(page, {8, 1}, ScaleFilter::kCubic);
  EXPECT_EQ(cubic.scaling_on_gpu(), cubic.stages().back()->scaling());
  EXPECT_FALSE(cubic.scales_on_cpu());
  cubic.add(std::make_unique<chain::SelectStage>(cubic.page(), std::vector<uint32_t>{0}));
  EXPECT_EQ(cubic.scaling_on_gpu(), nullptr) << "its last stage is another";
  EXPECT_TRUE(cubic.scales_on_cpu());
}

TEST(Chain, LeavesToAGpuWhatItDoesBehindTheUpload) {
  const PageInfo bytes = page_of(10, 10, 255, 1), words = page_of(10, 10, 65535, 2);
  EXPECT_EQ(Chain(bytes).levels_on_gpu(), nullptr);
  EXPECT_TRUE(Chain(bytes).without_gpu().is_empty());
  const Chain of_bytes = scaling_chain(bytes, {8, 1}, ScaleFilter::kCubic);
  ASSERT_EQ(of_bytes.stages().size(), 2U);
  EXPECT_EQ(of_bytes.levels_on_gpu(), of_bytes.stages().front()->levels());
  EXPECT_TRUE(of_bytes.without_gpu().is_empty());
  const Chain of_words = scaling_chain(words, {8, 1}, ScaleFilter::kCubic);
  EXPECT_EQ(of_words.levels_on_gpu(), nullptr);
  EXPECT_EQ(of_words.without_gpu().stages().size(), 1U);
}

TEST(Chain, DescribesItsStepsInTheirOrder) {
  EXPECT_THAT(Chain(page_of(10, 10, 255, 1)).describe(), testing::ElementsAre());
  Chain chain(page_of(10, 20, 255, 1), Rotation::k270);
  EXPECT_EQ(chain.page().width_px, 20U);
  chain.add(std::make_unique<chain::Ink15Stage>(chain.page()));
  EXPECT_THAT(
      chain.describe(),
      testing::ElementsAre("rotate by 270 degrees clockwise", "samples to 32640 levels of ink"));
}

TEST(Chain, HandsOnThePageOfItsLastStage) {
  const PageInfo page = page_of(2480, 3508, 255, 4);
  const PageInfo plate = scaling_chain(page, {8, 1}, ScaleFilter::kCubic).page();
  EXPECT_EQ(plate.width_px, 19'840U);
  EXPECT_EQ(plate.height_px, 28'064U);
  EXPECT_EQ(plate.resolution, (Resolution{2400, 2400}));
  EXPECT_EQ(plate.max_sample, kInk15);
  EXPECT_EQ(plate.polarity, Polarity::kMaxIsInk);
  EXPECT_EQ(plate.inks, page.inks);
}

/// Calls `check` with the plane, place and samples of rows that are read `band_rows` at a time.
template <typename Check>
void read_in_bands(const Chain& chain, uint32_t quantum, uint32_t band_rows, const Check& check) {
  const PageInfo& page = chain.page();
  ChainReader reader(chain, std::make_unique<NoisyPage>(chain.source(), quantum));
  SoloTeam solo;
  for (uint32_t first = 0; first < page.height_px; first += band_rows) {
    const uint32_t rows = std::min(band_rows, page.height_px - first);
    ContoneBuffer buffer(page, rows);
    const auto planes = buffer.rows(first, rows);
    reader.read(planes, solo);
    for (size_t plane = 0; plane < planes.size(); ++plane) {
      for (uint32_t i = 0; i < rows; ++i) {
        for (uint32_t x = 0; x < page.width_px; ++x) {
          const SampleBand band = planes[plane];
          check(
              plane, x, first + i, band.bytes_per_sample == 1 ? band.row8(i)[x] : band.row16(i)[x]);
        }
      }
    }
  }
}

TEST(ChainOfInks, SelectsSamplesAsTheyAre) {
  for (const uint32_t most : {255U, 65535U}) {
    const PageInfo page = page_of(31, 47, most, 3);
    const NoisyPage source(page, 1);
    PageInfo two = page;
    two.inks = {"ink2", "ink0"};
    Chain chain(page);
    chain.add(std::make_unique<chain::SelectStage>(two, std::vector<uint32_t>{2, 0}));
    for (const uint32_t band_rows : {1U, 5U, 47U}) {
      read_in_bands(chain, 4, band_rows, [&](size_t plane, uint32_t x, uint32_t y, uint32_t found) {
        ASSERT_EQ(found, source.at(plane == 0 ? 2 : 0, x, y));
      });
    }
  }
}

/// The inks of a page of three, added up in ink15.
Chain chain_of_sums(const PageInfo& page, std::vector<chain::InkSum> sums) {
  Chain chain(page);
  chain.add(std::make_unique<chain::Ink15Stage>(page));
  PageInfo mixed = chain.page();
  mixed.inks.resize(sums.size());
  chain.add(std::make_unique<chain::MixStage>(mixed, std::move(sums)));
  return chain;
}

TEST(ChainOfInks, AddsInksUpToASolid) {
  PageInfo page = page_of(31, 47, 255, 3);
  page.polarity = Polarity::kMaxIsInk;
  const NoisyPage source(page, 1);
  const Chain chain = chain_of_sums(page, {{{{0, 16384}, {2, 4915}}}, {{{1, 16384}}}});
  for (const uint32_t band_rows : {1U, 5U, 47U}) {
    read_in_bands(chain, 4, band_rows, [&](size_t plane, uint32_t x, uint32_t y, uint32_t found) {
      const uint32_t share = (128U * source.at(2, x, y) * 4915 + 8192) / 16384;
      const uint32_t sum = 128U * source.at(plane, x, y) + (plane == 0 ? share : 0);
      ASSERT_EQ(found, std::min(sum, kInk15));
    });
  }
}

TEST(ChainOfInks, AddsUpTheInkOfNegatives) {
  PageInfo page = page_of(31, 47, 255, 3);
  page.polarity = Polarity::kMaxIsInk;
  const NoisyPage source(page, 1);
  const Chain chain = chain_of_sums(page,
                                    {{{{0, 16384, true}, {2, 4915, true}}, true},
                                     {{{1, 16384}, {2, 4915, true}}},
                                     {{{1, 16384}}, true}});
  read_in_bands(chain, 4, 7, [&](size_t plane, uint32_t x, uint32_t y, uint32_t found) {
    const uint32_t share = (128U * (255U - source.at(2, x, y)) * 4915 + 8192) / 16384;
    const uint32_t own = plane == 0 ? 255U - source.at(0, x, y) : source.at(1, x, y);
    const uint32_t sum = std::min(128U * own + (plane == 2 ? 0 : share), kInk15);
    ASSERT_EQ(found, plane == 1 ? sum : kInk15 - sum) << plane;
  });
}

}  // namespace
}  // namespace mezzo::test::chain_reader_test
