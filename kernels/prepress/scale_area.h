// kArea.
#pragma once

#include <cstdint>

#include "kernels/prepress/scaler.h"

namespace mezzo::prepress {

class AreaScaler final : public Scaler {
 public:
  AreaScaler(uint32_t page_width_px, uint32_t page_height_px, const Scaling& scaling);

  uint32_t plate_width_px() const override { return across_.plate_samples(); }
  uint32_t plate_height_px() const override { return down_.plate_samples(); }
  SampleRange rows_needed(uint32_t first, uint32_t count) const override {
    return down_.needed(first, count);
  }
  uint64_t working_bytes(uint32_t planes, uint32_t threads) const override;
  void run(std::span<const SampleBand> page,
           std::span<const MutableSampleBand> plates,
           Team& team) const override;

 private:
  void scale(const SampleBand& page, const MutableSampleBand& plate, Team& team) const;

  AreaAxis across_, down_;
};

}  // namespace mezzo::prepress
