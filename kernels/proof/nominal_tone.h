// The way back through a tone curve: from dots that were printed to the tone that they stand for.
//
// A profile of a press is made of prints with its curves, and takes the tones before these: a proof that
// kept them would show each compensation as a change of colour.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/band/tone.h"

namespace mezzo::proof {

class NominalTone {
 public:
  /// Undoes gamma, points and curves of press and plates; `invert`, which is a wish about the page, stays.
  explicit NominalTone(ToneSettings settings);

  /// The tone, 0 .. 65535, for a coverage of 0 .. 1. Where many tones print alike, their middle; paper
  /// is paper and a solid a solid.
  uint16_t operator()(double coverage) const;

 private:
  std::vector<double> tones_;  ///< of coverages in Q12
};

}  // namespace mezzo::proof
