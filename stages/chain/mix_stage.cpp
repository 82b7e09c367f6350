#include "stages/chain/mix_stage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>

#include "kernels/prepress/mix.h"

namespace mezzo::chain {

std::string MixStage::describe() const {
  return fmt::format("inks mixed into {}", fmt::join(page().inks, ", "));
}

std::string MixStage::digest() const {
  std::string text = "mix";
  for (const InkSum& ink : inks_) {
    text += ink.is_negative ? " -(" : " (";
    for (const InkPart& part : ink.parts) {
      text += fmt::format(" {}{}:{}", part.is_negative ? "-" : "", part.plane, part.weight);
    }
    text += ")";
  }
  return text;
}

void MixStage::run(std::span<const SampleBand> from,
                   std::span<const MutableSampleBand> to,
                   Team& team) const {
  const uint32_t rows = to.front().rows;
  for_each_index(team, static_cast<uint32_t>(to.size()) * rows, [&](uint32_t i) {
    const MutableSampleBand& plane = to[i / rows];
    auto* row = reinterpret_cast<uint16_t*>(plane.row(i % rows));
    std::memset(row, 0, size_t{plane.width_px} * sizeof *row);
    const InkSum& ink = inks_[i / rows];
    for (const InkPart& part : ink.parts) {
      const SampleBand& source = from[part.plane];
      const int64_t y = int64_t{plane.first_row} + i % rows - source.first_row;
      prepress::add_ink(source.row16(y), part.is_negative, part.weight, plane.width_px, row);
    }
    if (ink.is_negative) prepress::negate_ink(row, plane.width_px);
  });
}

}  // namespace mezzo::chain
