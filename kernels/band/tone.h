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

/// An immutable table, sample -> tone. Shared freely between threads.
class ToneCurve {
 public:
  /// `max_sample` is the largest sample value, 1 .. 65535 (255 for 8 bits, 4095 for 12).
  /// Settings must be valid.
  ToneCurve(uint32_t max_sample, Polarity polarity, const ToneSettings& settings = {});

  uint32_t max_sample() const { return static_cast<uint32_t>(table_.size() - 1); }
  uint16_t operator[](uint32_t sample) const { return table_[sample]; }
  std::span<const uint16_t> table() const { return table_; }

  /// True when the table is the identity of 8-bit samples of that polarity, which a SIMD kernel
  /// computes faster than it looks it up: identity_tone(sample) or identity_tone(255 - sample).
  bool is_identity8(Polarity polarity) const {
    return is_identity8_[polarity == Polarity::kMaxIsInk];
  }

 private:
  std::vector<uint16_t> table_;
  bool is_identity8_[2] = {false, false};
};

}  // namespace mezzo
