// The samples of a file as ink15 (kernels/band/ink15.h), before all stages that change them.
#pragma once

#include <vector>

#include "stages/chain/stage.h"

namespace mezzo::chain {

class Ink15Stage final : public Stage {
 public:
  explicit Ink15Stage(const PageInfo& page);

  prepress::SampleRange rows_needed(uint32_t first, uint32_t count) const override {
    return {first, count};
  }
  uint64_t working_bytes(uint32_t) const override { return levels_.size() * sizeof levels_[0]; }
  std::string describe() const override;
  std::string digest() const override;
  const std::vector<uint16_t>* levels() const override { return &levels_; }
  void run(std::span<const SampleBand> from,
           std::span<const MutableSampleBand> to,
           Team& team) const override;

 private:
  uint32_t paper_, solid_;        ///< their samples
  std::vector<uint16_t> levels_;  ///< by sample of the file
};

}  // namespace mezzo::chain
