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
/// points, curves.
struct ToneSettings {
  /// What a press, or the making of its plates, needs of a tone to print it as it was meant: measured,
  /// and applied after the user's points.
  struct PressCurve {
    enum class Kind { kPlate, kPress };
    Kind kind = Kind::kPress;
    std::vector<CurvePoint> points = {};  ///< as those below, from 0 to 100 percent
    double cut_off_percent = 0;           ///< tones below it are paper
    double bump_from_percent = 0;         ///< tones from here on, but not paper, are at least ..
    double bump_to_percent = 0;           ///< .. this, and those below are paper; 0: none
    std::string digest = {};              ///< of all above, 32 hexadecimal digits

    /// Ink coverage to print for one that is meant, 0 .. 1: by + - * / of doubles alone.
    double operator()(double coverage) const;

    bool operator==(const PressCurve&) const = default;
  };

  bool invert = false;
  double gamma = 1.0;                   ///< coverage' = coverage ^ gamma; 0.1 .. 10
  std::vector<CurvePoint> points = {};  ///< piecewise linear, in_percent strictly rising, out never
                                        ///< falling; ends are held; empty: identity
  std::vector<PressCurve> curves = {};  ///< in the order of application: that of the press, then
                                        ///< that of the plates

  bool operator==(const ToneSettings&) const = default;
};

/// In tone.cpp. An empty string when the settings are valid, else one sentence with the mistake.
std::string check(const ToneSettings& settings);

}  // namespace mezzo
