#include "stages/chain/ink15_stage.h"

#include <fmt/format.h>

#include "kernels/band/ink15.h"

namespace mezzo::chain {
namespace {

PageInfo in_ink15(PageInfo page) {
  page.max_sample = kInk15;
  page.bytes_per_sample = 2;
  page.polarity = Polarity::kMaxIsInk;
  return page;
}

template <typename Sample>
void convert(const Sample* from, uint32_t count, const uint16_t* levels, uint16_t* to) {
  for (uint32_t i = 0; i < count; ++i) to[i] = levels[from[i]];
}

}  // namespace

Ink15Stage::Ink15Stage(const PageInfo& page) : Stage(in_ink15(page)) {
  for (uint32_t sample = 0; sample <= page.max_sample; ++sample) {
    const bool is_ink = page.polarity == Polarity::kMaxIsInk;
    levels_.push_back(ink15(is_ink ? sample : page.max_sample - sample, page.max_sample));
  }
}

std::string Ink15Stage::describe() const {
  return fmt::format("samples to {} levels of ink", kInk15);
}

std::string Ink15Stage::digest() const {
  return fmt::format("ink15 {} {}", levels_.size() - 1, levels_.front() == 0 ? "ink" : "paper");
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
