// Step and repeat: a sheet of copies of the page, in rows and columns, on paper. The sheet is
// screened as one page, so dots go on from copy to copy and no two copies have the same bits.
#pragma once

#include <vector>

#include "stages/chain/stage.h"

namespace mezzo::chain {

class CopiesStage final : public Stage {
 public:
  /// Column `i` of copies begins at pixel `columns[i]` of the sheet, row `j` at `rows[j]`. The first
  /// begin at 0, and the others where the copies before have ended, or behind: what lies between
  /// has the sample of `papers` for the ink. The sheet ends with its last copy.
  CopiesStage(const PageInfo& page,
              std::vector<uint32_t> columns,
              std::vector<uint32_t> rows,
              std::vector<uint32_t> papers);

  prepress::SampleRange rows_needed(uint32_t first, uint32_t count) const override;
  /// To the beginning of the next copy.
  uint32_t rows_at_once(uint32_t first) const override;
  uint64_t working_bytes(uint32_t) const override { return 0; }
  std::string describe() const override;
  std::string digest() const override;
  void run(std::span<const SampleBand> from,
           std::span<const MutableSampleBand> to,
           Team& team) const override;

 private:
  /// The copy that row `y` of the sheet belongs to, or to the paper below it.
  size_t copy_at(uint32_t y) const;
  /// A row of the sheet from row `y` of the page, or of the paper below it.
  template <typename Sample>
  void make_row(const SampleBand& page, uint32_t y, uint32_t paper, std::byte* row) const;

  const uint32_t width_px_, height_px_;  // of a copy
  const std::vector<uint32_t> columns_, rows_;
  const std::vector<uint32_t> papers_;
};

}  // namespace mezzo::chain
