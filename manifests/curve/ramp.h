// The ramp of one ink among measured patches, as dot areas.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manifests/curve/measurement.h"

namespace mezzo::curve {

/// The way from what was measured to dot areas.
enum class Formula {
  kArea,       ///< as a plate reader has it
  kDensity,    ///< Murray-Davies or Yule-Nielsen of the ink's own filter
  kXyz,        ///< the same of X for cyan, Z for yellow, Y for magenta and black
  kY,          ///< the same of Y, or of a reflectance
  kLightness,  ///< of L*
  kSctv,       ///< ISO 20654
};
inline constexpr std::string_view kFormulas[] = {
    "area", "density", "xyz", "y", "lightness", "sctv"};

std::string_view name_of(Formula formula);

struct Reading {
  Place place;
  double nominal = 0;  ///< percent
  double area = 0;     ///< percent; noise may lead out of 0 .. 100
};

struct Ramp {
  std::string ink;
  Formula formula = Formula::kDensity;
  std::string channel = {};             ///< "D_RED", "X"; empty where there is no choice
  std::vector<Reading> readings = {};   ///< by rising nominal value, else as in the file
  std::optional<double> solid_density;  ///< of the solid over paper; empty of areas
  Place solid_place;                    ///< of its first patch
};

struct RampOptions {
  std::optional<Formula> formula = {};  ///< empty: the best that the measurement has
  double n = 1;                         ///< of Yule and Nielsen, 1 .. 10
};

/// The patches of the ink alone, and those of paper. Refuses a measurement that does not have what the
/// formula needs, or no paper or solid of the ink.
manifests::Checked<Ramp> ramp_of(const Measurement& measurement,
                                 size_t ink,
                                 const RampOptions& options);

}  // namespace mezzo::curve
