// The inks of plates as sums of the inks of a page: spot colours as process inks, inks merged.
#pragma once

#include <vector>

#include "stages/chain/stage.h"

namespace mezzo::chain {

/// Ink of the page before: its number, and how much of it, of prepress::kWholeInk.
struct InkPart {
  uint32_t plane = 0;
  uint32_t weight = 0;
  bool is_negative = false;  ///< its largest sample is paper
  bool operator==(const InkPart&) const = default;
};

/// An ink that is handed on.
struct InkSum {
  std::vector<InkPart> parts;
  bool is_negative = false;  ///< its largest sample is to be paper
};

class MixStage final : public Stage {
 public:
  /// `page` is the page as it is handed on, in ink15 as the page before; each of its inks is the sum
  /// of ink in `inks`, and at most a solid.
  MixStage(PageInfo page, std::vector<InkSum> inks)
      : Stage(std::move(page)), inks_(std::move(inks)) {}

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
  std::vector<InkSum> inks_;
};

}  // namespace mezzo::chain
