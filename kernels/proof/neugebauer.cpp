#include "kernels/proof/neugebauer.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/base/error.h"
#include "kernels/proof/box_counts.h"
#include "kernels/proof/cielab.h"

namespace mezzo::proof {
namespace {

constexpr Xyz kD50 = {0.96422, 1.0, 0.82521};
constexpr size_t kSteps = 1 << 12;  // of the table of powers, and of gamma's times 16

/// From D50 to the linear primaries of sRGB, adapted to D65.
constexpr double kToSrgb[3][3] = {{3.1338561, -1.6168667, -0.4906146},
                                  {-0.9787684, 1.9161415, 0.0334540},
                                  {0.0719453, -0.2289914, 1.4052427}};

/// The code of each linear value, at 16 steps a step of kSteps.
std::vector<uint8_t> gamma_table() {
  std::vector<uint8_t> codes(16 * kSteps + 1);
  for (size_t i = 0; i < codes.size(); ++i) {
    const double linear = static_cast<double>(i) / (16.0 * kSteps);
    const double code =
        linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
    codes[i] = static_cast<uint8_t>(std::lround(255 * code));
  }
  return codes;
}

/// The value from 0 to 1; 0 for what is no number.
double within_one(double value) {
  return value > 0 ? std::min(value, 1.0) : 0.0;
}

/// The light of paper that others are divided by. A measured paper has some in each channel.
Xyz light_of_paper(const Lab& paper) {
  constexpr double kLeast = 1e-6;
  Xyz light = xyz_of(paper);
  for (double& value : light) value = value > kLeast ? value : kLeast;
  return light;
}

/// The known set of inks within `set` that has most of them; 0 for none.
uint32_t largest_part(const std::vector<Overprint>& overprints, uint32_t set) {
  uint32_t best = 0;
  for (const Overprint& known : overprints) {
    const bool fits = (known.inks & ~set) == 0;
    if (fits && std::popcount(known.inks) > std::popcount(best)) best = known.inks;
  }
  return best;
}

}  // namespace

Xyz xyz_of(const Lab& lab) {
  const double fy = (lab.l + 16) / 116;
  return {kD50[0] * from_cielab_root(fy + lab.a / 500),
          kD50[1] * from_cielab_root(fy),
          kD50[2] * from_cielab_root(fy - lab.b / 200)};
}

Lab lab_of(const Xyz& xyz) {
  const double fx = cielab_root(xyz[0] / kD50[0]);
  const double fy = cielab_root(xyz[1] / kD50[1]);
  const double fz = cielab_root(xyz[2] / kD50[2]);
  return {116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)};
}

std::vector<Xyz> light_of_sets(const PrintColours& colours) {
  const Xyz paper = light_of_paper(colours.paper);
  std::vector<Overprint> known;
  for (size_t k = 0; k < colours.solids.size(); ++k) known.push_back({1U << k, colours.solids[k]});
  for (const Overprint& overprint : colours.overprints) {
    if (std::popcount(overprint.inks) > 1) known.push_back(overprint);
  }
  std::vector<Xyz> light(size_t{1} << colours.solids.size(), paper);
  for (uint32_t set = 1; set < light.size(); ++set) {
    const uint32_t part = largest_part(known, set);
    const Lab& lab = std::ranges::find(known, part, &Overprint::inks)->lab;
    const Xyz of_part = xyz_of(lab);
    const Xyz& rest = light[set ^ part];
    for (size_t c = 0; c < 3; ++c) {
      light[set][c] = std::max(of_part[c] * rest[c] / paper[c], 0.0);
    }
  }
  return light;
}

PrintColours on_white(const PrintColours& colours) {
  const Xyz paper = light_of_paper(colours.paper);
  const auto whitened = [&](const Lab& lab) {
    Xyz light = xyz_of(lab);
    for (size_t c = 0; c < 3; ++c) light[c] *= kD50[c] / paper[c];
    return lab_of(light);
  };
  PrintColours white = colours;
  white.paper = whitened(colours.paper);
  for (Lab& solid : white.solids) solid = whitened(solid);
  for (Overprint& overprint : white.overprints) overprint.lab = whitened(overprint.lab);
  return white;
}

