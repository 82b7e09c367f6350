#include "stages/chain/colour_stage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "kernels/band/ink15.h"
#include "kernels/prepress/colour_lookup.h"

namespace mezzo::chain {
namespace {

using prepress::ColourShape;

/// The planes of the page that the table does not take.
std::vector<uint32_t> others_of(const PageInfo& page, const prepress::Conversion& colour) {
  std::vector<uint32_t> others;
  for (uint32_t plane = 0; plane < page.inks.size(); ++plane) {
    if (std::ranges::find(colour.planes, plane) == colour.planes.end()) others.push_back(plane);
  }
  return others;
}

/// The samples of an input of the table in 16 bits.
std::vector<uint16_t> in_16_bits(const PageInfo& page,
                                 const prepress::Conversion& colour,
                                 size_t input) {
  const uint32_t most = page.max_sample;
  const bool is_offset = colour.is_lab && input > 0 && most == 255;  // 256 for each of a* and b*
  std::vector<uint16_t> levels;
  for (uint32_t sample = 0; sample <= most; ++sample) {
    const uint64_t value = colour.is_inverted ? most - sample : sample;
    levels.push_back(
        static_cast<uint16_t>(is_offset ? value * 256 : (value * 65535 + most / 2) / most));
  }
  return levels;
}

/// Whether the table takes the samples as they are.
bool fits(const PageInfo& page, const prepress::Conversion& colour) {
  if (colour.is_inverted) return false;
  return page.max_sample == 65535 || (page.max_sample == 255 && !colour.is_lab);
}

std::vector<uint16_t> levels_of_ink(const PageInfo& page) {
  std::vector<uint16_t> levels;
  for (uint32_t sample = 0; sample <= page.max_sample; ++sample) {
    const bool is_ink = page.polarity == Polarity::kMaxIsInk;
    levels.push_back(ink15(is_ink ? sample : page.max_sample - sample, page.max_sample));
  }
  return levels;
}

uint32_t sample_at(const SampleBand& band, int64_t y, uint32_t x) {
  return band.bytes_per_sample == 1 ? band.row8(y)[x] : band.row16(y)[x];
}

}  // namespace

PageInfo page_in_inks(const PageInfo& page, const prepress::Conversion& colour) {
  PageInfo result = page;
  result.inks = colour.inks;
  for (const uint32_t plane : others_of(page, colour)) result.inks.push_back(page.inks[plane]);
  result.max_sample = kInk15;
  result.bytes_per_sample = 2;
  result.polarity = Polarity::kMaxIsInk;
  result.model = PageInfo::Model::kInks;
  return result;
}

ColourStage::ColourStage(const PageInfo& page, PageColourPtr colour)
    : Stage(page_in_inks(page, colour->conversion)),
      colour_(std::move(colour)),
      others_(others_of(page, colour_->conversion)) {
  for (size_t i = 0; i < colour_->conversion.planes.size() && !fits(page, colour_->conversion);
       ++i) {
    wide_.push_back(in_16_bits(page, colour_->conversion, i));
  }
  if (!others_.empty()) ink15_ = levels_of_ink(page);
}

std::string ColourStage::describe() const {
  return colour_->conversion.text;
}

std::string ColourStage::digest() const {
  const prepress::Conversion& conversion = colour_->conversion;
  return fmt::format("colour {}{}{} of {}",
                     conversion.digest,
                     conversion.is_inverted ? " inverted" : "",
                     conversion.is_lab ? " lab" : "",
                     fmt::join(conversion.planes, " "));
}

/// A row of the page, a piece of it at a time.
class ColourStage::Row {
 public:
  Row(const ColourStage& stage, std::span<const SampleBand> from, int64_t y)
      : stage_(stage), from_(from), y_(y) {}

  void convert(std::span<const MutableSampleBand> to, uint32_t row) {
    const uint32_t outputs = stage_.colour_->table->shape().outputs;
    std::array<uint16_t*, ColourShape::kMostOutputs> out{};
    for (uint32_t x = 0; x < to.front().width_px; x += kPiece) {
      const uint32_t count = std::min(kPiece, to.front().width_px - x);
      for (uint32_t i = 0; i < outputs; ++i) out[i] = ink_row(to[i], row) + x;
      convert_piece(x, count, std::span(out).first(outputs));
      for (size_t i = 0; i < stage_.others_.size(); ++i) {
        copy_piece(stage_.others_[i], x, count, ink_row(to[outputs + i], row) + x);
      }
    }
  }

 private:
  static constexpr uint32_t kPiece = 1024;

  static uint16_t* ink_row(const MutableSampleBand& plane, uint32_t row) {
    return reinterpret_cast<uint16_t*>(plane.row(row));
  }

  void convert_piece(uint32_t x, uint32_t count, std::span<uint16_t* const> out) {
    const std::vector<uint32_t>& planes = stage_.colour_->conversion.planes;
    const prepress::ColourTable& table = *stage_.colour_->table;
    if (stage_.wide_.empty() && from_[planes.front()].bytes_per_sample == 1) {
      std::array<const uint8_t*, ColourShape::kMostInputs> in{};
      for (size_t i = 0; i < planes.size(); ++i) in[i] = from_[planes[i]].row8(y_) + x;
      return prepress::convert(table, std::span(in).first(planes.size()), out, count);
    }
    std::array<const uint16_t*, ColourShape::kMostInputs> in{};
    for (size_t i = 0; i < planes.size(); ++i) {
      in[i] = stage_.wide_.empty()
                  ? from_[planes[i]].row16(y_) + x
                  : widened(stage_.wide_[i], from_[planes[i]], x, count, samples_[i]);
    }
    prepress::convert(table, std::span(in).first(planes.size()), out, count);
  }

  const uint16_t* widened(const std::vector<uint16_t>& levels,
                          const SampleBand& band,
                          uint32_t x,
                          uint32_t count,
                          std::array<uint16_t, kPiece>& to) const {
    for (uint32_t i = 0; i < count; ++i) to[i] = levels[sample_at(band, y_, x + i)];
    return to.data();
  }

  void copy_piece(uint32_t plane, uint32_t x, uint32_t count, uint16_t* to) const {
    for (uint32_t i = 0; i < count; ++i) {
      to[i] = stage_.ink15_[sample_at(from_[plane], y_, x + i)];
    }
  }

  const ColourStage& stage_;
  std::span<const SampleBand> from_;
  int64_t y_;
  std::array<std::array<uint16_t, kPiece>, ColourShape::kMostInputs> samples_;
};

void ColourStage::run(std::span<const SampleBand> from,
                      std::span<const MutableSampleBand> to,
                      Team& team) const {
  for_each_index(team, to.front().rows, [&](uint32_t i) {
    const int64_t y = int64_t{to.front().first_row} + i - from.front().first_row;
    Row(*this, from, y).convert(to, i);
  });
}

}  // namespace mezzo::chain
