// How samples are to be read and tones changed, as users say it.
#pragma once

#include <string>
#include <vector>

namespace mezzo {

/// What the largest sample value means.
enum class Polarity {
  kMaxIsPaper,  ///< 0 is full ink: grey with 0 as black (MinIsBlack), luma
  kMaxIsInk,    ///< the sample is the amount of ink: separations, MinIsWhite
};

/// A point of a transfer curve: coverage asked for and coverage to put down, in percent.
struct CurvePoint {
  double in_percent = 0;
  double out_percent = 0;
  bool operator==(const CurvePoint&) const = default;
};

/// How a user wants tones changed. The order of application is: polarity of the file, invert,
/// gamma, points.
struct ToneSettings {
  bool invert = false;
  double gamma = 1.0;                   ///< coverage' = coverage ^ gamma; 0.1 .. 10
  std::vector<CurvePoint> points = {};  ///< piecewise linear, in_percent strictly rising, out never
                                        ///< falling; ends are held; empty: identity

  bool operator==(const ToneSettings&) const = default;
};

/// An empty string when the settings are valid, else one sentence that says what is wrong.
std::string check(const ToneSettings& settings);

}  // namespace mezzo
