// Ramps become dot areas, dot areas curves; each refusal has a measurement that triggers it.
#include "manifests/curve/fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "manifests/curve/judge.h"
#include "manifests/curve/read_measurement.h"
#include "manifests/curve/wedge_facts.h"
#include "tests/manifests/manifest_support.h"

namespace mezzo::curve::fit_test {
namespace {

using testing::HasSubstr;

constexpr double kSteps[] = {0,  1,  2,  3,  4,  5,  7,  10, 13, 16, 20, 25, 30, 35, 40, 44, 48,
                             52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 91, 94, 96, 98, 99, 100};

/// The dot area of a press with a tone value increase of `gain` percent at 50 %.
double printed(double nominal, double gain = 17) {
  const double a = nominal / 100;
  return nominal + 4 * gain * a * (1 - a);
}

/// A wedge as a table of areas: a function gives the reading of a step and repeat, empty for none.
using Reader = std::function<std::optional<double>(double nominal, int repeat)>;
std::string areas(const Reader& area, int repeats = 4) {
  std::string text = "ink,nominal,area\n";
  for (const double step : kSteps) {
    for (int i = 0; i < repeats; ++i) {
      const auto found = area(step, i);
      if (!found) continue;
      text += "cyan," + std::to_string(step) + "," + std::to_string(*found) + "\n";
    }
  }
  return text;
}

Measurement measured(const std::string& text, const ReadOptions& options = {}) {
  auto parsed = parse_measurement(text, "m.csv", options);
  if (auto* wrong = std::get_if<std::vector<Diagnostic>>(&parsed)) {
    ADD_FAILURE() << test::messages(*wrong);
    return {};
  }
  return std::move(std::get<Measurement>(parsed));
}

Ramp ramp(const Measurement& measurement, const RampOptions& options = {}, size_t ink = 0) {
  auto found = ramp_of(measurement, ink, options);
  if (auto* wrong = std::get_if<std::vector<Diagnostic>>(&found)) {
    ADD_FAILURE() << test::messages(*wrong);
    return {};
  }
  return std::move(std::get<Ramp>(found));
}

CurveFit fit(const std::string& text, const Target& target = linear_target()) {
  const Measurement measurement = measured(text);
  return fit_curve(ramp(measurement), target, nullptr, *measurement.source);
}

std::string refusals(const std::string& text, const Target& target = linear_target()) {
  return test::messages(fit(text, target).refusals);
}

TEST(Fit, UndoesTheGainOfAPress) {
  const CurveFit found = fit(areas([](double step, int) { return printed(step); }));
  EXPECT_EQ(test::messages(found.refusals), "");
  EXPECT_FALSE(found.outlier.has_value());
  EXPECT_NEAR(found.gain_50, 17, 0.05);
  EXPECT_EQ(found.points.front(), (CurvePoint{0, 0}));
  EXPECT_EQ(found.points.back(), (CurvePoint{100, 100}));
  EXPECT_LE(found.points.size(), 256U);
  for (double tone = 0; tone <= 100; tone += 0.5) {
    EXPECT_NEAR(printed(value_at(found.points, tone)), tone, 0.1) << tone;
  }
}

TEST(Fit, AimsAtATarget) {
  const std::string text = areas([](double step, int) { return printed(step, 20); });
  const auto worst = [&](const Target& target) {
    const CurveFit found = fit(text, target);
    double most = 0;
    for (double tone = 0; tone <= 100; tone += 0.5) {
      const double error = printed(value_at(found.points, tone), 20) - target.tone(tone);
      most = std::max(most, std::abs(error));
    }
    return most;
  };
  EXPECT_LT(worst(tvi_target(16)), 0.1);
  EXPECT_LT(worst(points_target({{0, 0}, {50, 40}, {100, 100}})), 0.1);
  const Measurement other = measured(areas([](double step, int) { return printed(step, 12); }));
  EXPECT_LT(worst(like_target(ramp(other), "set.txt")), 0.1);
  EXPECT_EQ(like_target(ramp(other), "set.txt").text, "like: set.txt");
}

TEST(Fit, RefinesTheCurveThatWasOn) {
  // The press gains 17, the curve that was on corrects for 12.
  std::vector<CurvePoint> on;
  for (double tone = 0; tone <= 100; tone += 1) on.push_back({tone, printed(tone, -12)});
  const Measurement measurement =
      measured(areas([&](double step, int) { return printed(value_at(on, step)); }));
  const CurveFit found = fit_curve(ramp(measurement), linear_target(), &on, *measurement.source);
  EXPECT_EQ(test::messages(found.refusals), "");
  for (double tone = 0; tone <= 100; tone += 0.5) {
    EXPECT_NEAR(printed(value_at(found.points, tone)), tone, 0.15) << tone;
  }
}

TEST(Fit, KeepsPlateausAndJumps) {
  const CurveFit found = fit(areas([](double step, int) -> double {
    if (step == 0 || step == 100) return step;
    return step < 48 ? step * 0.9 : step < 52 ? 45 : std::min(step + 6, 99.5);
  }));
  for (size_t i = 1; i < found.points.size(); ++i) {
    EXPECT_GE(found.points[i].out_percent, found.points[i - 1].out_percent);
  }
  EXPECT_LT(value_at(found.points, 56) - value_at(found.points, 46), 5);
}

TEST(Fit, EvensOnlyStepsThatAreClose) {
  std::vector<Step> steps;
  for (const double nominal : {0, 1, 2, 3, 4, 5, 40, 44, 48, 52}) {
    steps.push_back({{}, nominal, 2 * nominal + (nominal == 3 || nominal == 44 ? 1 : 0), 0, 4});
  }
  const std::vector<Step> even = evened(steps, 3.5);
  EXPECT_NEAR(even[3].mean, 6.35, 0.1);
  EXPECT_NEAR(even[1].mean, 2, 0.3);
  for (size_t i = 6; i < steps.size(); ++i) EXPECT_EQ(even[i].mean, steps[i].mean);
  // A straight line stays one.
  steps[3].mean = 6;
  for (size_t i = 0; i < 6; ++i) EXPECT_NEAR(evened(steps, 3.5)[i].mean, steps[i].mean, 1e-9);
}

TEST(Ramp, HasThePaperOfAllInksUnlessOneFilterSawIt) {
  const Measurement table = measured(
      "CGATS.17\nBEGIN_DATA_FORMAT\nINK NOMINAL D_RED D_GREEN D_BLUE D_VIS\nEND_DATA_FORMAT\n"
      "BEGIN_DATA\ncyan 0 .05 .06 .07 .08\ncyan 100 1.5 .8 .5 .7\n"
      "black 0 .07 .06 .07 .08\nblack 100 1.5 1.5 1.5 1.6\nEND_DATA\n");
  EXPECT_EQ(ramp(table).readings.size(), 3U);
  EXPECT_NEAR(*ramp(table).solid_density, 1.44, 1e-9);
  const Measurement csv =
      measured("ink,nominal,density\ncyan,0,.05\ncyan,100,1.5\nblack,0,.07\nblack,100,1.6\n");
  EXPECT_EQ(ramp(csv).readings.size(), 2U);
  EXPECT_NEAR(*ramp(csv).solid_density, 1.45, 1e-9);
}

TEST(Fit, LeavesOneReadingOut) {
  const auto area = [](double step, int repeat) -> std::optional<double> {
    const double noise = (repeat % 2 == 0 ? 0.3 : -0.3);
    return printed(step) + (step == 0 || step == 100 ? 0 : noise) +
           (step == 30 && repeat == 2 ? -9 : 0);
  };
  const CurveFit found = fit(areas(area));
  ASSERT_TRUE(found.outlier.has_value());
  EXPECT_EQ(found.outlier->reading.place.line, 1U + 12 * 4 + 3);
  EXPECT_NEAR(found.outlier->others, printed(30), 0.2);
  EXPECT_GT(found.outlier->sigmas, 10);
  EXPECT_EQ(test::messages(found.refusals), "");
  EXPECT_EQ(found.steps[12].count, 3U);
}

TEST(Refused, SolidThatIsTooLight) {
  const Measurement weak = measured(
      "ink,nominal,density\ncyan,0,0.07\ncyan,20,.1\ncyan,30,.13\ncyan,40,.16\ncyan,50,.19\n"
      "cyan,60,.2\ncyan,70,.22\ncyan,80,.24\ncyan,90,.26\ncyan,100,0.27\n");
  EXPECT_THAT(
      test::messages(fit_curve(ramp(weak), linear_target(), nullptr, *weak.source).refusals),
      HasSubstr("11:1: cyan: the solid has a density of 0.20 over paper, and an ink has at "
                "least 0.3\n"));
}

TEST(Refused, StepBack) {
  EXPECT_THAT(
      refusals(areas([](double step, int) { return printed(step) - (step == 64 ? 6 : 0); })),
      HasSubstr("82:1: cyan: the step 64 % is 2.7 % of dot lighter than 60 %, which is below"));
}

TEST(Refused, GainThatNoPressHas) {
  EXPECT_THAT(
      refusals(areas([](double step, int) { return printed(step, -20); })),
      HasSubstr("cyan: the tone value increase at 50 % is -20.0, and presses have -15 to +45"));
  EXPECT_THAT(
      refusals(areas([](double step, int) { return step == 0 ? 0 : std::min(100.0, 3 * step); })),
      HasSubstr("cyan: the tone value increase at 50 % is +45.8"));
}

TEST(Refused, SlopeAndChangeThatTonesDoNotBear) {
  const auto flat = [](double step, int) {
    return step <= 20   ? step * 1.25
           : step <= 44 ? 25 + (step - 20) * 0.08
           : step <= 56 ? 27 + (step - 44) * 5
                        : 87 + (step - 56) * 13 / 44;
  };
  EXPECT_THAT(refusals(areas(flat)),
              HasSubstr(" % the curve would rise by 0.08 for each 1 %; a curve must rise by "));
  EXPECT_THAT(refusals(areas([](double step, int) { return printed(step, 24); }),
                       points_target({{0, 0}, {40, 10}, {100, 100}})),
              HasSubstr("cyan: the curve would move 61 % by -37.0"));
}

TEST(Refused, FewSteps) {
  const Reader some = [](double step, int) -> std::optional<double> {
    return std::fmod(step, 20) == 0 ? std::optional(printed(step)) : std::nullopt;
  };
  EXPECT_THAT(refusals(areas(some)),
              HasSubstr("2:1: cyan: 6 steps were measured, and a curve needs 9"));
}

TEST(Refused, SpreadOfRepeats) {
  const auto area = [](double step, int repeat) {
    return printed(step) + (step == 30 ? 4 * (repeat % 2) : 0);
  };
  EXPECT_THAT(
      refusals(areas(area)),
      HasSubstr("50:1: cyan: the repeats of 30 % differ by 2.3 % of dot (standard deviation), "
                "and 2 % is the most"));
}

TEST(Refused, SolidThatIsLighterThanATint) {
  EXPECT_THAT(refusals(areas([](double step, int) { return step == 100 ? 94 : printed(step, 5); })),
              HasSubstr("130:1: cyan: the solid reads 94.0 % of dot"));
  const Measurement swapped = measured(
      "ink,nominal,density\ncyan,0,0.07\ncyan,10,.12\ncyan,20,.17\ncyan,30,.24\ncyan,40,.31\n"
      "cyan,50,.4\ncyan,70,.62\ncyan,90,1.05\ncyan,96,1.5\ncyan,100,1.2\n");
  EXPECT_THAT(
      test::messages(fit_curve(ramp(swapped), linear_target(), nullptr, *swapped.source).refusals),
      HasSubstr("11:1: cyan: the solid reads 96.2 % of the step 96 %, which is darker"));
}

TEST(Refused, NoPaperOrSolid) {
  const auto mistake = [](const std::string& text) {
    const auto found = ramp_of(measured(text), 0, {});
    const auto* wrong = std::get_if<std::vector<Diagnostic>>(&found);
    return wrong == nullptr ? "none" : test::messages(*wrong);
  };
  EXPECT_THAT(mistake("ink,nominal,density\ncyan,5,0.1\ncyan,100,1.5\n"),
              HasSubstr("2:1: cyan: no patch of 0 % (paper) was measured"));
  EXPECT_THAT(mistake("ink,nominal,density\ncyan,0,0.1\ncyan,98,1.5\n"),
              HasSubstr("2:1: cyan: no patch of 100 % (solid) was measured"));
  EXPECT_THAT(mistake("ink,nominal,density\ncyan,0,0.1\n"),
              HasSubstr("no patch has this ink alone"));
  EXPECT_THAT(mistake("ink,nominal,density\ncyan,0,0.1\ncyan,50,.1\ncyan,100,.1\n"),
              HasSubstr("2:1: cyan: paper and solid measure the same"));
}

/// What speaks against facts, of a measurement with this header.
std::string facts(const std::string& header, const PrintFacts& said, const CurveFile* on) {
  const Measurement measurement =
      measured("CGATS.17\n" + header +
               "BEGIN_DATA_FORMAT\nCMYK_C D_RED\nEND_DATA_FORMAT\nBEGIN_DATA\n0 .1\nEND_DATA\n");
  CurveFile file;
  return test::messages(settle_facts(said, measurement, on, file, "cyan"));
}

TEST(Refused, AnotherPressScreenResolutionOrPaper) {
  const std::string header = "PRESS XL\nINK cyan\nSCREEN am175\nDPI 2400\nPAPER GC1\n";
  EXPECT_EQ(facts(header, {}, nullptr), "");
  EXPECT_EQ(facts(header, {"XL", "am175", 2400, "GC1"}, nullptr), "");
  EXPECT_THAT(facts(header, {.press = "SM"}, nullptr),
              HasSubstr("the wedge is of press 'XL', and the curve is for 'SM'"));
  EXPECT_THAT(facts(header, {.screen = "am150"}, nullptr), HasSubstr("of screen 'am175'"));
  EXPECT_THAT(facts(header, {.dpi = 1270}, nullptr), HasSubstr("of resolution '2400'"));
  EXPECT_THAT(facts(header, {.paper = "GC2"}, nullptr), HasSubstr("of paper 'GC1'"));
  CurveFile on;
  on.press = "XL";
  on.screen = "am175";
  on.dpi = 2540;
  on.paper = "GC1";
  EXPECT_THAT(
      facts(header, {}, &on),
      HasSubstr("the curve that is refined is for resolution '2540', and the wedge is of '2400'"));
}

TEST(Refused, WedgeWithOtherCurves) {
  const CurveFile on;
  EXPECT_THAT(facts("CURVES all\n", {}, nullptr), HasSubstr("the wedge was printed with a curve"));
  EXPECT_EQ(facts("CURVES plate\n", {}, nullptr), "");
  EXPECT_THAT(facts("CURVES none\n", {}, &on),
              HasSubstr("printed without the curve that is to be refined"));
  CurveFile refined;
  refined.curve.digest = "1a2b3c4d5e6f";
  const std::string all = "INKS \"black, cyan\"\nCURVES all\nCURVES_2 \"press c.yaml (";
  EXPECT_EQ(facts(all + "1a2b3c4d)\"\n", {}, &refined), "");
  EXPECT_THAT(facts(all + "99999999)\"\n", {}, &refined),
              HasSubstr("(1a2b3c4d) is not the one that the wedge was printed with"));
  EXPECT_THAT(facts("CURVES some\n", {}, nullptr), HasSubstr("none of none, plate and all"));
}

TEST(Ramp, TakesTheFilterOfItsInk) {
  const Measurement found = measured(
      "CGATS.17\nBEGIN_DATA_FORMAT\nCMYK_M CMYK_K D_RED D_GREEN D_BLUE D_VIS\nEND_DATA_FORMAT\n"
      "BEGIN_DATA\n0 0 .05 .06 .07 .08\n100 0 .2 1.5 .8 .7\n0 100 1.9 1.7 1.6 1.8\nEND_DATA\n");
  EXPECT_EQ(ramp(found).channel, "D_GREEN");
  EXPECT_NEAR(*ramp(found).solid_density, 1.44, 1e-9);
  EXPECT_EQ(ramp(found, {}, 1).channel, "D_VIS");
  const Measurement spot = measured(
      "CGATS.17\nBEGIN_DATA_FORMAT\nINK NOMINAL D_RED D_GREEN D_BLUE D_VIS XYZ_X XYZ_Y XYZ_Z\n"
      "END_DATA_FORMAT\nBEGIN_DATA\nOrange 0 .05 .06 .07 .08 83 86 71\nOrange 50 .1 .3 .5 .3 60 55 "
      "25\n"
      "Orange 100 .2 .8 1.5 .7 45 35 6\nEND_DATA\n");
  EXPECT_EQ(ramp(spot).formula, Formula::kSctv);
  EXPECT_EQ(ramp(spot, {.formula = Formula::kDensity}).channel, "D_BLUE");
  EXPECT_EQ(ramp(spot, {.formula = Formula::kXyz}).channel, "Z");
  EXPECT_NEAR(ramp(spot).readings[2].area, 100, 1e-9);
}

TEST(ParsedTarget, IsExact) {
  EXPECT_EQ(parse_target("tvi:16").value->text, "tvi: 16%");
  EXPECT_EQ(parse_target("tvi: 16%").value->tone(50), 66);
  EXPECT_EQ(parse_target("linear").value->tone(33), 33);
  EXPECT_EQ(parse_target("sctv").value->text, "sctv");
  for (const char* const wrong :
       {"", "tvi", "tvi:", "tvi:26", "tvi:-26", "tvi:1,5", "iso-a", "TVI:16"}) {
    EXPECT_FALSE(parse_target(wrong).value.has_value()) << wrong;
  }
}

}  // namespace
}  // namespace mezzo::curve::fit_test
