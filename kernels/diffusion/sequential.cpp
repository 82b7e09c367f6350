#include "kernels/diffusion/sequential.h"

#include <algorithm>
#include <cstring>

#include "kernels/diffusion/floyd_steinberg.h"

namespace mezzo {
namespace {

/// Numbers of one row with a spare one on either side: index x + 1 belongs to column x.
using PaddedRow = std::vector<int16_t>;

struct CollectionState final : HalftonerState {
  explicit CollectionState(uint32_t width_px) : errors(size_t{width_px} + 2) {}
  PaddedRow errors;  // of the row above
};

struct DiffusionState final : HalftonerState {
  explicit DiffusionState(uint32_t width_px)
      : sums(size_t{width_px} + 2), sums_below(size_t{width_px} + 2) {}
  PaddedRow sums;        // sixteenths of error that have reached the row at hand from above
  PaddedRow sums_below;  // likewise the row below it; all 0 between rows
};

void put_bit(uint8_t* bits, uint32_t x, bool ink) {
  bits[x / 8] = static_cast<uint8_t>(bits[x / 8] | unsigned{ink} << (7 - x % 8));
}

/// Calls `row(samples, bits)` for each row of the band, with cleared bits and typed samples.
template <typename Row>
void for_each_row(const SampleBand& in, const BitBand& out, const Row& row) {
  for (uint32_t i = 0; i < in.rows; ++i) {
    std::memset(out.row(i), 0, bit_row_bytes(in.width_px));
    if (in.bytes_per_sample == 1) {
      row(in.row8(i), out.row(i));
    } else {
      row(in.row16(i), out.row(i));
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
  for_each_row(in, out, [&](const auto* samples, uint8_t* bits) {
    int left = 0, up_left = 0;
    int up = errors[1];
    for (uint32_t x = 0; x < in.width_px; ++x) {
      const int up_right = errors[x + 2];
      const fs::Decision d = fs::decide(tones[samples[x]], left, up_left, up, up_right);
      put_bit(bits, x, d.ink);
      errors[x + 1] = static_cast<int16_t>(d.error);  // the row above is done with this column
      left = d.error;
      up_left = up;
      up = up_right;
    }
  });
}

std::unique_ptr<HalftonerState> SequentialDiffusion::make_state(uint32_t width_px) const {
  return std::make_unique<DiffusionState>(width_px);
}

void SequentialDiffusion::run(const SampleBand& in,
                              const ToneCurve& curve,
                              const BitBand& out,
                              HalftonerState* state,
                              Team&) const {
  const uint16_t* tones = curve.table().data();
  PaddedRow& sums = static_cast<DiffusionState*>(state)->sums;
  PaddedRow& below = static_cast<DiffusionState*>(state)->sums_below;
  const auto add = [](int16_t& sum, int error) { sum = static_cast<int16_t>(sum + error); };
  for_each_row(in, out, [&](const auto* samples, uint8_t* bits) {
    for (uint32_t x = 0; x < in.width_px; ++x) {
      // What was pushed here is what a pixel of error collection would collect: decide() with the
      // sum in place of its parts (a weight of 1 belongs to the upper-left).
      const fs::Decision d = fs::decide(tones[samples[x]], 0, sums[x + 1], 0, 0);
      put_bit(bits, x, d.ink);
      add(sums[x + 2], fs::kLeft * d.error);
      add(below[x], fs::kUpRight * d.error);
      add(below[x + 1], fs::kUp * d.error);
      add(below[x + 2], fs::kUpLeft * d.error);
    }
    sums.swap(below);
    // The spare numbers hold what fell off the page, which is lost by definition.
    sums.front() = sums.back() = 0;
    std::ranges::fill(below, int16_t{0});
  });
}

}  // namespace mezzo
