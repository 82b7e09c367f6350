#include "stages/chain/ink15_stage.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/band/ink15.h"

namespace mezzo::chain {
namespace {

PageInfo in_ink15(PageInfo page) {
  page.max_sample = kInk15;
  page.bytes_per_sample = 2;
  page.polarity = Polarity::kMaxIsInk;
  page.first_dot = page.last_dot = 0;
  return page;
}

/// The ink of a sample between those of paper and of a solid.
uint16_t ink_between(uint32_t sample, uint32_t paper, uint32_t solid) {
  if (paper > solid) return ink_between(paper - std::min(sample, paper), 0, paper - solid);
  return ink15(std::clamp(sample, paper, solid) - paper, solid - paper);
}

template <typename Sample>
void convert(const Sample* from, uint32_t count, const uint16_t* levels, uint16_t* to) {
  for (uint32_t i = 0; i < count; ++i) to[i] = levels[from[i]];
}

}  // namespace

Ink15Stage::Ink15Stage(const PageInfo& page)
    : Stage(in_ink15(page)),
      paper_(page.polarity == Polarity::kMaxIsInk ? 0 : page.max_sample),
      solid_(page.max_sample - paper_) {
  if (has_dot_range(page)) {
    paper_ = page.first_dot;
    solid_ = page.last_dot;
  }
  for (uint32_t sample = 0; sample <= page.max_sample; ++sample) {
    levels_.push_back(ink_between(sample, paper_, solid_));
  }
}

std::string Ink15Stage::describe() const {
  return fmt::format("samples to {} levels of ink", kInk15);
}

std::string Ink15Stage::digest() const {
  return fmt::format("ink15 {}: {} .. {}", levels_.size() - 1, paper_, solid_);
}

void Ink15Stage::run(std::span<const SampleBand> from,
                     std::span<const MutableSampleBand> to,
                     Team& team) const {
  const uint32_t rows = to.front().rows;
  for_each_index(team, static_cast<uint32_t>(to.size()) * rows, [&](uint32_t i) {
    const SampleBand& plane = from[i / rows];
    const int64_t y = to.front().first_row + i % rows - int64_t{plane.first_row};
    auto* row = reinterpret_cast<uint16_t*>(to[i / rows].row(i % rows));
    if (plane.bytes_per_sample == 1) {
      convert(plane.row8(y), plane.width_px, levels_.data(), row);
    } else {
      convert(plane.row16(y), plane.width_px, levels_.data(), row);
    }
  });
}

}  // namespace mezzo::chain
