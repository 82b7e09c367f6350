// halftone(), as a program calls it: the bits of the method's reference, and refusals in words.

#include "kernels/halftone.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/gpu/gpu.h"
#include "tests/kernels/planes.h"

namespace mezzo::test::halftone_test {
namespace {

using ::testing::HasSubstr;

constexpr uint32_t kWidth = 37, kHeight = 21;

std::span<const uint8_t> samples8(const SamplePlane& plane) {
  return {plane.band.row8(0), plane.bytes.size()};
}

Bits reference(const HalftoneSettings& settings,
               const SampleBand& in,
               const ToneCurve& curve = {255, Polarity::kMaxIsPaper}) {
  Bits bits{std::vector<uint8_t>(bit_row_bytes(in.width_px) * in.rows), in.width_px, in.rows};
  run_whole(*make_reference(complete(settings)),
            in,
            curve,
            {bits.bytes.data(), in.width_px, in.rows, bits.stride_bytes()});
  return bits;
}

/// The message of the Error that this call throws, which must be of that kind.
template <typename Call>
std::string refusal(const Call& call, ErrorKind kind = ErrorKind::kUsage) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no Error";
  return {};
}

TEST(Halftone, GivesTheBitsOfEveryMethodsReference) {
  SamplePlane in(kWidth, kHeight, 1);
  fill(in, Fill::kRamp, 255, 0);
  for (const MethodInfo& method : methods()) {
    const std::string name(method.name);
    Parameters parameters = tested_parameters(method).front();
    for (const ParameterInfo& parameter : method.parameters) {
      if (parameter.source == ParameterInfo::Source::kPlate)
        parameters[std::string(parameter.name)] = 2400;
    }
    HalftoneSettings settings = settings_of(method);
    settings.parameters = parameters;
    EXPECT_EQ(halftone(samples8(in),
                       kWidth,
                       kHeight,
                       {.method = name,
                        .parameters = {parameters.begin(), parameters.end()},
                        .tile = settings.tile.values})
                  .bytes,
              reference(settings, in.band).bytes)
        << name;
  }
}

TEST(Halftone, TakesSamplesOf16BitsWithAStrideAndALargestValue) {
  constexpr uint32_t kStride = kWidth + 5, kMost = 4095;
  SamplePlane in(kStride, kHeight, 2);
  fill(in, Fill::kNoise, kMost, 1);
  SampleBand left = in.band;
  left.width_px = kWidth;
  left.plane = 2;
  const ToneCurve curve(kMost, Polarity::kMaxIsInk, {.gamma = 1.5});
  const Bits bits = halftone(std::span(in.band.row16(0), size_t{kStride} * kHeight - 5),
                             kWidth,
                             kHeight,
                             {.method = "zhou-fang",
                              .polarity = Polarity::kMaxIsInk,
                              .max_sample = kMost,
                              .tone = {.gamma = 1.5},
                              .stride = kStride,
                              .ink = 2});
  EXPECT_EQ(bits.bytes, reference({.method = "zhou-fang"}, left, curve).bytes);
}

TEST(Halftone, TakesParametersByName) {
  SamplePlane in(kWidth, kHeight, 1);
  fill(in, Fill::kMidtone, 255, 2);
  ThreadTeam team(3);
  const Bits bits = halftone(
      samples8(in),
      kWidth,
      kHeight,
      {.method = "pinwheel", .parameters = {{"path", "serpentine"}, {"block", 8}}, .team = &team});
  EXPECT_EQ(
      bits.bytes,
      reference({.method = "pinwheel", .parameters = {{"path", 1}, {"block", 8}}}, in.band).bytes);
}

TEST(Halftone, RefusesWhatCannotBeInWords) {
  SamplePlane in(kWidth, kHeight, 1);
  fill(in, Fill::kPaper, 255, 0);
  const auto refused = [&](const HalftoneOptions& options) {
    return refusal([&] { halftone(samples8(in), kWidth, kHeight, options); });
  };
  EXPECT_THAT(refused({.method = "floyd-steinburg"}), HasSubstr("did you mean 'floyd-steinberg'?"));
  EXPECT_THAT(refused({.method = "bayer", .parameters = {{"ordre", 3}}}), HasSubstr("'order'"));
  EXPECT_THAT(refused({.method = "bayer", .parameters = {{"order", 9}}}), HasSubstr("1 .. 6"));
  EXPECT_THAT(refused({.method = "bayer", .parameters = {{"order", "three"}}}),
              HasSubstr("'order' must be a number, not 'three'"));
  EXPECT_THAT(refused({.method = "pinwheel", .parameters = {{"path", "zigzag"}}}),
              HasSubstr("'path' must be 'spiral' or 'serpentine', not 'zigzag'"));
  EXPECT_THAT(refused({.method = "bayer", .engine = Engine::kHybrid}),
              HasSubstr("method 'bayer' does not run on engine 'hybrid'"));
  EXPECT_THAT(refused({.max_sample = 256}), HasSubstr("at most 255"));
  EXPECT_THAT(refused({.max_sample = 100}), HasSubstr("at x 0, y 0 is 255"));
  EXPECT_THAT(refused({.tone = {.gamma = 0}}), HasSubstr("gamma"));
  EXPECT_THAT(refused({.stride = kWidth - 1}), HasSubstr("less than the width"));
  EXPECT_THAT(refused({.stride = SIZE_MAX}), HasSubstr("too few"));
}

TEST(Halftone, RefusesWhatOnlyAPlanOfThePageKnows) {
  SamplePlane in(kWidth, kHeight, 1);
  fill(in, Fill::kPaper, 255, 0);
  const auto refused = [&](const HalftoneOptions& options) {
    return refusal([&] { halftone(samples8(in), kWidth, kHeight, options); });
  };
  const std::string needs = "method 'am' needs dpi=: resolution of the plate, in dpi";
  EXPECT_EQ(refused({.method = "am"}), needs);
  EXPECT_EQ(refused({.method = "am", .parameters = {{"dpi", 0}}}), needs);
  EXPECT_THAT(refused({.method = "am", .parameters = {{"dpi", 600}}, .ink = 1}),
              HasSubstr("needs angle="));
  EXPECT_THAT(refused({.method = "am", .parameters = {{"dpi", 600}, {"moire", "accept"}}}),
              HasSubstr("'moire' must be 'refuse' here"));
  EXPECT_THAT(refused({.parameters = {{"inks", "together"}}}),
              HasSubstr("'inks' must be 'apart' here"));
  const auto tile = std::make_shared<const screen::TileValues>();
  EXPECT_THAT(refused({.method = "bayer", .tile = tile}), HasSubstr("takes no tile"));
}

TEST(Halftone, RefusesSizesThatCannotBe) {
  SamplePlane in(kWidth, kHeight, 1);
  const auto refused = [&](uint32_t width, uint32_t height) {
    return refusal([&] { halftone(samples8(in), width, height); });
  };
  EXPECT_THAT(refused(0, kHeight), HasSubstr("0 x 21"));
  EXPECT_THAT(refused(kWidth, 0), HasSubstr("37 x 0"));
  EXPECT_THAT(refused(kMostPixelsASide + 1, 1), HasSubstr("must be 1 .. 1048576"));
  EXPECT_THAT(refused(kWidth, kHeight + 1), HasSubstr("777 samples are too few for 37 x 22"));
}

TEST(Halftone, SaysThatThereIsNoGpu) {
  if (!gpu::list_gpus().gpus.empty()) GTEST_SKIP() << "there is one";
  SamplePlane in(kWidth, kHeight, 1);
  EXPECT_THAT(refusal([&] { halftone(samples8(in), kWidth, kHeight, {.engine = Engine::kGpu}); },
                      ErrorKind::kDevice),
              HasSubstr("engine 'gpu' needs a GPU, and there is none: "));
}

}  // namespace
}  // namespace mezzo::test::halftone_test
