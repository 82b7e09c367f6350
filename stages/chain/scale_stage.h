// The page at another resolution.
#pragma once

#include <memory>

#include "kernels/prepress/scaler.h"
#include "stages/chain/stage.h"

namespace mezzo::chain {

class ScaleStage final : public Stage {
 public:
  /// `page` is in ink15; `resolution` is what its pixels have afterwards.
  ScaleStage(const PageInfo& page, const prepress::Scaling& scaling, Resolution resolution);

  prepress::SampleRange rows_needed(uint32_t first, uint32_t count) const override {
    return scaler_->rows_needed(first, count);
  }
  uint64_t working_bytes(uint32_t threads) const override {
    return scaler_->working_bytes(planes_, threads);
  }
  const prepress::Scaling* scaling() const override { return &scaling_; }
  std::string describe() const override;
  std::string digest() const override;
  void run(std::span<const SampleBand> from,
           std::span<const MutableSampleBand> to,
           Team& team) const override;

 private:
  prepress::Scaling scaling_;
  uint32_t planes_;
  std::unique_ptr<prepress::Scaler> scaler_;
};

}  // namespace mezzo::chain
