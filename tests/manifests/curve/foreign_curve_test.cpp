// Curves of other programs: what is read, what is written, and what is refused.
#include "manifests/curve/foreign_curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "kernels/base/error.h"
#include "kernels/base/utf8.h"
#include "manifests/curve/curve_file.h"
#include "manifests/curve/monotone.h"
#include "tests/manifests/manifest_support.h"

namespace mezzo::curve::foreign_curve_test {
namespace {

using testing::HasSubstr;

std::vector<InkCurve> curves(const std::string& bytes, const CurveOptions& options = {}) {
  auto parsed = parse_curves(bytes, "c", options);
  if (auto* wrong = std::get_if<std::vector<Diagnostic>>(&parsed)) {
    ADD_FAILURE() << test::messages(*wrong);
    return {};
  }
  return std::move(std::get<std::vector<InkCurve>>(parsed));
}

std::string mistake(const std::string& bytes, const CurveOptions& options = {}) {
  const auto parsed = parse_curves(bytes, "c", options);
  const auto* wrong = std::get_if<std::vector<Diagnostic>>(&parsed);
  return wrong == nullptr ? "none" : test::messages(*wrong);
}

std::string cal(const std::string& fields,
                const std::string& rows,
                const std::string& device = "OUTPUT") {
  return "CAL\n\nDEVICE_CLASS \"" + device + "\"\nBEGIN_DATA_FORMAT\n" + fields +
         "\nEND_DATA_FORMAT\nBEGIN_DATA\n" + rows + "END_DATA\n";
}

/// Numbers of 16 bits, as .acv files have them.
std::string words(std::initializer_list<int> numbers) {
  std::string bytes;
  for (const int number : numbers) {
    bytes += static_cast<char>(number >> 8);
    bytes += static_cast<char>(number & 255);
  }
  return bytes;
}

const CurveOptions kInk = {.levels = Levels::kInk, .inks = {"cyan"}};

TEST(ForeignCurve, CalIsItsFirstTable) {
  const auto found = curves(cal("CMYK_I CMYK_C CMYK_K", "0 0 0\n.5 .4 .25\n1 1 1\n") +
                            "CAL\nBEGIN_DATA_FORMAT\nCMYK_I CMYK_C\nEND_DATA_FORMAT\nBEGIN_DATA\n1 "
                            "66.2\nEND_DATA\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0], (InkCurve{"cyan", {{0, 0}, {50, 40}, {100, 100}}}));
  EXPECT_EQ(found[1].ink, "black");
}

TEST(ForeignCurve, IsWrittenAndReadBack) {
  const std::vector<InkCurve> some = {{"cyan", {{0, 0}, {33.3, 20.125}, {100, 100}}},
                                      {"black", {{0, 0}, {50, 40}, {100, 100}}}};
  EXPECT_EQ(curves(cgats_text(some)), some);
  const auto read = curves(cal_text(some));
  ASSERT_EQ(read.size(), 4U);
  for (double tone = 0; tone <= 100; tone += 100.0 / 255) {
    EXPECT_NEAR(value_at(read[0].points, tone), value_at(some[0].points, tone), 1e-4);
    EXPECT_NEAR(value_at(read[1].points, tone), tone, 1e-4);  // magenta has none
  }
  const std::vector<InkCurve> spot = {{"PANTONE 185 C", {{0, 0}, {100, 100}}}};
  EXPECT_EQ(curves(cgats_text(spot)), spot);
  EXPECT_THROW(cal_text(spot), Error);
}

TEST(ForeignCurve, OurOwnFiles) {
  CurveFile file;
  file.press = "XL";
  file.ink = "cyan";
  file.screen = "am";
  file.dpi = 2400;
  file.curve.points = {{0, 0}, {50, 40}, {100, 100}};
  EXPECT_EQ(curves(curve_file_text(file)), (std::vector<InkCurve>{{"cyan", file.curve.points}}));
  file.curve.cut_off_percent = 2;
  EXPECT_THAT(mistake(curve_file_text(file)), HasSubstr("'cut_off' or 'bump'"));
}

TEST(ForeignCurve, PointsOfPhotoshop) {
  // A curve of all channels through (0, 0), (128, 96), (255, 255); output first.
  const auto found = curves(words({4, 1, 3, 0, 0, 96, 128, 255, 255}), kInk);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].points.size(), 256U);
  EXPECT_NEAR(value_at(found[0].points, 100 * 128 / 255.0), 100 * 96 / 255.0, 1e-9);
  // The natural spline through these at 64, by SciPy's CubicSpline(bc_type="natural").
  EXPECT_NEAR(value_at(found[0].points, 100 * 64 / 255.0) * 2.55, 41.953, 1e-3);
  // As light, the curve is turned about both axes.
  const auto light = curves(words({1, 1, 3, 0, 0, 96, 128, 255, 255}),
                            {.levels = Levels::kLight, .inks = {"cyan"}});
  EXPECT_NEAR(value_at(light[0].points, 100 * 127 / 255.0), 100 * 159 / 255.0, 1e-9);
  // A master that does nothing, and four channels.
  const auto four = curves(words({4, 5, 2,   0,   0, 255, 255, 3,   0,   0, 96, 128, 255, 255, 2,
                                  0, 0, 255, 255, 2, 0,   0,   255, 255, 2, 0,  0,   255, 255}),
                           {.levels = Levels::kInk});
  ASSERT_EQ(four.size(), 4U);
  EXPECT_EQ(four[0].ink, "cyan");
  EXPECT_EQ(four[3].ink, "black");
  EXPECT_NEAR(value_at(four[1].points, 50), 50, 1e-9);
}

TEST(ForeignCurve, TablesOfPhotoshop) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i * i / 255);
  EXPECT_NEAR(value_at(curves(bytes, kInk)[0].points, 100 * 100 / 255.0), 100 * 39 / 255.0, 1e-9);
  const auto two = curves(bytes + bytes, {.levels = Levels::kInk, .inks = {"orange", "green"}});
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[1].ink, "green");
}

