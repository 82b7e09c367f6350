#include "kernels/screen/threshold_levels.h"

#include <vector>

#include "kernels/band/tone.h"
#include "kernels/screen/gpu/gpu_levels.h"

namespace mezzo::screen {
namespace {

/// `curve`, with the gap below level j stretched to all tones.
ToneCurve curve_of_level(const ToneCurve& curve, const DropLevels& levels, uint32_t j) {
  std::vector<uint16_t> tones;
  for (const uint16_t tone : curve.table()) tones.push_back(levels.stretched(tone, j));
  return ToneCurve(std::move(tones));
}

/// A level of a plane in progress. A plane has one curve.
struct LevelInWork {
  ToneCurve curve;
  std::unique_ptr<HalftonerState> state;
};

struct LevelsState final : HalftonerState {
  std::vector<LevelInWork> levels;  // made with the first band
  std::vector<uint8_t> bits;        // of one level
};

void add(const BitBand& bits, const BitBand& out) {
  const size_t bytes = bit_row_bytes(out.width_px);
  for (uint32_t i = 0; i < out.rows; ++i) {
    uint8_t* to = out.row(i);
    const uint8_t* from = bits.row(i);
    for (size_t at = 0; at < bytes; ++at) to[at] = static_cast<uint8_t>(to[at] ^ from[at]);
  }
}

}  // namespace

ThresholdLevels::ThresholdLevels(std::unique_ptr<Halftoner> screen,
                                 const DropLevels& levels,
                                 uint32_t bit)
    : screen_(std::move(screen)),
      levels_(levels),
      step_(1U << bit),
      on_gpu_(levels_on_gpu(*screen_, levels_, step_)) {}

uint64_t ThresholdLevels::working_bytes(uint32_t width_px, uint32_t band_rows) const {
  constexpr uint64_t kMostOfCurve = sizeof(uint16_t) << 16;  // of pages of 16 bits
  const uint64_t of_screens =
      (screen_->working_bytes(width_px, band_rows) + kMostOfCurve) * ((levels_.count - 1) / step_);
  return of_screens + bit_row_bytes(width_px) * band_rows;
}

std::unique_ptr<HalftonerState> ThresholdLevels::make_state(uint32_t) const {
  return std::make_unique<LevelsState>();
}

void ThresholdLevels::run(const SampleBand& in,
                          const ToneCurve& curve,
                          const BitBand& out,
                          HalftonerState* state,
                          Team& team) const {
  auto& own = *static_cast<LevelsState*>(state);
  if (own.levels.empty()) {
    for (uint32_t j = step_; j < levels_.count; j += step_) {
      own.levels.push_back({curve_of_level(curve, levels_, j), screen_->make_state(in.width_px)});
    }
  }
  const size_t row_bytes = bit_row_bytes(out.width_px);
  own.bits.resize(row_bytes * out.rows);
  const BitBand level{own.bits.data(), out.width_px, out.rows, row_bytes, out.first_row};
  for (const LevelInWork& one : own.levels) {
    const bool is_first = &one == own.levels.data();
    screen_->run(in, one.curve, is_first ? out : level, one.state.get(), team);
    if (!is_first) add(level, out);
  }
}

}  // namespace mezzo::screen
