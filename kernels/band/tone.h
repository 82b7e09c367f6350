// From a sample of the file to ink coverage, in one table.
//
// Tone is ink coverage in Q12 (coverage.h). Photometric interpretation, inversion,
// gamma, transfer curve and rounding are folded into one look-up table per plane, built once on the
// host in double precision; everything after the table is integer arithmetic.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/band/coverage.h"
#include "kernels/band/tone_settings.h"

namespace mezzo {

/// What a table holds. A SIMD kernel computes all but the first faster than it looks them up.
enum class ToneForm {
  kAny,
  kInverse8,    ///< identity_tone(255 - sample) of 8 bits
  kIdentity8,   ///< identity_tone(sample) of 8 bits
  kIdentity15,  ///< identity_tone15(sample) of ink15
};

/// An immutable table, sample -> tone. Shared freely between threads.
class ToneCurve {
 public:
  /// `max_sample` is the largest sample value, 1 .. 65535 (255 for 8 bits, 4095 for 12).
  /// Settings must be valid.
  ToneCurve(uint32_t max_sample, Polarity polarity, const ToneSettings& settings = {});

  /// `tones` of the samples 0, 1, ..: 2 .. 65536 of them, 0 .. kSolid each.
  explicit ToneCurve(std::vector<uint16_t> tones);

  uint32_t max_sample() const { return static_cast<uint32_t>(table_.size() - 1); }
  uint16_t operator[](uint32_t sample) const { return table_[sample]; }
  std::span<const uint16_t> table() const { return table_; }

  ToneForm form() const { return form_; }

 private:
  ToneForm find_form() const;

  std::vector<uint16_t> table_;
  ToneForm form_ = ToneForm::kAny;
};

}  // namespace mezzo
