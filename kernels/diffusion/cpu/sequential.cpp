#include "kernels/diffusion/cpu/sequential.h"

#include "kernels/band/team.h"
#include "kernels/diffusion/rules/floyd_steinberg.h"

namespace mezzo::diffusion {
namespace {

/// Numbers of one row with a spare one on either side: index x + 1 belongs to column x.
using PaddedRow = std::vector<int16_t>;

struct CollectionState final : HalftonerState {
  explicit CollectionState(uint32_t width_px) : errors(size_t{width_px} + 2) {}
  PaddedRow errors;  // of the row above
};

void put_bit(uint8_t* bits, uint32_t x, bool ink) {
  bits[x / 8] = static_cast<uint8_t>(bits[x / 8] | unsigned{ink} << (7 - x % 8));
}

/// Calls `row(samples, bits, y)` for each row of the band, with cleared bits and typed samples.
template <typename Row>
void for_each_row(const SampleBand& in, const BitBand& out, const Row& row) {
  for (uint32_t i = 0; i < in.rows; ++i) {
    std::memset(out.row(i), 0, bit_row_bytes(in.width_px));
    if (in.bytes_per_sample == 1) {
      row(in.row8(i), out.row(i), in.first_row + i);
    } else {
      row(in.row16(i), out.row(i), in.first_row + i);
    }
  }
}

}  // namespace

std::unique_ptr<HalftonerState> SequentialCollection::make_state(uint32_t width_px) const {
  return std::make_unique<CollectionState>(width_px);
}

void SequentialCollection::run(const SampleBand& in,
                               const ToneCurve& curve,
                               const BitBand& out,
                               HalftonerState* state,
                               Team&) const {
  const uint16_t* tones = curve.table().data();
  int16_t* errors = static_cast<CollectionState*>(state)->errors.data();
  for_each_row(in, out, [&](const auto* samples, uint8_t* bits, uint32_t y) {
    TextureRow texture(in.texture, y);
    int left = 0, up_left = 0;
    int up = errors[1];
    for (uint32_t x = 0; x < in.width_px; ++x) {
      const int up_right = errors[x + 2];
      const int tone = textured_tone(tones[samples[x]], texture.value(x));
      const fs::Decision d = fs::decide(tone, left, up_left, up, up_right);
      put_bit(bits, x, d.ink);
      errors[x + 1] = static_cast<int16_t>(d.error);  // the row above is done with this column
      left = d.error;
      up_left = up;
      up = up_right;
    }
  });
}

}  // namespace mezzo::diffusion
