// Dots of several pixels against three plain steps: average, halftone at the coarse size, repeat.

#include "kernels/coarse_halftoner.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/band/ink_texture.h"
#include "tests/kernels/planes.h"
#include "tests/support/toy_search.h"

namespace mezzo::test::coarse_halftoner_test {
namespace {

const ToneCurve kGrey8(255, Polarity::kMaxIsPaper), kInk16(65535, Polarity::kMaxIsInk);

const ToneCurve& curve_of(uint32_t bytes_per_sample) {
  return bytes_per_sample == 1 ? kGrey8 : kInk16;
}

uint32_t squares(uint32_t pixels, uint32_t side) {
  return static_cast<uint32_t>(std::ceil(pixels / static_cast<double>(side)));
}

/// The mean of the pixels of the page in a square, halves rounded up.
uint32_t mean(const SamplePlane& in, uint32_t column, uint32_t row, uint32_t side) {
  double sum = 0, pixels = 0;
  for (uint32_t y = row * side; y < std::min((row + 1) * side, in.band.rows); ++y) {
    for (uint32_t x = column * side; x < std::min((column + 1) * side, in.band.width_px); ++x) {
      sum += in.get(x, y);
      ++pixels;
    }
  }
  return static_cast<uint32_t>(std::floor(sum / pixels + 0.5));
}

/// Runs the method in bands of `rows`, or of its own, with the context that it asks for and no more.
void run_in_context(const Halftoner& method,
                    const SampleBand& in,
                    const ToneCurve& curve,
                    const BitBand& out,
                    uint32_t rows) {
  const HalftonerTraits traits = method.traits();
  if (traits.band_rows != 0) rows = traits.band_rows;
  const auto state = method.make_state(in.width_px);
  SoloTeam solo;
  for (uint32_t row = 0; row < in.rows; row += std::min(rows, in.rows - row)) {
    SampleBand band = in.slice(row, std::min(rows, in.rows - row));
    band.rows_above = std::min(band.rows_above, traits.context_rows);
    band.rows_below = std::min(band.rows_below, traits.context_rows);
    method.run(band, curve, out.slice(row, band.rows), state.get(), solo);
  }
}

/// What dots of side x side pixels must look like.
void expect_dots(const Halftoner& method, const SamplePlane& in, uint32_t side, BitBand out) {
  SamplePlane means(
      squares(in.band.width_px, side), squares(in.band.rows, side), in.band.bytes_per_sample);
  for (uint32_t y = 0; y < means.band.rows; ++y) {
    for (uint32_t x = 0; x < means.band.width_px; ++x) means.set(x, y, mean(in, x, y, side));
  }
  means.band.plane = in.band.plane;
  means.band.texture = in.band.texture;
  BitPlane coarse(means.band.width_px, means.band.rows);
  const ToneCurve& curve = curve_of(in.band.bytes_per_sample);
  run_in_context(method, means.band, curve, coarse.band, means.band.rows);
  for (uint32_t y = 0; y < out.rows; ++y) {
    for (uint32_t x = 0; x < out.width_px; ++x) {
      ASSERT_EQ(out.ink(x, y), coarse.band.ink(x / side, y / side)) << x << ", " << y;
    }
  }
}

TEST(CoarseHalftoner, AveragesHalftonesAndRepeats) {
  SoloTeam solo;
  for (const std::string method : {"floyd-steinberg", "bayer", "pinwheel", "random"}) {
    for (const double side : {2, 3, 4}) {
      for (const auto& [width, rows] : std::vector<std::pair<uint32_t, uint32_t>>{
               {1, 1}, {2, 3}, {3, 2}, {35, 22}, {64, 65}, {97, 34}}) {
        for (const uint32_t bytes : {1U, 2U}) {
          SCOPED_TRACE(method + ", dot " + std::to_string(side) + ", " + std::to_string(width) +
                       " x " + std::to_string(rows));
          SamplePlane in(width, rows, bytes);
          fill(in, Fill::kNoise, bytes == 1 ? 255 : 65535, width);
          in.band.plane = 1;
          in.band.texture = texture_of_ink("cyan");
          const auto with_dots =
              make_reference(complete({.method = method, .parameters = {{"dot", side}}}));
          for (const std::vector<uint32_t>& heights : {std::vector<uint32_t>{rows}, {1}, {5, 2}}) {
            BitPlane out(width, rows);
            run_in_bands(*with_dots, in.band, curve_of(bytes), out.band, heights, solo);
            ASSERT_TRUE(out.guards_intact());
            expect_dots(*make_reference(complete({.method = method})),
                        in,
                        static_cast<uint32_t>(side),
                        out.band);
          }
        }
      }
    }
  }
}

TEST(CoarseHalftoner, GivesAMethodTheSlabsAndContextThatItAsksFor) {
  const Parameters slabs = {{"slab_rows", 6}};
  SamplePlane in(31, 47, 1);
  fill(in, Fill::kRamp, 255, 0);
  for (const Parameters& parameters : {Parameters{}, slabs}) {
    const auto method = [&] { return make(kToySearch, kToySchedules[0], parameters); };
    const auto with_dots = make_coarse_halftoner(method(), 3);
    EXPECT_EQ(with_dots->traits().band_rows, parameters.empty() ? kWholePlane : 18);
    BitPlane out(31, 47);
    toy_log().clear();
    run_in_context(*with_dots, in.band, kGrey8, out.band, in.band.rows);
    const std::vector<ToyLog::Run> runs = toy_log().runs;
    toy_log().clear();
    expect_dots(*method(), in, 3, out.band);
    EXPECT_EQ(runs, toy_log().runs);
    EXPECT_EQ(runs.size(), parameters.empty() ? 1U : 3U);
  }
}

TEST(CoarseHalftoner, ReadsNoRowsBeyondItsContext) {
  for (const std::string method : {"floyd-steinberg", "pinwheel"}) {
    for (const double side : {2, 3, 4}) {
      const auto halftoner =
          make_reference(complete({.method = method, .parameters = {{"dot", side}}}));
      SamplePlane in(50, 300, 1);
      fill(in, Fill::kNoise, 255, 3);
      BitPlane expected(50, 300), found(50, 300);
      run_whole(*halftoner, in.band, kGrey8, expected.band);
      run_in_context(*halftoner, in.band, kGrey8, found.band, 25);
      EXPECT_TRUE(same_bits(expected.band, found.band)) << method << ", " << side;
    }
  }
}

TEST(CoarseHalftoner, PassesRoundsOn) {
  const auto halftoner = make_coarse_halftoner(make(kToySearch, kToySchedules[0]), 2);
  SamplePlane in(20, 20, 1);
  BitPlane out(20, 20);
  SoloTeam solo;
  const auto state = halftoner->make_state(20);
  uint32_t reports = 0;
  state->on_round = [&](const RoundReport&) { ++reports; };
  halftoner->run(in.band, kGrey8, out.band, state.get(), solo);
  EXPECT_GT(reports, 0U);
}

}  // namespace
}  // namespace mezzo::test::coarse_halftoner_test
