// The user's settings for the meaning of samples and the change of tones.
#pragma once

#include <string>
#include <vector>

namespace mezzo {

/// The meaning of the largest sample value.
enum class Polarity {
  kMaxIsPaper,  ///< 0 is full ink: grey with 0 as black (MinIsBlack), luma
  kMaxIsInk,    ///< the sample is the amount of ink: separations, MinIsWhite
};

/// A point of a transfer curve: coverage of the page and coverage to print, in percent.
struct CurvePoint {
  double in_percent = 0;
  double out_percent = 0;
  bool operator==(const CurvePoint&) const = default;
};

/// The user's change of tones. The order of application is: polarity of the file, invert, gamma,
/// points.
struct ToneSettings {
  bool invert = false;
  double gamma = 1.0;                   ///< coverage' = coverage ^ gamma; 0.1 .. 10
  std::vector<CurvePoint> points = {};  ///< piecewise linear, in_percent strictly rising, out never
                                        ///< falling; ends are held; empty: identity

  bool operator==(const ToneSettings&) const = default;
};

/// An empty string when the settings are valid, else one sentence with the mistake.
std::string check(const ToneSettings& settings);

}  // namespace mezzo
