// A contone plane and its halftone in memory, for the judge.
#pragma once

#include <cstdint>

#include "kernels/band/bands.h"
#include "kernels/band/tone.h"
#include "kernels/quality/judge.h"

namespace mezzo::quality {

/// Row `row` of a plane as ink: 0 is paper, `max_sample` is solid, and larger samples are cut.
void read_ink(
    const SampleBand& samples, uint32_t row, uint32_t max_sample, Polarity polarity, uint16_t* ink);

/// Views of both, which the caller keeps; their sizes are the same.
class MemoryPair final : public PagePair {
 public:
  MemoryPair(const SampleBand& samples, uint32_t max_sample, Polarity polarity, const BitBand& bits)
      : samples_(samples), max_sample_(max_sample), polarity_(polarity), bits_(bits) {}

  uint32_t width_px() const override { return samples_.width_px; }
  uint32_t height_px() const override { return samples_.rows; }
  uint32_t max_ink() const override { return max_sample_; }
  void read(const BandView<uint16_t>& ink, const BandView<uint8_t>& bits, Team& team) override;

 private:
  SampleBand samples_;
  uint32_t max_sample_;
  Polarity polarity_;
  BitBand bits_;
};

}  // namespace mezzo::quality
