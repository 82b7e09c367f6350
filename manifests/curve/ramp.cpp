#include "manifests/curve/ramp.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "kernels/prepress/ink_key.h"
#include "manifests/curve/dot_area.h"

namespace mezzo::curve {
namespace {

using manifests::in_quotes;

constexpr std::string_view kFilters[] = {"D_RED", "D_GREEN", "D_BLUE", "D_VIS"};
constexpr std::string_view kXyz[] = {"X", "Y", "Z"};

/// The filter, or the one of X, Y and Z, that sees the process ink best: its place in the lists above.
struct Channels {
  std::string_view ink;
  size_t filter, xyz;
};
constexpr Channels kProcessChannels[] = {
    {"cyan", 0, 0}, {"magenta", 1, 1}, {"yellow", 2, 2}, {"black", 3, 1}};

class RampMaker {
 public:
  RampMaker(const Measurement& measurement, size_t ink, const RampOptions& options)
      : measured_(measurement), options_(options) {
    ramp_.ink = measurement.inks[ink];
    for (const Patch& patch : measurement.patches) {
      if (is_of_ramp(patch, ink)) patches_.emplace_back(patch.nominal[ink], &patch);
    }
    std::ranges::stable_sort(patches_, {}, &Tone::first);
  }

  manifests::Checked<Ramp> make();

 private:
  using Tone = std::pair<double, const Patch*>;

  bool is_of_ramp(const Patch& patch, size_t ink) const;
  static bool has(Formula formula, const Patch& patch);
  std::optional<Diagnostic> choose_formula();
  std::optional<Diagnostic> check_ends() const;
  void choose_channel();
  double mean(double nominal, const std::function<double(const Patch&)>& value) const;
  double density_over_paper(const std::function<double(const Patch&)>& bright) const;
  std::function<double(const Patch&)> areas();
  std::function<double(const Patch&)> sctv() const;
  Diagnostic wrong(std::string message, std::string hint) const;