Rgb8 srgb_of(const Xyz& xyz) {
  static const std::vector<uint8_t> kCodes = gamma_table();
  Rgb8 rgb;
  for (size_t c = 0; c < 3; ++c) {
    const double linear = kToSrgb[c][0] * xyz[0] + kToSrgb[c][1] * xyz[1] + kToSrgb[c][2] * xyz[2];
    const double step = within_one(linear) * (16.0 * kSteps) + 0.5;
    rgb[c] = kCodes[static_cast<size_t>(step)];
  }
  return rgb;
}

Xyz xyz_of_srgb(const Rgb8& rgb) {
  // The inverse of kToSrgb.
  constexpr double kFromSrgb[3][3] = {{0.4360747, 0.3850649, 0.1430804},
                                      {0.2225045, 0.7168786, 0.0606169},
                                      {0.0139322, 0.0971045, 0.7141733}};
  Xyz xyz = {};
  for (size_t c = 0; c < 3; ++c) {
    const double code = rgb[c] / 255.0;
    const double linear = code <= 0.04045 ? code / 12.92 : std::pow((code + 0.055) / 1.055, 2.4);
    for (size_t i = 0; i < 3; ++i) xyz[i] += kFromSrgb[i][c] * linear;
  }
  return xyz;
}

Xyz through(Xyz light, const Xyz& filter) {
  for (size_t c = 0; c < 3; ++c) light[c] *= filter[c];
  return light;
}

Neugebauer::Neugebauer(const PrintColours& colours, size_t counted, double yule_nielsen)
    : counted_(counted) {
  MZ_ASSERT(counted <= kMostCounted && counted <= colours.solids.size() && yule_nielsen >= 1);
  const uint32_t sets = 1U << counted;
  PrintColours first = colours;
  first.solids.resize(counted);
  std::erase_if(first.overprints, [&](const Overprint& one) { return one.inks >= sets; });
  roots_ = light_of_sets(first);
  for (Xyz& root : roots_) {
    for (double& value : root) value = std::pow(value, 1 / yule_nielsen);
  }
  const Xyz paper = light_of_paper(colours.paper);
  for (size_t k = counted; k < colours.solids.size(); ++k) {
    Xyz& light = other_roots_.emplace_back(xyz_of(colours.solids[k]));
    for (size_t c = 0; c < 3; ++c) {
      light[c] = std::pow(std::max(light[c] / paper[c], 0.0), 1 / yule_nielsen);
    }
  }
  for (size_t i = 0; i <= kSteps + 1; ++i) {
    powers_.push_back(std::pow(static_cast<double>(i) / kSteps, yule_nielsen));
  }
}

/// Light is at most a little above that of a perfect diffuser, where it is cut off.
double Neugebauer::power(double root) const {
  const double at = within_one(root) * kSteps;
  const auto step = static_cast<size_t>(at);
  return powers_[step] + (at - static_cast<double>(step)) * (powers_[step + 1] - powers_[step]);
}

Xyz Neugebauer::mix(std::span<const uint64_t> areas, std::span<const double> others) const {
  MZ_ASSERT(areas.size() == roots_.size() && others.size() == other_roots_.size());
  uint64_t whole = 0;
  Xyz sum = {};
  for (size_t set = 0; set < areas.size(); ++set) {
    whole += areas[set];
    const auto area = static_cast<double>(areas[set]);
    for (size_t c = 0; c < 3; ++c) sum[c] += area * roots_[set][c];
  }
  for (double& root : sum) root /= static_cast<double>(whole);
  return finish(sum, others);
}

Xyz Neugebauer::mix_apart(std::span<const double> coverage) const {
  MZ_ASSERT(coverage.size() == counted_ + other_roots_.size());
  Xyz sum = {};
  for (size_t set = 0; set < roots_.size(); ++set) {
    double area = 1;
    for (size_t k = 0; k < counted_; ++k) {
      area *= (set >> k & 1) != 0 ? coverage[k] : 1 - coverage[k];
    }
    for (size_t c = 0; c < 3; ++c) sum[c] += area * roots_[set][c];
  }
  return finish(sum, coverage.subspan(counted_));
}

/// The light of the counted inks, taken away from by the others.
Xyz Neugebauer::finish(Xyz roots, std::span<const double> others) const {
  Xyz light;
  for (size_t c = 0; c < 3; ++c) {
    double root = roots[c];
    for (size_t k = 0; k < others.size(); ++k) {
      root *= 1 - others[k] + others[k] * other_roots_[k][c];
    }
    light[c] = power(root);
  }
  return light;
}

}  // namespace mezzo::proof
