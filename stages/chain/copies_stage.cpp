#include "stages/chain/copies_stage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kernels/base/error.h"

namespace mezzo::chain {
namespace {

bool is_spaced(const std::vector<uint32_t>& begins, uint32_t side_px) {
  const auto overlap = [side_px](uint32_t a, uint32_t b) { return b < a + side_px; };
  return !begins.empty() && begins.front() == 0 &&
         std::ranges::adjacent_find(begins, overlap) == begins.end();
}

PageInfo sheet_of(PageInfo page,
                  const std::vector<uint32_t>& columns,
                  const std::vector<uint32_t>& rows) {
  MZ_ASSERT(is_spaced(columns, page.width_px) && is_spaced(rows, page.height_px));
  page.width_px += columns.back();
  page.height_px += rows.back();
  return page;
}

}  // namespace

CopiesStage::CopiesStage(const PageInfo& page,
                         std::vector<uint32_t> columns,
                         std::vector<uint32_t> rows,
                         std::vector<uint32_t> papers)
    : Stage(sheet_of(page, columns, rows)),
      width_px_(page.width_px),
      height_px_(page.height_px),
      columns_(std::move(columns)),
      rows_(std::move(rows)),
      papers_(std::move(papers)) {
  MZ_ASSERT(papers_.size() == page.inks.size());
}

size_t CopiesStage::copy_at(uint32_t y) const {
  return static_cast<size_t>(std::ranges::upper_bound(rows_, y) - rows_.begin()) - 1;
}

uint32_t CopiesStage::rows_at_once(uint32_t first) const {
  const size_t next = copy_at(first) + 1;
  return (next < rows_.size() ? rows_[next] : page().height_px) - first;
}

prepress::SampleRange CopiesStage::rows_needed(uint32_t first, uint32_t count) const {
  MZ_ASSERT(count <= rows_at_once(first));
  const uint32_t top = first - rows_[copy_at(first)];
  if (top >= height_px_) return {height_px_ - 1, 1};  // paper alone, yet a range has a row
  return {top, std::min(count, height_px_ - top)};
}

std::string CopiesStage::describe() const {
  return fmt::format("{} x {} copies on {} x {} px",
                     columns_.size(),
                     rows_.size(),
                     page().width_px,
                     page().height_px);
}

std::string CopiesStage::digest() const {
  return fmt::format(
      "copies {} {} {}", fmt::join(papers_, ","), fmt::join(columns_, ","), fmt::join(rows_, ","));
}

template <typename Sample>
void CopiesStage::make_row(const SampleBand& page,
                           uint32_t y,
                           uint32_t paper,
                           std::byte* row) const {
  auto* to = reinterpret_cast<Sample*>(row);
  const auto gap = static_cast<Sample>(paper);
  if (y >= height_px_) {
    std::fill_n(to, this->page().width_px, gap);
    return;
  }
  const auto* from = reinterpret_cast<const Sample*>(page.row(int64_t{y} - page.first_row));
  uint32_t end = 0;  // of the copy before
  for (const uint32_t begin : columns_) {
    std::fill(to + end, to + begin, gap);
    std::copy_n(from, width_px_, to + begin);
    end = begin + width_px_;
  }
}

void CopiesStage::run(std::span<const SampleBand> from,
                      std::span<const MutableSampleBand> to,
                      Team& team) const {
  const uint32_t first = to.front().first_row, rows = to.front().rows;
  const uint32_t top = first - rows_[copy_at(first)];
  for_each_index(team, static_cast<uint32_t>(to.size()) * rows, [&](uint32_t i) {
    const SampleBand& plane = from[i / rows];
    std::byte* row = to[i / rows].row(i % rows);
    if (plane.bytes_per_sample == 1) {
      make_row<uint8_t>(plane, top + i % rows, papers_[i / rows], row);
    } else {
      make_row<uint16_t>(plane, top + i % rows, papers_[i / rows], row);
    }
  });
}

}  // namespace mezzo::chain
