// The stages that a page passes on its way to the halftoner, first to last. Most pages of plain jobs
// have none.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "stages/chain/stage.h"

namespace mezzo::chain {

class LimitTotals;  // limit_stage.h

/// Immutable once made, shared by all that run or verify the page.
class Chain {
 public:
  /// `page` is the page as its file has it; its reader turns it.
  explicit Chain(const PageInfo& page, Rotation rotation = Rotation::kNone)
      : rotation_(rotation), source_(rotated(page, rotation)) {}

  /// `stage` was made for page().
  void add(std::unique_ptr<Stage> stage) { stages_.push_back(std::move(stage)); }

  bool is_empty() const { return stages_.empty(); }
  const std::vector<std::shared_ptr<const Stage>>& stages() const { return stages_; }

  Rotation rotation() const { return rotation_; }

  /// The page as its reader hands it out, and as the halftoner gets it.
  const PageInfo& source() const { return source_; }
  const PageInfo& page() const { return stages_.empty() ? source_ : stages_.back()->page(); }

  /// How a GPU can scale the page behind the upload: as its last stage does. Null where that does more
  /// or else.
  const prepress::Scaling* scaling_on_gpu() const;

  /// If a GPU scales, and the stage before only replaces one-byte samples by levels: those levels, by sample.
  /// The GPU then does that stage as well. Null otherwise.
  const std::vector<uint16_t>* levels_on_gpu() const;

  /// The stages that the CPU does when a GPU takes the page: all but those of scaling_on_gpu() and
  /// levels_on_gpu().
  Chain without_gpu() const;

  /// Whether the page is scaled, and not by its last stage.
  bool scales_on_cpu() const;

  /// What an ink limit of the page finds, while it is made; null without a limit.
  void count_ink_in(std::shared_ptr<const LimitTotals> totals) { ink_totals_ = std::move(totals); }
  const std::shared_ptr<const LimitTotals>& ink_totals() const { return ink_totals_; }

  /// The rows that each stage is given when the last makes `rows`: the first of them are rows of the
  /// file.
  std::vector<prepress::SampleRange> rows_needed(prepress::SampleRange rows) const;

  /// Digest of all that decides its bits (XXH3, 16 hexadecimal digits); empty without a stage and a
  /// rotation.
  std::string digest() const;

  /// For people, a line for each step in their order.
  std::vector<std::string> describe() const;

 private:
  Rotation rotation_;
  PageInfo source_;
  std::vector<std::shared_ptr<const Stage>> stages_;
  std::shared_ptr<const LimitTotals> ink_totals_;
};

}  // namespace mezzo::chain
