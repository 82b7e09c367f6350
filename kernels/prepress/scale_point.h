// kNearest, kLinear and kCubic.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/prepress/scaler.h"

namespace mezzo::prepress {

class PointScaler final : public Scaler {
 public:
  PointScaler(uint32_t page_width_px, uint32_t page_height_px, const Scaling& scaling);

  uint32_t plate_width_px() const override { return across_.plate_samples(); }
  uint32_t plate_height_px() const override { return down_.plate_samples(); }
  SampleRange rows_needed(uint32_t first, uint32_t count) const override {
    return down_.needed(first, count);
  }
  uint64_t working_bytes(uint32_t planes, uint32_t threads) const override;
  void run(std::span<const SampleBand> page,
           std::span<const MutableSampleBand> plates,
           Team& team) const override;

  /// The columns of the plate that are made at a time: four lines of them stay in the nearest cache
  /// beside the rows of the plate, and many tiles of a page of type are paper alone.
  static constexpr uint32_t kTile = 1024;

  /// The tables of PointAxis in the form of the loop, a value for each phase and, so that a vector
  /// may begin at any, for the first kSpare again.
  struct Lanes {
    static constexpr uint32_t kSpare = 16;
    std::vector<int32_t> offsets;   ///< samples from the period's first one to the first tap
    std::vector<int32_t> pairs[2];  ///< weights of two taps, the first in the lower half
  };

  const PointAxis& across() const { return across_; }
  const PointAxis& down() const { return down_; }
  const Lanes& lanes() const { return lanes_; }

 private:
  void scale(const SampleBand& page, const MutableSampleBand& plate, Team& team) const;

  PointAxis across_, down_;
  Lanes lanes_;
};

}  // namespace mezzo::prepress
