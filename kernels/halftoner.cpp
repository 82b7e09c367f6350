#include "kernels/halftoner.h"

namespace mezzo {

std::string Halftoner::describe(uint32_t, uint32_t, uint32_t) const {
  return {};
}

void Halftoner::start(const SampleBand& in,
                      const ToneCurve& curve,
                      const BitBand& out,
                      HalftonerState* state,
                      Team& team,
                      Done done) const {
  std::exception_ptr error;
  try {
    run(in, curve, out, state, team);
  } catch (...) {
    error = std::current_exception();
  }
  done(error);
}

}  // namespace mezzo
