#include "stages/chain/chain_reader.h"

#include <algorithm>
#include <cstring>

#include "kernels/prepress/scale_axis.h"

namespace mezzo::chain {
namespace {

constexpr uint32_t kMostBetween = prepress::Ratio::kMostDown;

uint64_t row_bytes(const PageInfo& page) {
  return uint64_t{page.width_px} * page.bytes_per_sample * page.inks.size();
}

std::vector<SampleBand> for_reading(const std::vector<MutableSampleBand>& planes) {
  return {planes.begin(), planes.end()};
}

void copy_rows(const MutableSampleBand& from, const MutableSampleBand& to) {
  std::memcpy(to.data, from.data, from.stride_bytes * from.rows);
}

}  // namespace

prepress::SampleRange ChainReader::rows_to_hold(prepress::SampleRange needed) const {
  const uint32_t quantum = source_->row_quantum();
  const uint64_t end = (uint64_t{needed.end()} + quantum - 1) / quantum * quantum;
  const uint64_t height = chain_.source().height_px;
  return {needed.first, static_cast<uint32_t>(std::min(end, height) - needed.first)};
}

size_t ChainReader::working_bytes(uint32_t band_rows, uint32_t members) const {
  const uint32_t height = chain_.page().height_px;
  const uint32_t at_once = chain_.stages().back()->rows_at_once(0);
  const uint32_t rows = std::min(band_rows, at_once);
  uint64_t bytes = 0, most_source_rows = 0;
  std::vector<uint64_t> most(chain_.stages().size());
  // The rows that a stage needs vary by a few with the place on the page.
  for (uint32_t part = 0; part < 16; ++part) {
    const auto first = static_cast<uint32_t>(uint64_t{at_once - rows} * part / 15);
    const auto needed = chain_.rows_needed({first, rows});
    for (size_t i = 0; i < most.size(); ++i) {
      most[i] = std::max<uint64_t>(most[i], needed[i].count + 1);
    }
    most_source_rows = std::max<uint64_t>(most_source_rows, rows_to_hold(needed[0]).count);
  }
  if (at_once < height) {
    // More than a copy takes, but then the memory of taller bands grows evenly.
    most.back() = std::max<uint64_t>(most.back(), std::min(band_rows, height));
    most_source_rows = std::max(most_source_rows, most.front());
  }
  most_source_rows += source_->row_quantum() + 2 * kMostBetween;
  bytes += 2 * most_source_rows * row_bytes(chain_.source());
  for (size_t i = 1; i < most.size(); ++i) {
    bytes += most[i] * row_bytes(chain_.stages()[i - 1]->page());
  }
  for (const auto& stage : chain_.stages()) bytes += stage->working_bytes(members);
  return bytes + source_->working_bytes(static_cast<uint32_t>(most_source_rows), members);
}

void ChainReader::make_room(const PageInfo& page, uint32_t rows, Rows& held) {
  if (rows <= held.room) return;
  held.buffer = ContoneBuffer(page, rows);
  held.room = rows;
}

std::vector<SampleBand> ChainReader::source_rows(prepress::SampleRange needed, Team& team) {
  const uint32_t held_end =
      held_.planes.empty() ? 0 : held_.planes.front().first_row + held_.planes.front().rows;
  // Rows between two bands that neither needs are read nevertheless: they may be damaged.
  const bool goes_on = held_end <= needed.first && needed.first - held_end < kMostBetween;
  if (goes_on) needed = {held_end, needed.end() - held_end};
  const prepress::SampleRange rows = rows_to_hold(needed);
  make_room(chain_.source(), rows.count, spare_);
  spare_.planes = spare_.buffer.rows(rows.first, rows.count);
  uint32_t first = rows.first;
  if (!held_.planes.empty() && held_.planes.front().first_row <= first && first < held_end) {
    first = std::min(held_end, rows.end());
  }
  std::vector<MutableSampleBand> fresh;
  for (size_t i = 0; i < spare_.planes.size(); ++i) {
    const MutableSampleBand& to = spare_.planes[i];
    if (first > rows.first) {
      const uint32_t count = first - rows.first;
      copy_rows(held_.planes[i].rows_of_page(rows.first, count),
                to.rows_of_page(rows.first, count));
    }
    fresh.push_back(to.rows_of_page(first, rows.end() - first));
  }
  if (fresh.front().rows > 0) source_->read(fresh, team);
  std::swap(held_, spare_);
  return for_reading(held_.planes);
}

void ChainReader::read_at_once(std::span<const MutableSampleBand> planes, Team& team) {
  const prepress::SampleRange rows{planes.front().first_row, planes.front().rows};
  const auto needed = chain_.rows_needed(rows);
  prepress::SampleRange of_file = needed.front();
  const uint32_t below = chain_.source().height_px - of_file.end();
  if (rows.end() == chain_.page().height_px && below < kMostBetween) of_file.count += below;
  std::vector<SampleBand> from = source_rows(of_file, team);
  const auto& stages = chain_.stages();
  for (size_t i = 0; i + 1 < stages.size(); ++i) {
    Rows& made = between_[i];
    make_room(stages[i]->page(), needed[i + 1].count, made);
    made.planes = made.buffer.rows(needed[i + 1].first, needed[i + 1].count);
    stages[i]->run(from, made.planes, team);
    from = for_reading(made.planes);
  }
  stages.back()->run(from, planes, team);
}

void ChainReader::read(std::span<const MutableSampleBand> planes, Team& team) {
  const uint32_t end = planes.front().first_row + planes.front().rows;
  for (uint32_t y = planes.front().first_row; y < end;) {
    const uint32_t rows = std::min(end - y, chain_.stages().back()->rows_at_once(y));
    std::vector<MutableSampleBand> some;
    for (const MutableSampleBand& plane : planes) some.push_back(plane.rows_of_page(y, rows));
    read_at_once(some, team);
    y += rows;
  }
}

}  // namespace mezzo::chain
