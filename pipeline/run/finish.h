// What a plate needs after halftoning: its bits as the setter takes them.
#pragma once

#include "kernels/band/bands.h"
#include "manifests/job.h"

namespace mezzo::run {

struct Finish {
  bool mirror = false;    ///< left and right, for emulsions that face down
  bool negative = false;  ///< exchange ink and paper
};

inline Finish finish_of(const manifests::OutputSettings& output) {
  return {output.mirror, output.negative};
}

/// Finishes rows of a plate in place. Padding bits stay 0.
void finish_rows(const BitBand& rows, Finish finish);

}  // namespace mezzo::run
