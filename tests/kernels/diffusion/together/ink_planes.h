// Planes of several inks for tests: made input, guarded output and how to run them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/diffusion/together/account.h"
#include "kernels/together/inks_halftoner.h"
#include "tests/kernels/planes.h"

namespace mezzo::test {

/// Samples, curves and bits of several inks.
struct InkPlanes {
  InkPlanes(uint32_t inks, uint32_t width, uint32_t rows, uint32_t bytes_per_sample)
      : curve(bytes_per_sample == 1 ? 255 : 4095, Polarity::kMaxIsPaper), curves(inks, &curve) {
    for (uint32_t k = 0; k < inks; ++k) {
      samples.push_back(std::make_unique<SamplePlane>(width, rows, bytes_per_sample));
      samples[k]->band.first_row = 300;
      samples[k]->band.plane = k + 1;
      samples[k]->band.texture = k * 77;  // of no effect
      bits.push_back(std::make_unique<BitPlane>(width, rows));
    }
  }

  /// Rows [begin, begin + count) of all planes, for as long as this is not asked again.
  mezzo::together::InksBand band(uint32_t begin, uint32_t count) {
    in.clear();
    out.clear();
    for (size_t k = 0; k < samples.size(); ++k) {
      in.push_back(SampleBand(samples[k]->band).slice(begin, count));
      out.push_back(bits[k]->band.slice(begin, count));
    }
    return {in, curves, out};
  }

  int tone(size_t k, int x, int y) const {
    return curve[samples[k]->get(static_cast<uint32_t>(x), static_cast<uint32_t>(y))];
  }
  int width() const { return static_cast<int>(samples.front()->band.width_px); }
  int rows() const { return static_cast<int>(samples.front()->band.rows); }

  ToneCurve curve;
  std::vector<const ToneCurve*> curves;
  std::vector<std::unique_ptr<SamplePlane>> samples;
  std::vector<std::unique_ptr<BitPlane>> bits;
  std::vector<SampleBand> in;
  std::vector<BitBand> out;
};

inline diffusion::together::LightTones light_tones(bool side_by_side) {
  return side_by_side ? diffusion::together::LightTones::kSideBySide
                      : diffusion::together::LightTones::kAsIs;
}

/// Fills planes with noise, extremes, light noise or equal noise, by the seed.
inline void fill_inks(InkPlanes& inks, uint64_t seed) {
  for (size_t k = 0; k < inks.samples.size(); ++k) {
    SamplePlane& plane = *inks.samples[k];
    const uint32_t most = inks.curve.max_sample();
    const uint64_t own = seed % 4 == 3 ? seed : seed + 1000 * (k + 1);
    fill(plane, seed % 4 == 1 && k != 1 ? Fill::kExtremes : Fill::kNoise, most, own);
    if (seed % 4 != 2) continue;
    for (uint32_t y = 0; y < plane.band.rows; ++y) {
      for (uint32_t x = 0; x < plane.band.width_px; ++x) {
        plane.set(x, y, most - plane.get(x, y) / 8);
      }
    }
  }
}

/// Runs the method band by band: bands of the given heights, cyclically.
inline void run_in_bands(const mezzo::together::InksHalftoner& halftoner,
                         InkPlanes& inks,
                         const std::vector<uint32_t>& heights,
                         Team& team) {
  const auto count = static_cast<uint32_t>(inks.samples.size());
  const auto rows = static_cast<uint32_t>(inks.rows());
  const auto state = halftoner.make_state(static_cast<uint32_t>(inks.width()), count);
  for (uint32_t row = 0, i = 0; row < rows; ++i) {
    const uint32_t height = std::min(heights[i % heights.size()], rows - row);
    halftoner.run(inks.band(row, height), state.get(), team);
    row += height;
  }
}

/// Equal bits of all planes, and nothing written outside them.
inline ::testing::AssertionResult same_bits(const InkPlanes& expected, const InkPlanes& found) {
  for (size_t k = 0; k < expected.bits.size(); ++k) {
    auto same = same_bits(expected.bits[k]->band, found.bits[k]->band);
    if (!same) return same << "\nof plane " << k << " of " << expected.bits.size();
    if (!found.bits[k]->guards_intact()) {
      return ::testing::AssertionFailure() << "wrote outside plane " << k;
    }
  }
  return ::testing::AssertionSuccess();
}

}  // namespace mezzo::test