  const Measurement& measured_;
  const RampOptions& options_;
  std::vector<Tone> patches_;
  size_t channel_ = 0;
  Ramp ramp_;
};

/// Paper is that of all inks, where it was seen through all filters.
bool RampMaker::is_of_ramp(const Patch& patch, size_t ink) const {
  if (patch.nominal.empty()) return false;
  if (measured_.is_by_ink && patch.ink && *patch.ink != ink) return false;
  for (size_t i = 0; i < patch.nominal.size(); ++i) {
    if (i != ink && patch.nominal[i] != 0) return false;
  }
  return true;
}

bool RampMaker::has(Formula formula, const Patch& patch) {
  switch (formula) {
    case Formula::kArea:
      return patch.area.has_value();
    case Formula::kDensity:
      return std::ranges::any_of(patch.densities, [](const auto& one) { return one.has_value(); });
    case Formula::kXyz:
    case Formula::kSctv:
      return patch.xyz.has_value();
    case Formula::kY:
    case Formula::kLightness:
      return patch.bright.has_value();
  }
  return false;
}

Diagnostic RampMaker::wrong(std::string message, std::string hint) const {
  return measured_.source->diagnostic({}, ramp_.ink + ": " + std::move(message), std::move(hint));
}

std::optional<Diagnostic> RampMaker::choose_formula() {
  const auto all_have = [&](Formula formula) {
    return std::ranges::all_of(patches_,
                               [&](const Tone& tone) { return has(formula, *tone.second); });
  };
  if (options_.formula) {
    ramp_.formula = *options_.formula;
    if (all_have(ramp_.formula)) return std::nullopt;
    return wrong("the measurement has not what dot areas by " +
                     std::string(name_of(ramp_.formula)) + " need",
                 "leave --by out, and the best that it has is taken");
  }
  const bool is_process = prepress::is_process_ink(ramp_.ink);
  for (const Formula formula : {Formula::kArea,
                                is_process ? Formula::kDensity : Formula::kSctv,
                                is_process ? Formula::kXyz : Formula::kDensity,
                                Formula::kY}) {
    ramp_.formula = formula;
    if (all_have(formula)) return std::nullopt;
  }
  return wrong("no quantity was measured on all of its patches", "export the measurement again");
}

/// Without paper and solid, nothing measured can become a dot area.
std::optional<Diagnostic> RampMaker::check_ends() const {
  const bool has_paper = !patches_.empty() && patches_.front().first == 0;
  const bool has_solid = !patches_.empty() && patches_.back().first == 100;
  if (!has_solid && (patches_.empty() || patches_.back().first == 0)) {
    return wrong("no patch has this ink alone", "curves are made from ramps of single inks");
  }
  if (has_paper && has_solid) return std::nullopt;
  return measured_.source->diagnostic(patches_.front().second->place,
                                      ramp_.ink + ": no patch of " +
                                          (has_paper ? "100 % (solid)" : "0 % (paper)") +
                                          " was measured, which dot areas begin from",
                                      "measure the wedge again, with paper and solid");
}

/// The mean over patches of one nominal value.
double RampMaker::mean(double nominal, const std::function<double(const Patch&)>& value) const {
  double sum = 0, count = 0;
  for (const auto& [tone, patch] : patches_) {
    if (tone != nominal) continue;
    sum += value(*patch);
    ++count;
  }
  return sum / count;
}

double RampMaker::density_over_paper(const std::function<double(const Patch&)>& bright) const {
  constexpr double kDarkest = 1e-4;
  return std::log10(std::max(mean(0, bright), kDarkest) / std::max(mean(100, bright), kDarkest));
}

/// Process inks have theirs; of others it is that which sees most.
void RampMaker::choose_channel() {
  const bool is_density = ramp_.formula == Formula::kDensity;
  const auto* const known = std::ranges::find_if(kProcessChannels, [&](const Channels& one) {
    return prepress::is_same_ink(one.ink, ramp_.ink);
  });
  double most = -1e9;
  for (size_t i = 0; i < (is_density ? std::size(kFilters) : std::size(kXyz)); ++i) {
    const auto there = [&](const Tone& tone) {
      return !is_density || tone.second->densities[i].has_value();
    };
    if (!std::ranges::all_of(patches_, there)) continue;
    const double seen =
        is_density ? mean(100, [i](const Patch& patch) { return *patch.densities[i]; }) -
                         mean(0, [i](const Patch& patch) { return *patch.densities[i]; })
                   : density_over_paper([i](const Patch& patch) { return (*patch.xyz)[i]; });
    const bool is_own =
        known != std::end(kProcessChannels) && i == (is_density ? known->filter : known->xyz);
    if (seen > most || is_own) {
      most = is_own ? 1e9 : seen;
      channel_ = i;
    }
  }
  ramp_.channel = is_density ? kFilters[channel_] : kXyz[channel_];
}

std::function<double(const Patch&)> RampMaker::sctv() const {
  Xyz paper{}, solid{};
  for (size_t i = 0; i < paper.size(); ++i) {
    paper[i] = mean(0, [i](const Patch& patch) { return (*patch.xyz)[i]; });
    solid[i] = mean(100, [i](const Patch& patch) { return (*patch.xyz)[i]; });
  }
  return [paper, solid](const Patch& patch) { return area_by_sctv(*patch.xyz, paper, solid); };
}

/// The formula with paper and solid filled in; fractions.
std::function<double(const Patch&)> RampMaker::areas() {
  const double n = options_.n;
  const size_t channel = channel_;
  switch (ramp_.formula) {
    case Formula::kArea:
      return [](const Patch& patch) { return *patch.area / 100; };
    case Formula::kDensity: {
      const auto density = [channel](const Patch& patch) { return *patch.densities[channel]; };
      const double paper = mean(0, density), solid = mean(100, density);
      ramp_.solid_density = solid - paper;
      return [=](const Patch& patch) { return area_by_density(density(patch), paper, solid, n); };
    }
    case Formula::kSctv:
      ramp_.solid_density = -1e9;
      for (size_t i = 0; i < std::size(kXyz); ++i) {
        const double seen = density_over_paper([i](const Patch& patch) { return (*patch.xyz)[i]; });
        ramp_.solid_density = std::max(*ramp_.solid_density, seen);
      }
      return sctv();
    case Formula::kLightness: {
      const auto lightness = [](const Patch& patch) {
        return lightness_of(*patch.bright, kWhite[1]);
      };
      const double paper = mean(0, lightness), solid = mean(100, lightness);
      ramp_.solid_density = density_over_paper([](const Patch& patch) { return *patch.bright; });
      return [=](const Patch& patch) { return area_by_lightness(lightness(patch), paper, solid); };
    }
    default: {
      const bool is_y = ramp_.formula == Formula::kY;
      const auto bright = [=](const Patch& patch) {
        return is_y ? *patch.bright : (*patch.xyz)[channel];
      };
      const double paper = mean(0, bright), solid = mean(100, bright);
      ramp_.solid_density = density_over_paper(bright);
      return
          [=](const Patch& patch) { return area_by_reflectance(bright(patch), paper, solid, n); };
    }
  }
}

manifests::Checked<Ramp> RampMaker::make() {
  auto mistake = check_ends();
  if (!mistake) mistake = choose_formula();
  if (mistake) return std::vector{*std::move(mistake)};
  if (ramp_.formula == Formula::kDensity || ramp_.formula == Formula::kXyz) choose_channel();
  const auto area = areas();
  for (const auto& [nominal, patch] : patches_) {
    const double percent = 100 * area(*patch);
    if (!std::isfinite(percent)) {
      return std::vector{measured_.source->diagnostic(
          patch->place,
          ramp_.ink + ": paper and solid measure the same, and nothing lies between them",
          "is it the right file, and the right ink?")};
    }
    ramp_.readings.push_back({patch->place, nominal, percent});
    if (nominal == 100 && ramp_.solid_place.line == 0) ramp_.solid_place = patch->place;
  }
  return std::move(ramp_);
}

}  // namespace

std::string_view name_of(Formula formula) {
  return kFormulas[static_cast<size_t>(formula)];
}

manifests::Checked<Ramp> ramp_of(const Measurement& measurement,
                                 size_t ink,
                                 const RampOptions& options) {
  return RampMaker(measurement, ink, options).make();
}

}  // namespace mezzo::curve
