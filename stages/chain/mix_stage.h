// The inks of plates as sums of the inks of a page: spot colours as process inks, inks merged.
#pragma once

#include <vector>

#include "stages/chain/stage.h"

namespace mezzo::chain {

/// Ink of the page before: its number, and how much of it, of prepress::kWholeInk.
struct InkPart {
  uint32_t plane = 0;
  uint32_t weight = 0;
  bool operator==(const InkPart&) const = default;
};

class MixStage final : public Stage {
 public:
  /// `page` is the page as it is handed on, in ink15 as the page before; `parts` has one list for
  /// each of its inks, which is their sum, and at most a solid.
  MixStage(PageInfo page, std::vector<std::vector<InkPart>> parts)
      : Stage(std::move(page)), parts_(std::move(parts)) {}

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
  std::vector<std::vector<InkPart>> parts_;
};

}  // namespace mezzo::chain
