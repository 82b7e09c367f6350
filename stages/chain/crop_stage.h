// A rectangle of the page: its samples are those of the file, as if the file had been cropped.
#pragma once

#include "kernels/base/rect.h"
#include "stages/chain/stage.h"

namespace mezzo::chain {

class CropStage final : public Stage {
 public:
  /// `kept` lies within the page and is not empty.
  CropStage(const PageInfo& page, const Rect& kept);

  prepress::SampleRange rows_needed(uint32_t first, uint32_t count) const override {
    return {kept_.y + first, count};
  }
  uint64_t working_bytes(uint32_t) const override { return 0; }
  std::string describe() const override;
  std::string digest() const override;
  void run(std::span<const SampleBand> from,
           std::span<const MutableSampleBand> to,
           Team& team) const override;

 private:
  const Rect kept_;
};

}  // namespace mezzo::chain
