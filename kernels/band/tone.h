// From a sample of the file to ink coverage, in one table.
//
// Tone is ink coverage in Q12: 0 is paper, 4096 is solid. Photometric interpretation, inversion,
// gamma, transfer curve and rounding are folded into one look-up table per plane, built once on the
// host in double precision; everything after the table is integer arithmetic.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mezzo {

inline constexpr uint32_t kSolid = 4096;  ///< tone of full coverage (Q12)

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

/// An immutable table, sample -> tone. Shared freely between threads.
class ToneCurve {
 public:
  /// `max_sample` is the largest sample value, 1 .. 65535 (255 for 8 bits, 4095 for 12).
  /// Settings must be valid.
  ToneCurve(uint32_t max_sample, Polarity polarity, const ToneSettings& settings = {});

  uint32_t max_sample() const { return static_cast<uint32_t>(table_.size() - 1); }
  uint16_t operator[](uint32_t sample) const { return table_[sample]; }
  std::span<const uint16_t> table() const { return table_; }

  /// True when the table is the identity of 8-bit samples of that polarity, which a SIMD kernel can
  /// compute faster than it can look it up: identity_tone(sample) or identity_tone(255 - sample).
  bool is_identity8(Polarity polarity) const {
    return is_identity8_[polarity == Polarity::kMaxIsInk];
  }

 private:
  std::vector<uint16_t> table_;
  bool is_identity8_[2] = {false, false};
};

/// round(v * 4096 / 255) for 0 <= v <= 255. 4096/255 is 16 + 16/255; the second term, rounded,
/// is (v + 8) / 16, and no tie occurs. A test checks all 256 values against the definition.
constexpr uint32_t identity_tone(uint32_t v) {
  return 16 * v + ((v + 8) >> 4);
}

}  // namespace mezzo
