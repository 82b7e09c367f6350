#include "kernels/quality/colour/colour_tile.h"

#include <algorithm>
#include <cmath>

namespace mezzo::quality {
namespace {

constexpr uint32_t kMostDeltaE = 256;  // larger ones count as this

/// G(16 s, round(48 s)).
Gaussian mean_of(const Viewing& viewing) {
  const double s = viewing.dpi * viewing.distance_inch / 3500;
  return {16 * s, static_cast<uint32_t>(std::max(std::round(48 * s), 1.0))};
}

}  // namespace

void ColourSums::add(const ColourSums& other) {
  pixels += other.pixels;
  delta_e += other.delta_e;
  texture += other.texture;
  l_squared += other.l_squared;
  c_squared += other.c_squared;
  for (size_t c = 0; c < 3; ++c) difference[c] += other.difference[c];
  steps.resize(std::max(steps.size(), other.steps.size()));
  for (size_t i = 0; i < other.steps.size(); ++i) steps[i] += other.steps[i];
}

ColourPlan::ColourPlan(const Print& print, const Viewing& viewing)
    : mean(mean_of(viewing)),
      eye(viewing, print.scatter_px, kColourTile + 2 * mean.radius()),
      light(print) {}

uint64_t ColourPlan::working_bytes() const {
  const uint64_t seen = kColourTile + 2 * mean.radius(), printed = seen + 2 * eye.margin();
  const uint64_t transform = uint64_t{eye.fft_px()} * eye.fft_px();
  return 32 * transform + 8 * (8 * printed * printed + 9 * seen * seen);
}

ColourSums ColourTileJudge::judge(std::span<const Window> windows,
                                  const Rect& tile,
                                  uint32_t moved_inks,
                                  uint32_t shift_px) {
  const auto place_with = [&](uint32_t margin) {
    return Place{int64_t{tile.x} - margin,
                 int64_t{tile.y} - margin,
                 tile.width_px + 2 * margin,
                 tile.height_px + 2 * margin,
                 moved_inks,
                 shift_px};
  };
  ColourSums sums;
  sums.pixels = 1.0 * tile.width_px * tile.height_px;
  sums.steps.resize(kMostDeltaE * kStepsADeltaE + 1);
  if (is_blank(windows, place_with(plan_.margin()))) {
    sums.steps[0] = uint64_t{tile.width_px} * tile.height_px;
    return sums;
  }
  const Place place = place_with(plan_.mean.radius() + plan_.eye.margin());
  plan_.light.of_contone(windows, place, roots_a_);
  plan_.light.of_plates(windows, place, roots_b_);
  look_.see(roots_a_, roots_b_, lab_a_, lab_b_);
  sum_up(sums);
  return sums;
}

void ColourTileJudge::sum_up(ColourSums& sums) {
  const size_t size = size_t{lab_a_[0].width_px()} * lab_a_[0].rows();
  for (size_t c = 0; c < 3; ++c) {
    for (size_t i = 0; i < size; ++i) lab_b_[c].row(0)[i] -= lab_a_[c].row(0)[i];
    blur(lab_b_[c].inner(0), plan_.mean, scratch_, mean_[c]);
  }
  const uint32_t margin = plan_.mean.radius();
  for (uint32_t y = 0; y < mean_[0].rows(); ++y) {
    ColourSums of_row;
    for (uint32_t x = 0; x < mean_[0].width_px(); ++x) {
      std::array<double, 3> d, t;
      for (size_t c = 0; c < 3; ++c) {
        d[c] = lab_b_[c].row(y + margin)[x + margin];
        t[c] = d[c] - mean_[c].row(y)[x];
        of_row.difference[c] += d[c];
      }
      const double delta_e = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      const double chroma = t[1] * t[1] + t[2] * t[2];
      of_row.delta_e += delta_e;
      of_row.texture += std::sqrt(t[0] * t[0] + chroma);
      of_row.l_squared += t[0] * t[0];
      of_row.c_squared += chroma;
      const auto step = static_cast<size_t>(delta_e * kStepsADeltaE);
      ++sums.steps[std::min(step, sums.steps.size() - 1)];
    }
    sums.add(of_row);
  }
}

PairSums sum_pair(const Window& first, const Window& second, const Rect& tile) {
  PairSums sums;
  for (uint32_t j = 0; j < tile.height_px; ++j) {
    const uint16_t *ink_1 = first.ink(tile.y + j), *ink_2 = second.ink(tile.y + j);
    const uint8_t *bits_1 = first.bits(tile.y + j), *bits_2 = second.bits(tile.y + j);
    PairSums of_row;
    for (uint32_t x = tile.x; x < tile.x + tile.width_px; ++x) {
      const double asked_1 = first.coverage(ink_1[x]), asked_2 = second.coverage(ink_2[x]);
      of_row.asked += asked_1 * asked_2;
      of_row.got += bits_1[x] * bits_2[x];
      of_row.errors += (bits_1[x] - asked_1) * (bits_2[x] - asked_2);
    }
    sums.asked += of_row.asked;
    sums.got += of_row.got;
    sums.errors += of_row.errors;
  }
  return sums;
}

}  // namespace mezzo::quality
