// Some of the inks of a page, their samples as they are.
#pragma once

#include <vector>

#include "stages/chain/stage.h"

namespace mezzo::chain {

class SelectStage final : public Stage {
 public:
  /// `page` is the page as it is handed on, its inks those of the page before with these numbers.
  SelectStage(PageInfo page, std::vector<uint32_t> planes)
      : Stage(std::move(page)), planes_(std::move(planes)) {}

  prepress::SampleRange rows_needed(uint32_t first, uint32_t count) const override {
    return {first, count};
  }
  uint64_t working_bytes(uint32_t) const override { return 0; }
  std::string describe() const override;
  std::string digest() const override;
  void run(std::span<const SampleBand> from,
           std::span<const MutableSampleBand> to,
           Team& team) const override;

 private:
  std::vector<uint32_t> planes_;
};

}  // namespace mezzo::chain
