#include "kernels/halftoner.h"

#include <algorithm>

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
                      // NOLINTNEXTLINE(performance-unnecessary-value-param): others move it
                      Done done) const {
  std::exception_ptr error;
  try {
    run(in, curve, out, state, team);
  } catch (...) {
    error = std::current_exception();
  }
  done(error);
}

void run_plane(const Halftoner& halftoner,
               const SampleBand& in,
               const ToneCurve& curve,
               const BitBand& out,
               Team& team) {
  const auto state = halftoner.make_state(in.width_px);
  const uint32_t asked = halftoner.traits().band_rows;
  const uint32_t band_rows = asked == 0 ? in.rows : asked;
  for (uint32_t row = 0; row < in.rows; row += std::min(band_rows, in.rows - row)) {
    const uint32_t rows = std::min(band_rows, in.rows - row);
    halftoner.run(in.slice(row, rows), curve, out.slice(row, rows), state.get(), team);
  }
}

}  // namespace mezzo
