#include "kernels/band/tone.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/band/ink15.h"

namespace mezzo::test::tone_test {
namespace {

TEST(IdentityTone, IsTheRoundedDefinition) {
  for (uint32_t v = 0; v < 256; ++v) {
    EXPECT_EQ(identity_tone(v), std::lround(v * 4096.0 / 255.0)) << v;
  }
}

TEST(IdentityTone15, IsTheRoundedDefinition) {
  for (uint32_t v = 0; v <= kInk15; ++v) {
    ASSERT_EQ(identity_tone15(v), std::lround(v * 4096.0 / kInk15)) << v;
  }
  for (uint32_t v = 0; v < 256; ++v) EXPECT_EQ(identity_tone15(128 * v), identity_tone(v));
}

TEST(ToneCurve, KnowsItsIdentity) {
  const ToneCurve grey(255, Polarity::kMaxIsPaper);
  EXPECT_EQ(grey.form(), ToneForm::kInverse8);
  const ToneCurve inverted(255, Polarity::kMaxIsPaper, {.invert = true});
  EXPECT_EQ(inverted.form(), ToneForm::kIdentity8);
  const ToneCurve dark(255, Polarity::kMaxIsInk, {.gamma = 0.9});
  EXPECT_EQ(dark.form(), ToneForm::kAny);
  EXPECT_EQ(ToneCurve(254, Polarity::kMaxIsInk).form(), ToneForm::kAny);
  EXPECT_EQ(ToneCurve(kInk15, Polarity::kMaxIsInk).form(), ToneForm::kIdentity15);
  EXPECT_EQ(ToneCurve(kInk15, Polarity::kMaxIsPaper).form(), ToneForm::kAny);
}

TEST(ToneCurve, CoversEveryDepth) {
  for (const uint32_t max_sample : {1U, 3U, 15U, 255U, 4095U, 65535U}) {
    const ToneCurve ink(max_sample, Polarity::kMaxIsInk);
    EXPECT_EQ(ink.max_sample(), max_sample);
    for (uint32_t v = 0; v <= max_sample; ++v) {
      ASSERT_EQ(ink[v], std::lround(v * 4096.0 / max_sample)) << max_sample << " " << v;
    }
    const ToneCurve paper(max_sample, Polarity::kMaxIsPaper);
    EXPECT_EQ(paper[0], kSolid);
    EXPECT_EQ(paper[max_sample], 0);
  }
}

TEST(ToneCurve, FollowsItsPoints) {
  const ToneSettings settings{.points = {{0, 0}, {50, 54}, {100, 100}}};
  const ToneCurve curve(100, Polarity::kMaxIsInk, settings);
  EXPECT_EQ(curve[50], std::lround(0.54 * 4096));
  EXPECT_EQ(curve[25], std::lround(0.27 * 4096));
  EXPECT_EQ(curve[75], std::lround(0.77 * 4096));
  EXPECT_EQ(curve[100], kSolid);
}

TEST(ToneCurve, HoldsTheEndsOfItsPoints) {
  const ToneCurve curve(100, Polarity::kMaxIsInk, {.points = {{10, 5}, {90, 80}}});
  EXPECT_EQ(curve[0], std::lround(0.05 * 4096));
  EXPECT_EQ(curve[100], std::lround(0.80 * 4096));
}

TEST(ToneSettings, AreChecked) {
  EXPECT_EQ(check(ToneSettings{}), "");
  EXPECT_EQ(check({.gamma = 0}), "gamma must lie in 0.1 .. 10");
  EXPECT_EQ(check({.gamma = std::nan("")}), "gamma must lie in 0.1 .. 10");
  EXPECT_EQ(check({.points = {{0, 0}, {120, 100}}}), "curve points must lie in 0% .. 100%");
  EXPECT_EQ(check({.points = {{50, 0}, {50, 100}}}),
            "the inputs of curve points must rise from point to point");
  EXPECT_EQ(check({.points = {{0, 50}, {50, 40}}}),
            "the outputs of curve points must not fall from point to point");
}

/// The tone of a sample by the words of the press file: job, then press, then plate.
double composed(double percent, const std::vector<std::vector<CurvePoint>>& curves) {
  for (const auto& points : curves) {
    size_t i = 1;
    while (points[i].in_percent < percent) ++i;
    const CurvePoint &a = points[i - 1], &b = points[i];
    percent = a.out_percent + (percent - a.in_percent) * (b.out_percent - a.out_percent) /
                                  (b.in_percent - a.in_percent);
  }
  return percent;
}

TEST(ToneCurve, PutsThePlateBehindThePressBehindTheJob) {
  const std::vector<CurvePoint> job = {{0, 0}, {50, 60}, {100, 100}};
  const std::vector<CurvePoint> press = {{0, 0}, {30, 20}, {50, 36.5}, {100, 100}};
  const std::vector<CurvePoint> plate = {{0, 0}, {40, 43}, {100, 100}};
  ToneSettings settings{.points = job};
  settings.curves = {{.points = press}, {.points = plate}};
  settings.curves[1].kind = ToneSettings::PressCurve::Kind::kPlate;
  ASSERT_EQ(check(settings), "");
  for (const uint32_t most : {255U, 65535U, 32640U}) {
    const ToneCurve curve(most, Polarity::kMaxIsInk, settings);
    EXPECT_EQ(curve[0], 0);
    EXPECT_EQ(curve[most], kSolid);
    for (uint32_t sample = 0; sample <= most; ++sample) {
      const double wanted = composed(100.0 * sample / most, {job, press, plate}) / 100 * kSolid;
      EXPECT_NEAR(curve[sample], wanted, 0.5001) << sample;
    }
  }
}

TEST(ToneCurve, CutsOffAndBumpsLightTonesOnly) {
  ToneSettings settings;
  settings.curves = {{.points = {{0, 0}, {100, 100}}, .cut_off_percent = 2}};
  const ToneCurve plain(1000, Polarity::kMaxIsInk);
  const ToneCurve cut(1000, Polarity::kMaxIsInk, settings);
  EXPECT_EQ(cut[19], 0);
  EXPECT_EQ(cut[20], plain[20]);
  EXPECT_EQ(cut[1000], kSolid);
  settings.curves = {
      {.points = {{0, 0}, {50, 40}, {100, 98}}, .bump_from_percent = 0.5, .bump_to_percent = 3}};
  const ToneCurve bumped(1000, Polarity::kMaxIsInk, settings);
  EXPECT_EQ(bumped[0], 0);
  EXPECT_EQ(bumped[4], 0);
  EXPECT_EQ(bumped[5], plain[30]);
  EXPECT_EQ(bumped[37], plain[30]);
  EXPECT_EQ(bumped[50], plain[40]);
  EXPECT_EQ(bumped[1000], plain[980]);
}

TEST(ToneSettings, CurvesOfAPressAreChecked) {
  const auto fault = [](ToneSettings::PressCurve curve) {
    ToneSettings settings;
    settings.curves = {std::move(curve)};
    return check(settings);
  };
  EXPECT_EQ(fault({.points = {{0, 0}, {100, 98}}}), "");
  EXPECT_NE(fault({.points = {}}), "");
  EXPECT_NE(fault({.points = {{0, 1}, {100, 100}}}), "");
  EXPECT_NE(fault({.points = {{0, 0}, {90, 100}}}), "");
  EXPECT_NE(fault({.points = {{0, 0}, {50, 40}, {60, 39}, {100, 100}}}), "");
  EXPECT_NE(fault({.points = {{0, 0}, {100, 100}}, .cut_off_percent = 101}), "");
}

}  // namespace
}  // namespace mezzo::test::tone_test
