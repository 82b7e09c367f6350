// The ink limit of a press, kept or only checked: kernels/prepress/ink_limit.h.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "kernels/prepress/ink_limit.h"
#include "stages/chain/stage.h"

namespace mezzo::chain {

/// What a limit found on a page, summed row by row. A row counts once, however often it is made: by
/// bands that overlap, or again for verification. Any number of threads may add and read.
class LimitTotals {
 public:
  explicit LimitTotals(const PageInfo& page);

  /// Pages are counted in square cells of this side, so that a map shows where ink is; at most 256
  /// cells along a side of the page, of at least 8 px.
  uint32_t cell_px() const { return cell_px_; }
  uint32_t columns() const { return columns_; }
  uint32_t cell_rows() const { return cell_rows_; }

  /// The counts of a row of the page, those of each column of cells.
  void add(uint32_t row, std::span<const prepress::InkLimitCounts> columns);

  /// Of all rows so far.
  prepress::InkLimitCounts total() const;

  /// The share of each cell's pixels that were above the limit, of 255, rounded up: 0 is none. Cells
  /// from left to right, then down.
  std::vector<uint8_t> map() const;

 private:
  const uint32_t width_px_, height_px_;
  const uint32_t cell_px_, columns_, cell_rows_;
  mutable std::mutex mutex_;
  std::vector<bool> is_counted_;  ///< by row
  std::vector<uint32_t> above_;   ///< by cell
  prepress::InkLimitCounts total_;
};

/// A plane that counts as it is printed, after its tone curve; see prepress::PrintedPlane.
struct PrintedTone {
  uint32_t plane = 0;
  std::shared_ptr<const std::vector<uint16_t>> printed = {};  ///< null: it counts nothing
};

/// The inks whose print is limited; see prepress::PrintedInks.
struct PrintedTones {
  std::vector<PrintedTone> colours = {}, blacks = {}, others = {};
};

struct LimitSettings {
  /// The planes of cyan, magenta, yellow and black, where the page has them.
  std::array<std::optional<uint32_t>, 4> cmyk = {};
  std::vector<uint32_t> spots = {};  ///< planes that count, and are not changed
  uint32_t most = 0;                 ///< 3 * kInk15 for 300 %
  bool check_only = false;           ///< counts, and hands the page on as it is
  std::optional<PrintedTones> printed =
      {};  ///< then the limit is of these, not of the planes above
};

class LimitStage final : public Stage {
 public:
  /// `page` is the page before and after, in ink15; `totals`, made for it, gets its counts.
  LimitStage(PageInfo page, LimitSettings settings, std::shared_ptr<LimitTotals> totals);

  prepress::SampleRange rows_needed(uint32_t first, uint32_t count) const override {
    return {first, count};
  }
  uint64_t working_bytes(uint32_t threads) const override;
  std::string describe() const override;
  std::string digest() const override;
  void run(std::span<const SampleBand> from,
           std::span<const MutableSampleBand> to,
           Team& team) const override;

 private:
  void limit_row(std::span<const MutableSampleBand> to, uint32_t i) const;
  prepress::InkLimitCounts limit_samples(std::span<const MutableSampleBand> to,
                                         uint32_t i,
                                         uint32_t x,
                                         uint32_t count) const;
  prepress::InkLimitCounts limit_printed(std::span<const MutableSampleBand> to,
                                         uint32_t i,
                                         uint32_t x,
                                         uint32_t count) const;

  LimitSettings settings_;
  std::shared_ptr<LimitTotals> totals_;
};

}  // namespace mezzo::chain