TEST(RefusedForeignCurve, SaysWhy) {
  const std::string good = words({4, 1, 3, 0, 0, 96, 128, 255, 255});
  const std::string fields = "CMYK_I CMYK_C";
  EXPECT_THAT(mistake(good, {.inks = {"cyan"}}), HasSubstr("--levels ink, or --levels light"));
  EXPECT_THAT(mistake(good.substr(0, 10), kInk),
              HasSubstr("the file ends within a curve: it is cut"));
  EXPECT_THAT(mistake(words({4, 3, 2, 0, 0, 255, 255}), kInk),
              HasSubstr("before all of its curves"));
  EXPECT_THAT(mistake(words({4, 1, 1, 0, 0}), kInk), HasSubstr("a curve has 1 points"));
  EXPECT_THAT(mistake(words({4, 1, 2, 0, 0, 300, 255}), kInk), HasSubstr("levels end at 255"));
  EXPECT_THAT(mistake(words({4, 1, 2, 0, 9, 255, 9}), kInk), HasSubstr("do not rise"));
  EXPECT_THAT(mistake(words({4, 0}), kInk), HasSubstr("it has 0 curves"));
  EXPECT_THAT(mistake(good + "more", kInk), HasSubstr("goes on behind its curves"));
  EXPECT_THAT(mistake(words({4, 1, 2, 255, 0, 0, 255}), kInk),
              HasSubstr("cyan: the curve prints 100 %"));
  EXPECT_THAT(mistake(words({4, 1, 2, 0, 0, 250, 255}), kInk), HasSubstr("solids at 98.04 %"));
  EXPECT_THAT(mistake(words({4, 2, 2, 0, 0, 200, 255, 2, 0, 0, 200, 255}), kInk),
              HasSubstr("a curve of all channels, and curves of single ones"));
  EXPECT_THAT(mistake(good, {.levels = Levels::kInk, .inks = {}}), HasSubstr("name the inks"));
  EXPECT_THAT(mistake(cal(fields, "0 0\n1 1\n", "DISPLAY")),
              HasSubstr("3:14: the calibration is of"));
  EXPECT_THAT(mistake(cal("RGB_I RGB_R RGB_G RGB_B", "0 0 0 0\n1 1 1 1\n")),
              HasSubstr("5:7: 'RGB_R' is none"));
  EXPECT_THAT(mistake(cal(fields, "0 0\n50 40\n100 100\n")),
              HasSubstr("9:1: 'CMYK_I' must be from 0 to 1"));
  EXPECT_THAT(mistake(cal(fields, "0 0\n1 .97\n")),
              HasSubstr("5:8: cyan: the curve leaves solids at 97 %"));
  EXPECT_THAT(mistake(cal(fields, "0 .02\n1 1\n")),
              HasSubstr("cyan: the curve prints 2 % on paper"));
  EXPECT_THAT(mistake(cal(fields, "0 0\n.5 .6\n.7 .5\n1 1\n")),
              HasSubstr("falls from 60 % to 50 % at 70 %"));
  EXPECT_THAT(mistake(cal(fields, "0 0\n.5 .6\n.5 .7\n1 1\n")),
              HasSubstr("do not rise behind 50 %"));
  EXPECT_THAT(mistake(cal(fields, "0 0\n.5 .6\n")), HasSubstr("does not go from paper to solid"));
  EXPECT_THAT(mistake(cal(fields, "0 0\n")), HasSubstr("fewer than 2 points"));
  EXPECT_THAT(mistake(cal("CMYK_I CMYK_C CMY_C", "0 0 0\n1 1 1\n")),
              HasSubstr("5:15: 'CMY_C' is the second field of cyan"));
  EXPECT_THAT(mistake(cal("CMYK_I CMYK_C CMY_I", "0 0 0\n1 1 1\n")),
              HasSubstr("5:15: 'CMY_I' is the second field of levels"));
  EXPECT_THAT(mistake(cal("CMYK_C", "0\n1\n")), HasSubstr("a calibration has CMYK_I and inks"));
  EXPECT_THAT(mistake("CGATS.17\nBEGIN_DATA_FORMAT\nCMYK_C D_RED\nEND_DATA_FORMAT\nBEGIN_DATA\n0 "
                      "1\nEND_DATA\n"),
              HasSubstr("measurements become curves by 'mezzotint linearise'"));
  EXPECT_THAT(mistake("0,0\n50,40\n"), HasSubstr("the file is no curve that is known here"));
  EXPECT_THAT(mistake(""), HasSubstr("the file is no curve that is known here"));
}

