#include "kernels/halftoner.h"

namespace mezzo {

std::string Halftoner::describe(uint32_t, uint32_t, uint32_t) const {
  return {};
}

void Halftoner::start(const SampleBand& in,
                      const ToneCurve& curve,
                      const BitBand& out,
                      HalftonerState* state,
                      Done done) const {
  SoloTeam solo;
  std::exception_ptr error;
  try {
    run(in, curve, out, state, solo);
  } catch (...) {
    error = std::current_exception();
  }
  done(error);
}

}  // namespace mezzo
