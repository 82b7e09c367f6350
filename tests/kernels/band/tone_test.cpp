#include "kernels/band/tone.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/band/ink15.h"

namespace mezzo::test {
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

}  // namespace
}  // namespace mezzo::test
