// One pixel after another on one core, as textbooks and Kasagi et al. (section II) have it: `ec`
// collects the errors of finished neighbours (Floyd-Steinberg's reference), `ed` hands shares of
// each error on to the neighbours still to come. They differ in memory traffic, not in bits.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/band/tone.h"
#include "kernels/diffusion/cpu/row_kernel.h"
#include "kernels/halftoner.h"

namespace mezzo::diffusion {

/// `ec` of Floyd-Steinberg: one row of errors is carried from band to band.
class SequentialCollection final : public Halftoner {
 public:
  HalftonerTraits traits() const override { return {}; }
  std::unique_ptr<HalftonerState> make_state(uint32_t width_px) const override;
  void run(const SampleBand& in,
           const ToneCurve& curve,
           const BitBand& out,
           HalftonerState* state,
           Team& team) const override;
};

/// The state from band to band: for each column, the sum of shares that has reached the next row
/// from above (row_kernel.h).
struct SumsState final : HalftonerState {
  explicit SumsState(uint32_t width_px) : sums(width_px) {}
  std::vector<int32_t> sums;
};

/// Calls `use(row)` with a RowView of row i of the band, samples of the type that they have.
template <typename Use>
void with_row(const SampleBand& in,
              const uint16_t* tones,
              const BitBand& out,
              int32_t* sums,
              uint32_t i,
              const Use& use) {
  const uint32_t y = in.first_row + i;
  if (in.bytes_per_sample == 1) {
    use(RowView<uint8_t>{in.row8(i), tones, out.row(i), sums, y, in.plane, in.texture});
  } else {
    use(RowView<uint16_t>{in.row16(i), tones, out.row(i), sums, y, in.plane, in.texture});
  }
}

/// `ed` of any rule.
template <Rule R>
class SequentialDiffusion final : public Halftoner {
 public:
  explicit SequentialDiffusion(const R& rule) : rule_(rule) {}

  HalftonerTraits traits() const override { return {}; }
  std::unique_ptr<HalftonerState> make_state(uint32_t width_px) const override {
    return std::make_unique<SumsState>(width_px);
  }
  void run(const SampleBand& in,
           const ToneCurve& curve,
           const BitBand& out,
           HalftonerState* state,
           Team&) const override {
    int32_t* sums = static_cast<SumsState*>(state)->sums.data();
    const int width = static_cast<int>(in.width_px);
    for (uint32_t i = 0; i < in.rows; ++i) {
      std::memset(out.row(i), 0, bit_row_bytes(in.width_px));
      with_row(in, curve.table().data(), out, sums, i, [&](const auto& row) {
        RowFront front;
        diffuse_row(rule_, row, 0, width, front);
        sums[width - 1] = front.below;  // beyond the last column there is no error
      });
    }
  }

 private:
  R rule_;
};

}  // namespace mezzo::diffusion
