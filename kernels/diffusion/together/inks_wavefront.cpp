#include "kernels/diffusion/together/inks_wavefront.h"

#include <algorithm>

#include "kernels/diffusion/cpu/wavefront.h"
#include "kernels/diffusion/together/inks_wavefront_group.h"

namespace mezzo::diffusion::together {
namespace {

struct InksWavefrontState final : HalftonerState {
  InksWavefrontState(uint32_t width_px, uint32_t inks) : rows(width_px, inks) {}
  WavefrontRows rows;
};

}  // namespace

WavefrontRows::WavefrontRows(uint32_t width_px, uint32_t inks)
    : inks_(inks),
      stride_(size_t{width_px} + 2 * wavefront::kPadding),
      rows_(stride_ * (inks + accounts_before(inks)), kNothing) {
  std::fill_n(rows_.begin(), stride_, wavefront::kNoError);
}

HalftonerTraits InksWavefront::traits() const {
  return {.row_multiple = wavefront_rows()};
}

std::unique_ptr<HalftonerState> InksWavefront::make_state(uint32_t width_px, uint32_t inks) const {
  return std::make_unique<InksWavefrontState>(width_px, inks);
}

void InksWavefront::run(const mezzo::together::InksBand& band,
                        HalftonerState* state,
                        Team& team) const {
  const uint32_t rows = wavefront_rows();
  const uint32_t band_rows = band.in.front().rows;
  const uint32_t groups = (band_rows + rows - 1) / rows;
  WavefrontRows* const carried = &static_cast<InksWavefrontState*>(state)->rows;
  for_each_follower(team, groups, [&](Progress* above, Progress& own, uint32_t g) {
    const uint32_t first = g * rows;
    const uint32_t count = std::min(rows, band_rows - first);
    InksGroup group{{}, carried, light_, above, &own};
    for (size_t k = 0; k < band.in.size(); ++k) {
      SampleBand in = band.in[k].slice(first, count);
      in.texture = 0;
      group.planes.push_back({in, band.out[k].slice(first, count), band.curves[k]});
    }
    run_inks_group(group);
  });
}

}  // namespace mezzo::diffusion::together
