#include "kernels/packed_levels.h"

#include <algorithm>

#include "kernels/band/drop_levels.h"
#include "kernels/base/error.h"
#include "kernels/gpu/gpu_packed_levels.h"

namespace mezzo {
namespace {

struct PackedState final : HalftonerState {
  std::vector<std::unique_ptr<HalftonerState>> states;  // of the bits
  std::vector<uint8_t> bits;                            // of one bit
};

/// Adds bit `bit` of the levels of a row, whose other bits may be there already.
void add_bit(const uint8_t* bits, uint32_t bit, const BitBand& out, uint32_t row) {
  uint8_t* to = out.row(row);
  const uint32_t bytes = out.bits_per_px;  // for 8 pixels
  const size_t row_bytes = bit_row_bytes(out.width_px, out.bits_per_px);
  for (size_t at = 0; at < row_bytes; at += bytes) {
    const uint32_t eight = bits[at / bytes];
    const uint32_t spread = DropLevels::spread(eight, bytes) << bit;
    for (uint32_t i = 0; i < bytes && at + i < row_bytes; ++i) {
      to[at + i] = static_cast<uint8_t>(to[at + i] | spread >> 8 * (bytes - 1 - i));
    }
  }
}

}  // namespace

PackedLevels::PackedLevels(std::vector<std::unique_ptr<Halftoner>> bits) : bits_(std::move(bits)) {
  MZ_ASSERT(bits_.size() >= 2 && bits_.size() <= 4);
  on_gpu_ = gpu::packed_levels_on_gpu(bits_);
}

HalftonerTraits PackedLevels::traits() const {
  HalftonerTraits traits = bits_.front()->traits();
  traits.bits_per_px = bits_.size() == 2 ? 2 : 4;
  return traits;
}

uint64_t PackedLevels::working_bytes(uint32_t width_px, uint32_t band_rows) const {
  uint64_t bytes = bit_row_bytes(width_px) * band_rows;
  for (const auto& bit : bits_) bytes += bit->working_bytes(width_px, band_rows);
  return bytes;
}

std::unique_ptr<HalftonerState> PackedLevels::make_state(uint32_t width_px) const {
  auto state = std::make_unique<PackedState>();
  for (const auto& bit : bits_) state->states.push_back(bit->make_state(width_px));
  return state;
}

void PackedLevels::run(const SampleBand& in,
                       const ToneCurve& curve,
                       const BitBand& out,
                       HalftonerState* state,
                       Team& team) const {
  MZ_ASSERT(out.bits_per_px == traits().bits_per_px);
  auto& own = *static_cast<PackedState*>(state);
  const size_t row_bytes = bit_row_bytes(out.width_px);
  own.bits.resize(row_bytes * out.rows);
  const BitBand one{own.bits.data(), out.width_px, out.rows, row_bytes, out.first_row};
  for (uint32_t row = 0; row < out.rows; ++row) {
    std::fill_n(out.row(row), bit_row_bytes(out.width_px, out.bits_per_px), uint8_t{0});
  }
  for (uint32_t bit = 0; bit < bits_.size(); ++bit) {
    bits_[bit]->run(in, curve, one, own.states[bit].get(), team);
    for (uint32_t row = 0; row < out.rows; ++row) add_bit(one.row(row), bit, out, row);
  }
}

}  // namespace mezzo
