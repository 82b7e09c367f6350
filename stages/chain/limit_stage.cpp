#include "stages/chain/limit_stage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/band/ink15.h"
#include "kernels/base/error.h"

namespace mezzo::chain {
namespace {

using prepress::InkLimitCounts;

constexpr uint32_t kMostCells = 256;
constexpr uint32_t kLeastCell = 8;

constexpr uint32_t parts(uint32_t whole, uint32_t size) {
  return (whole + size - 1) / size;
}

/// The samples from column x on.
uint16_t* samples_at(const MutableSampleBand& band, uint32_t i, uint32_t x) {
  return reinterpret_cast<uint16_t*>(band.row(i)) + x;
}

/// " 0=89ab..", the planes with the digests of their curves.
std::string text_of(const std::vector<PrintedTone>& tones) {
  std::string text;
  for (const auto& [plane, printed] : tones) {
    const uint64_t digest =
        printed ? XXH3_64bits(printed->data(), printed->size() * sizeof(uint16_t)) : 0;
    text += fmt::format(" {}={:016x}", plane, digest);
  }
  return text;
}

}  // namespace

LimitTotals::LimitTotals(const PageInfo& page)
    : width_px_(page.width_px),
      height_px_(page.height_px),
      cell_px_(std::max(kLeastCell, parts(std::max(width_px_, height_px_), kMostCells))),
      columns_(parts(width_px_, cell_px_)),
      cell_rows_(parts(height_px_, cell_px_)),
      is_counted_(height_px_),
      above_(size_t{columns_} * cell_rows_) {}

void LimitTotals::add(uint32_t row, std::span<const InkLimitCounts> columns) {
  MZ_ASSERT(row < height_px_ && columns.size() == columns_);
  const std::lock_guard lock(mutex_);
  if (is_counted_[row]) return;
  is_counted_[row] = true;
  uint32_t* cells = above_.data() + size_t{row / cell_px_} * columns_;
  for (uint32_t i = 0; i < columns_; ++i) {
    total_ += columns[i];
    cells[i] += static_cast<uint32_t>(columns[i].above);
  }
}

InkLimitCounts LimitTotals::total() const {
  const std::lock_guard lock(mutex_);
  return total_;
}

std::vector<uint8_t> LimitTotals::map() const {
  const std::lock_guard lock(mutex_);
  std::vector<uint8_t> shares;
  for (uint32_t i = 0; i < above_.size(); ++i) {
    const uint32_t x = i % columns_ * cell_px_, y = i / columns_ * cell_px_;
    const uint64_t pixels =
        uint64_t{std::min(cell_px_, width_px_ - x)} * std::min(cell_px_, height_px_ - y);
    shares.push_back(static_cast<uint8_t>((uint64_t{above_[i]} * 255 + pixels - 1) / pixels));
  }
  return shares;
}

LimitStage::LimitStage(PageInfo page, LimitSettings settings, std::shared_ptr<LimitTotals> totals)
    : Stage(std::move(page)), settings_(std::move(settings)), totals_(std::move(totals)) {
  MZ_ASSERT(totals_ != nullptr && this->page().max_sample == kInk15);
}

uint64_t LimitStage::working_bytes(uint32_t threads) const {
  return uint64_t{threads} * totals_->columns() * sizeof(InkLimitCounts);
}

std::string LimitStage::describe() const {
  return fmt::format("ink {} {:.6g} %",
                     settings_.check_only ? "checked for" : "limited to",
                     100.0 * settings_.most / kInk15);
}

std::string LimitStage::digest() const {
  if (settings_.check_only) return "ink as it is";
  std::string text = fmt::format("ink limit {}:", settings_.most);
  if (settings_.printed) {
    const PrintedTones& printed = *settings_.printed;
    return text + text_of(printed.colours) + "," + text_of(printed.blacks) + "," +
           text_of(printed.others);
  }
  for (const auto& plane : settings_.cmyk) text += plane ? fmt::format(" {}", *plane) : " -";
  return text + fmt::format(" +{}", fmt::join(settings_.spots, "+"));
}

void LimitStage::limit_row(std::span<const MutableSampleBand> to, uint32_t i) const {
  const uint32_t width = page().width_px, cell = totals_->cell_px();
  std::vector<InkLimitCounts> counts;
  counts.reserve(totals_->columns());
  for (uint32_t x = 0; x < width; x += cell) {
    const uint32_t count = std::min(cell, width - x);
    counts.push_back(settings_.printed ? limit_printed(to, i, x, count)
                                       : limit_samples(to, i, x, count));
  }
  totals_->add(to.front().first_row + i, counts);
}

InkLimitCounts LimitStage::limit_samples(std::span<const MutableSampleBand> to,
                                         uint32_t i,
                                         uint32_t x,
                                         uint32_t count) const {
  prepress::LimitedInks<uint16_t> inks;
  for (size_t ink = 0; ink < inks.cmyk.size(); ++ink) {
    if (settings_.cmyk[ink]) inks.cmyk[ink] = samples_at(to[*settings_.cmyk[ink]], i, x);
  }
  std::vector<const uint16_t*> spots;
  for (const uint32_t plane : settings_.spots) spots.push_back(samples_at(to[plane], i, x));
  inks.spots = spots;
  if (!settings_.check_only) return prepress::limit_ink(settings_.most, inks, count);
  const auto& [c, m, y, k] = inks.cmyk;
  return prepress::count_ink(settings_.most, {{c, m, y, k}, spots}, count);
}

InkLimitCounts LimitStage::limit_printed(std::span<const MutableSampleBand> to,
                                         uint32_t i,
                                         uint32_t x,
                                         uint32_t count) const {
  const auto planes_of = [&](const std::vector<PrintedTone>& tones) {
    std::vector<prepress::PrintedPlane> planes;
    for (const auto& [plane, printed] : tones) {
      planes.push_back({samples_at(to[plane], i, x), printed ? printed->data() : nullptr});
    }
    return planes;
  };
  const auto colours = planes_of(settings_.printed->colours);
  const auto blacks = planes_of(settings_.printed->blacks);
  const auto others = planes_of(settings_.printed->others);
  const prepress::PrintedInks inks{colours, blacks, others};
  return settings_.check_only ? prepress::count_printed_ink(settings_.most, inks, count)
                              : prepress::limit_printed_ink(settings_.most, inks, count);
}

void LimitStage::run(std::span<const SampleBand> from,
                     std::span<const MutableSampleBand> to,
                     Team& team) const {
  for_each_index(team, to.front().rows, [&](uint32_t i) {
    for (size_t plane = 0; plane < to.size(); ++plane) {
      const int64_t y = int64_t{to[plane].first_row} + i - from[plane].first_row;
      std::memcpy(to[plane].row(i), from[plane].row(y), size_t{to[plane].width_px} * 2);
    }
    limit_row(to, i);
  });
}

}  // namespace mezzo::chain
