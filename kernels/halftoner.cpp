#include "kernels/halftoner.h"

#include "kernels/band/team.h"
#include "kernels/band/tone.h"

namespace mezzo {

uint64_t Halftoner::working_bytes(uint32_t, uint32_t) const {
  return 0;
}

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
