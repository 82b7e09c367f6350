#include "kernels/quality/memory_pair.h"

#include <algorithm>

namespace mezzo::quality {
namespace {

template <typename Sample>
void convert(
    const Sample* samples, uint32_t count, uint32_t max, Polarity polarity, uint16_t* ink) {
  const bool max_is_ink = polarity == Polarity::kMaxIsInk;
  for (uint32_t x = 0; x < count; ++x) {
    const uint32_t sample = std::min<uint32_t>(samples[x], max);
    ink[x] = static_cast<uint16_t>(max_is_ink ? sample : max - sample);
  }
}

}  // namespace

void read_ink(const SampleBand& samples,
              uint32_t row,
              uint32_t max_sample,
              Polarity polarity,
              uint16_t* ink) {
  if (samples.bytes_per_sample == 1) {
    convert(samples.row8(row), samples.width_px, max_sample, polarity, ink);
  } else {
    convert(samples.row16(row), samples.width_px, max_sample, polarity, ink);
  }
}

void MemoryPair::read(const BandView<uint16_t>& ink, const BandView<uint8_t>& bits, Team&) {
  for (uint32_t i = 0; i < ink.rows; ++i) {
    const uint32_t y = ink.first_row + i;
    read_ink(samples_, y, max_sample_, polarity_, ink.row(i));
    for (uint32_t x = 0; x < bits.width_px; ++x) bits.row(i)[x] = bits_.ink(x, y) ? 1 : 0;
  }
}

}  // namespace mezzo::quality
