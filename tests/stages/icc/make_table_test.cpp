// Tables of colours against lcms2 itself, and what they promise exactly.

#include "stages/icc/make_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>

#include "kernels/band/ink15.h"
#include "kernels/base/error.h"
#include "kernels/prepress/colour_lookup.h"
#include "stages/icc/black_curve.h"
#include "tests/stages/icc/written_profile.h"

namespace mezzo::test::make_table_test {
namespace {

using icc::BlackMode;
using icc::Intent;
using icc::make_table;
using icc::Profile;
using icc::TableSettings;
using prepress::ColourTable;

Profile written(const ProfileSpec& spec) {
  return Profile::parse(written_profile(spec), "written.icc");
}

/// Planes of samples, and what a table makes of them.
template <typename T>
std::vector<std::vector<uint16_t>> converted(const ColourTable& table,
                                             const std::vector<std::vector<T>>& in) {
  std::vector<std::vector<uint16_t>> out(table.shape().outputs,
                                         std::vector<uint16_t>(in[0].size()));
  std::vector<const T*> from;
  std::vector<uint16_t*> to;
  for (const auto& plane : in) from.push_back(plane.data());
  for (auto& plane : out) to.push_back(plane.data());
  prepress::convert(table, from, to, static_cast<uint32_t>(in[0].size()));
  return out;
}

/// One colour of 16 bits.
std::vector<uint16_t> one(const ColourTable& table, const std::vector<uint16_t>& colour) {
  std::vector<std::vector<uint16_t>> in;
  for (const uint16_t sample : colour) in.push_back({sample});
  std::vector<uint16_t> result;
  for (const auto& plane : converted(table, in)) result.push_back(plane[0]);
  return result;
}

/// K from 0 to all, with no other ink, in 8 or 16 bits.
template <typename T>
std::vector<std::vector<uint16_t>> black_ramp(const ColourTable& table) {
  std::vector<T> ramp(size_t{1} << (8 * sizeof(T)));
  std::iota(ramp.begin(), ramp.end(), T{0});
  const std::vector<T> none(ramp.size());
  return converted<T>(table, {none, none, none, ramp});
}

void expect_only_black(const std::vector<std::vector<uint16_t>>& inks) {
  for (size_t c = 0; c < 3; ++c) EXPECT_EQ(*std::ranges::max_element(inks[c]), 0);
  EXPECT_EQ(inks[3].front(), 0);
  EXPECT_EQ(inks[3].back(), kInk15);
  EXPECT_TRUE(std::ranges::is_sorted(inks[3]));
}

class BlackModes : public ::testing::TestWithParam<BlackMode> {};

TEST_P(BlackModes, KeepBlackAloneAndPaperExactly) {
  // The page's black is that of a weaker press.
  const Profile page = written({.black = 0.7}), press = written({.black = 0.9});
  for (const bool black_point : {false, true}) {
    const auto table = make_table(page,
                                  press,
                                  {.intent = Intent::kPerceptual,
                                   .black_point = black_point,
                                   .black = GetParam(),
                                   .grid = 9});
    expect_only_black(black_ramp<uint8_t>(*table));
    expect_only_black(black_ramp<uint16_t>(*table));
  }
}

INSTANTIATE_TEST_SUITE_P(All,
                         BlackModes,
                         ::testing::Values(BlackMode::kUsual,
                                           BlackMode::kOnlyBlack,
                                           BlackMode::kPlane));

TEST(MakeTable, TakesBlackFromTheProfilesWhenAsked) {
  const Profile press = written({});
  const auto table = make_table(press, press, {.black = BlackMode::kProfile, .grid = 9});
  EXPECT_EQ(table->rule(), prepress::BlackRule::kNone);
  EXPECT_GT(one(*table, {0, 0, 0, 0xFFFF})[0], 10000);  // this press mixes its black
  EXPECT_EQ(one(*table, {0, 0, 0, 0}), (std::vector<uint16_t>{0, 0, 0, 0}));
}

TEST(MakeTable, PinsTheEndsOfThePlaneOfBlack) {
  const Profile press = written({});
  const auto table = make_table(press, press, {.black = BlackMode::kPlane, .grid = 5});
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) {
    const auto c = static_cast<uint16_t>(random()), m = static_cast<uint16_t>(random());
    EXPECT_EQ(one(*table, {c, m, 77, 0})[3], 0);
    EXPECT_EQ(one(*table, {c, m, 77, 0xFFFF})[3], kInk15);
  }
}

TEST(MakeTable, KeepsTheLightnessOfBlack) {
  // The written press has L* 100 - 80 k of its last ink, the other one 100 - 90 k of its only one.
  const Profile four = written({}), same = written({});
  const std::vector<uint16_t> curve = icc::black_curve(four, same, 3, true);
  ASSERT_EQ(curve.size(), 257U);
  for (size_t i = 0; i < curve.size(); ++i) {
    EXPECT_NEAR(curve[i], static_cast<double>(i) / 256 * kInk15, 12.0) << i;
  }
  const std::vector<uint16_t> neutrals = icc::black_curve(Profile::srgb(), four, 3, true);
  EXPECT_EQ(neutrals.front(), kInk15);
  EXPECT_EQ(neutrals.back(), 0);
  // sRGB 128 is L* 53.6, and 46.4 % of the way to black.
  EXPECT_NEAR(neutrals[128], 0.464 * kInk15, 0.003 * kInk15);
  const std::vector<uint16_t> exact = icc::black_curve(Profile::srgb(), four, 3, false);
  EXPECT_NEAR(exact[128], 0.464 / 0.8 * kInk15, 0.003 * kInk15);
  EXPECT_EQ(exact[10], kInk15);  // darker than the press can
}

TEST(MakeTable, MakesBlackOfScreensPureWhenAsked) {
  const Profile press = written({});
  const auto usual = make_table(Profile::srgb(), press, {});
  EXPECT_EQ(usual->rule(), prepress::BlackRule::kNone);
  EXPECT_GT(one(*usual, {0, 0, 0})[0], 10000);
  EXPECT_EQ(one(*usual, {0xFFFF, 0xFFFF, 0xFFFF}), (std::vector<uint16_t>{0, 0, 0, 0}));
  const auto pure = make_table(Profile::srgb(), press, {.black = BlackMode::kOnlyBlack});
  EXPECT_EQ(one(*pure, {0, 0, 0}), (std::vector<uint16_t>{0, 0, 0, kInk15}));
  EXPECT_EQ(one(*pure, {1, 0, 0})[0], one(*usual, {1, 0, 0})[0]);
  const auto neutral = make_table(Profile::srgb(), press, {.neutrals_to_black = true});
  for (const uint16_t v : std::initializer_list<uint16_t>{0, 1, 0x7777, 0xFFFE, 0xFFFF}) {
    const std::vector<uint16_t> inks = one(*neutral, {v, v, v});
    EXPECT_EQ(inks[0] + inks[1] + inks[2], 0) << v;
  }
  EXPECT_EQ(one(*neutral, {0, 0, 0})[3], kInk15);
  EXPECT_EQ(one(*neutral, {0xFFFF, 0xFFFF, 0xFFFF})[3], 0);
}

TEST(MakeTable, PrintsThePaperForAbsoluteProofs) {
  const auto absolute = make_table(written({}), Profile::srgb(), {.intent = Intent::kAbsolute});
  EXPECT_EQ(absolute->rule(), prepress::BlackRule::kNone);
  const auto relative = make_table(written({}), Profile::srgb(), {});
  EXPECT_EQ(one(*relative, {0, 0, 0, 0}), (std::vector<uint16_t>{kInk15, kInk15, kInk15}));
}

TEST(MakeTable, ConvertsGreyToGreyAndToBlack) {
  cmsToneCurve* gamma = cmsBuildGamma(nullptr, 2.2);
  const Profile grey =
      Profile::parse(bytes_of(cmsCreateGrayProfile(cmsD50_xyY(), gamma)), "grey.icc");
  cmsFreeToneCurve(gamma);
  const Profile press = written({});
  const auto mixed = make_table(grey, press, {});
  EXPECT_EQ(one(*mixed, {0xFFFF}), (std::vector<uint16_t>{0, 0, 0, 0}));
  EXPECT_GT(one(*mixed, {0x8000})[0], 1000);
  const auto black = make_table(grey, press, {.black = BlackMode::kOnlyBlack});
  EXPECT_EQ(one(*black, {0}), (std::vector<uint16_t>{0, 0, 0, kInk15}));
  EXPECT_EQ(one(*black, {0x8000})[0], 0);
  EXPECT_EQ(one(*black, {0xFFFF})[3], 0);
}

TEST(MakeTable, TakesCieLabWithNeutralsOnNodes) {
  const auto table = make_table(Profile::lab(), Profile::srgb(), {.black_point = false});
  // CIELab 53.59 0 0 is sRGB 128; 54.29 80.81 69.89 red.
  const auto lightness = static_cast<uint16_t>(std::lround(0.5359 * 65535));
  for (const uint16_t value : one(*table, {lightness, 0x8000, 0x8000})) {
    EXPECT_NEAR(value, 128 * 128, 64);
  }
  const auto white = one(*table, {0xFFFF, 0x8000, 0x8000});
  for (const uint16_t value : white) EXPECT_NEAR(value, kInk15, 2);
  const auto red = one(*table, {35576, 0x8000 + 256 * 81, 0x8000 + 256 * 70});
  EXPECT_NEAR(red[0], kInk15, 600);
  EXPECT_LT(red[1] + red[2], 3000);
}

TEST(MakeTable, TakesAndGivesManyInks) {
  const Profile seven = written({.space = cmsSig7colorData, .channels = 7, .grid = 2});
  const auto to_seven = make_table(written({}), seven, {.black = BlackMode::kProfile, .grid = 9});
  EXPECT_EQ(to_seven->shape(), (prepress::ColourShape{4, 7, 9}));
  // Inks without names get them from the caller: black is one of them.
  const auto named = make_table(Profile::srgb(),
                                seven,
                                {.black = BlackMode::kOnlyBlack,
                                 .grid = 5,
                                 .ink_names = {"C", "M", "Y", "Red", "Green", "Blue", "K"}});
  EXPECT_EQ(one(*named, {0, 0, 0}), (std::vector<uint16_t>{0, 0, 0, 0, 0, 0, kInk15}));
  const Profile six = written({.space = cmsSig6colorData, .channels = 6, .grid = 3});
  const auto from_six = make_table(six, written({}), {});
  EXPECT_EQ(from_six->shape(), (prepress::ColourShape{6, 4, 7}));
  EXPECT_EQ(one(*from_six, {0, 0, 0, 0, 0, 0}), (std::vector<uint16_t>{0, 0, 0, 0}));
}

TEST(MakeTable, UsesALinkAsItIs) {
  const Profile link = Profile::parse(written_link(cmsSigCmykData, 4), "link.icc");
  const auto table = make_link_table(link, {});
  std::mt19937 random(2);
  for (int i = 0; i < 200; ++i) {
    std::vector<uint16_t> colour;
    for (int c = 0; c < 4; ++c) colour.push_back(static_cast<uint16_t>(random()));
    const std::vector<uint16_t> inks = one(*table, colour);
    for (size_t c = 0; c < 4; ++c) EXPECT_NEAR(inks[c], ink15(colour[c], 65535), 3);
  }
}

TEST(MakeTable, KeepsEveryPixelToTheInkLimit) {
  const Profile link = Profile::parse(written_link(cmsSigCmykData, 4), "link.icc");
  const TableSettings settings = {.ink_limit_percent = 280, .grid = 9};
  std::mt19937 random(3);
  std::vector<std::vector<uint16_t>> in(4, std::vector<uint16_t>(200000));
  for (auto& plane : in) {
    for (uint16_t& sample : plane) sample = static_cast<uint16_t>(random() | 0x8000);
  }
  uint32_t most = 0;
  for (const auto& table :
       {make_link_table(link, settings), make_table(written({}), written({}), settings)}) {
    const auto out = converted(*table, in);
    for (size_t i = 0; i < in[0].size(); ++i) {
      most = std::max(most, uint32_t{out[0][i]} + out[1][i] + out[2][i] + out[3][i]);
    }
  }
  EXPECT_LE(most, 91392U);  // 2.8 solids
  EXPECT_GE(most, 91380U);
}

TEST(MakeTable, RefusesWhatDoesNotFit) {
  struct Case {
    Profile input, output;
    TableSettings settings;
    const char* finding;
  };
  const Profile cmyk = written({}), five = written({.space = cmsSig5colorData, .channels = 5});
  const std::vector<Case> cases = {
      {Profile::srgb(), cmyk, {.grid = 50}, "cannot have 50 nodes along each; it may have 2 to 49"},
      {Profile::srgb(),
       cmyk,
       {.black = BlackMode::kPlane},
       "the black plane can be kept from CMYK"},
      {cmyk, five, {.black = BlackMode::kOnlyBlack}, "needs an ink named black"},
      {five, cmyk, {.black = BlackMode::kOnlyBlack}, "for pages of grey, RGB and CMYK"},
      {cmyk, cmyk, {.neutrals_to_black = true}, "neutrals become black alone from RGB"},
      {cmyk, five, {.ink_limit_percent = 300}, "an ink limit needs the names of inks"},
      {cmyk, five, {.ink_names = {"C", "M"}}, "is of 5 inks, and 2 names are given"},
      {cmyk, cmyk, {.intent = Intent::kSaturation}, "no table for the intent saturation"},
  };
  for (const Case& each : cases) {
    try {
      make_table(each.input, each.output, each.settings);
      ADD_FAILURE() << each.finding;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
      EXPECT_NE(std::string(error.what()).find(each.finding), std::string::npos) << error.what();
    }
  }
}

TEST(MakeTable, HasAKeyOfAllThatDecidesIt) {
  const Profile press = written({}), other = written({.grid = 6});
  std::vector<std::string> keys = {icc::cache_key(press, nullptr, {}),
                                   icc::cache_key(press, &press, {}),
                                   icc::cache_key(press, &other, {}),
                                   icc::cache_key(other, &press, {})};
  const std::vector<TableSettings> settings = {{.intent = Intent::kPerceptual},
                                               {.black_point = false},
                                               {.black = BlackMode::kPlane},
                                               {.neutrals_to_black = true},
                                               {.ink_limit_percent = 299.5},
                                               {.limit_counts_spots = true},
                                               {.grid = 9},
                                               {.ink_names = {"K"}}};
  for (const TableSettings& each : settings) keys.push_back(icc::cache_key(press, &press, each));
  EXPECT_EQ(icc::cache_key(press, &press, {.grid = 23}), keys[1]);
  EXPECT_EQ(icc::cache_key(press, &press, {.black_point = true}), keys[1]);
  std::ranges::sort(keys);
  EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end());
  EXPECT_EQ(keys[0].size(), 64U);
}

}  // namespace
}  // namespace mezzo::test::make_table_test
