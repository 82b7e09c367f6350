#include "kernels/together/inks_halftoner.h"

#include <exception>

namespace mezzo::together {

uint64_t InksHalftoner::working_bytes(uint32_t, uint32_t, uint32_t) const {
  return 0;
}

void InksHalftoner::start(const InksBand& band,
                          HalftonerState* state,
                          Team& team,
                          // NOLINTNEXTLINE(performance-unnecessary-value-param): others move it
                          Halftoner::Done done) const {
  std::exception_ptr error;
  try {
    run(band, state, team);
  } catch (...) {
    error = std::current_exception();
  }
  done(error);
}

}  // namespace mezzo::together
