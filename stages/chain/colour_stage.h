// Colours, and inks of other presses, to the inks of this one, by a table of nodes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/prepress/colour_table.h"
#include "kernels/prepress/conversion.h"
#include "stages/chain/stage.h"

namespace mezzo::chain {

/// The conversion of a page, and its table, which is null where only inks are asked for.
struct PageColour {
  prepress::Conversion conversion;
  std::shared_ptr<const prepress::ColourTable> table = {};
};
using PageColourPtr = std::shared_ptr<const PageColour>;

/// The page that it makes: the inks of the table, then those of the page that it does not take.
PageInfo page_in_inks(const PageInfo& page, const prepress::Conversion& conversion);

class ColourStage final : public Stage {
 public:
  /// Of `page`, as the stage before hands it on; hands on page_in_inks(), in ink15.
  ColourStage(const PageInfo& page, PageColourPtr colour);

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
  class Row;

  PageColourPtr colour_;
  std::vector<uint32_t> others_;  // planes of the page that the table does not take
  /// Of each input, sample -> 16 bits; empty: the table takes samples as they are.
  std::vector<std::vector<uint16_t>> wide_;
  std::vector<uint16_t> ink15_;  // sample -> ink15, for the others
};

}  // namespace mezzo::chain