TEST(MutatedForeignCurve, NeverCrashes) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const std::string texts[] = {
      words({4, 2, 3, 0, 0, 96, 128, 255, 255, 2, 0, 0, 255, 255}),
      cal("CMYK_I CMYK_C", "0 0\n.5 .4\n1 1\n"),
      cgats_text(std::vector<InkCurve>{{"cyan", {{0, 0}, {50, 40}, {100, 100}}}}),
  };
  for (size_t i = 0; i < 30'000; ++i) {
    std::string text = texts[i % 3];
    for (int k = 0; k < 2; ++k) {
      const size_t at = random() % text.size();
      if (random() % 3 == 0) {
        text.erase(at, 1);
      } else {
        text[at] = static_cast<char>(random() % 4 == 0 ? random() % 256 : '0' + random() % 10);
      }
    }
    const auto parsed = parse_curves(text, "c", kInk);
    if (const auto* wrong = std::get_if<std::vector<Diagnostic>>(&parsed)) {
      ASSERT_TRUE(is_clean_text(wrong->front().message + wrong->front().hint)) << text;
    } else {
      for (const InkCurve& curve : std::get<0>(parsed)) {
        ASSERT_EQ(curve.points.front(), (CurvePoint{0, 0}));
        ASSERT_EQ(curve.points.back(), (CurvePoint{100, 100}));
      }
    }
  }
}

}  // namespace
}  // namespace mezzo::curve::foreign_curve_test
