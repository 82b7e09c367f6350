#include "stages/chain/colour_stage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "kernels/band/ink15.h"
#include "kernels/prepress/colour_lookup.h"
#include "stages/chain/chain_reader.h"
#include "tests/stages/chain/noisy_page.h"
#include "tests/support/thread_team.h"

namespace mezzo::test::colour_stage_test {
namespace {

using prepress::ColourShape;
using prepress::ColourTable;
using ::testing::ElementsAre;

std::shared_ptr<const ColourTable> noisy_table(uint32_t inputs, uint32_t outputs) {
  const ColourShape shape{inputs, outputs, 5};
  std::mt19937 random(3);
  std::vector<uint16_t> nodes(prepress::node_values(shape));
  for (uint16_t& node : nodes) node = static_cast<uint16_t>(random() % (kInk15 + 1));
  return std::make_shared<ColourTable>(shape, nodes);
}

/// Takes planes 3, 0 and 2 of a page, and makes two inks of them.
chain::PageColour some_colour() {
  auto table = noisy_table(3, 2);
  return {.conversion = {.digest = table->digest(), .planes = {3, 0, 2}, .inks = {"red", "blue"}},
          .table = table};
}

/// What the table takes for a sample, by the words of Conversion.
uint16_t wide_sample(const PageInfo& page,
                     const prepress::Conversion& colour,
                     size_t input,
                     uint32_t sample) {
  if (colour.is_inverted) sample = page.max_sample - sample;
  if (colour.is_lab && input > 0 && page.max_sample == 255)
    return static_cast<uint16_t>(sample * 256);
  return static_cast<uint16_t>(sample * 65535.0 / page.max_sample + 0.5);
}

void expect_converted(const PageInfo& page, const chain::PageColour& colour) {
  SCOPED_TRACE(page.max_sample);
  chain::Chain chain(page);
  chain.add(
      std::make_unique<chain::ColourStage>(page, std::make_shared<chain::PageColour>(colour)));
  NoisyPage samples(page, 4);
  chain::ChainReader reader(chain, std::make_unique<NoisyPage>(page, 4));
  const PageInfo& made = chain.page();
  const std::vector<uint32_t>& planes = colour.conversion.planes;
  for (const uint32_t rows : {1U, 9U}) {
    const std::vector<uint16_t> found = read_rows(reader, made, 3, rows);
    for (uint32_t i = 0; i < rows * page.width_px; ++i) {
      const uint32_t x = i % page.width_px, y = 3 + i / page.width_px;
      std::vector<uint16_t> in, out(colour.conversion.inks.size());
      for (size_t p = 0; p < planes.size(); ++p) {
        in.push_back(wide_sample(page, colour.conversion, p, samples.at(planes[p], x, y)));
      }
      std::vector<const uint16_t*> from;
      std::vector<uint16_t*> to;
      for (const uint16_t& sample : in) from.push_back(&sample);
      for (uint16_t& ink : out) to.push_back(&ink);
      prepress::reference::convert(*colour.table, from, to, 1);
      for (uint32_t plane = 0; plane < page.inks.size(); ++plane) {
        if (std::ranges::find(planes, plane) != planes.end()) continue;
        const uint32_t sample = samples.at(plane, x, y);
        const bool is_ink = page.polarity == Polarity::kMaxIsInk;
        out.push_back(ink15(is_ink ? sample : page.max_sample - sample, page.max_sample));
      }
      ASSERT_EQ(out.size(), made.inks.size());
      for (size_t p = 0; p < out.size(); ++p) {
        ASSERT_EQ(found[p * rows * page.width_px + i], out[p]) << p << " at " << x << ", " << y;
      }
    }
  }
}

TEST(ColourStage, ConvertsSomePlanesAndKeepsTheOthersAsInk) {
  for (const uint32_t max_sample : {255U, 4095U, 65535U, kInk15}) {
    for (const Polarity polarity : {Polarity::kMaxIsInk, Polarity::kMaxIsPaper}) {
      PageInfo page = page_of(1100, 40, max_sample, 5);  // longer than what is converted at once
      page.polarity = polarity;
      expect_converted(page, some_colour());
    }
  }
}

TEST(ColourStage, TakesTheRestOfInvertedSamplesAndTheSignsOfLab) {
  chain::PageColour inverted = some_colour(), lab = some_colour();
  inverted.conversion.is_inverted = true;
  lab.conversion.is_lab = true;
  for (const uint32_t max_sample : {255U, 65535U}) {
    expect_converted(page_of(65, 20, max_sample, 4), inverted);
    expect_converted(page_of(65, 20, max_sample, 4), lab);
  }
}

TEST(ColourStage, SaysThePageThatItMakes) {
  PageInfo page = page_of(20, 10, 255, 5);
  page.model = PageInfo::Model::kInks;
  const chain::ColourStage stage(page, std::make_shared<chain::PageColour>(some_colour()));
  EXPECT_THAT(stage.page().inks, ElementsAre("red", "blue", "ink1", "ink4"));
  EXPECT_EQ(stage.page().max_sample, kInk15);
  EXPECT_EQ(stage.page().polarity, Polarity::kMaxIsInk);
}

TEST(ColourStage, HasTheDigestOfAllThatDecidesItsBits) {
  const PageInfo page = page_of(20, 10, 255, 5);
  const auto digest = [&](const chain::PageColour& colour) {
    return chain::ColourStage(page, std::make_shared<chain::PageColour>(colour)).digest();
  };
  const std::string plain = digest(some_colour());
  chain::PageColour other = some_colour();
  other.conversion.planes = {0, 3, 2};
  EXPECT_NE(digest(other), plain);
  other = some_colour();
  other.conversion.is_inverted = true;
  EXPECT_NE(digest(other), plain);
  other = some_colour();
  other.conversion.is_lab = true;
  EXPECT_NE(digest(other), plain);
  other = some_colour();
  other.conversion.digest = std::string(32, '0');
  EXPECT_NE(digest(other), plain);
  other = some_colour();
  other.conversion.text = "said in other words";
  EXPECT_EQ(digest(other), plain);
}

}  // namespace
}  // namespace mezzo::test::colour_stage_test
