#include "tools/synth/page.h"

#include <algorithm>
#include <vector>

#include "kernels/base/error.h"
#include "tools/synth/layout.h"

namespace mezzo::synth {
namespace {

/// Coverage to a sample of the file; `invert` where 0 is black.
template <typename Sample>
Sample to_sample(uint32_t coverage, bool invert) {
  const uint32_t value = invert ? 65535 - coverage : coverage;
  if constexpr (sizeof(Sample) == 2) return static_cast<Sample>(value);
  return static_cast<Sample>((value * 255 + 32895) >> 16);  // round(value / 257)
}

template <typename Sample>
void store_row(const synth::Row& row, bool invert, Sample* out) {
  const auto width = static_cast<size_t>(row.width_px);
  const size_t planes = row.planes;
  for (size_t plane = 0; plane < planes; ++plane) {
    const uint16_t* line = row.line[plane];
    if (planes == 1) {  // apart, since it runs as vectors
      for (size_t x = 0; x < width; ++x) out[x] = to_sample<Sample>(line[x], invert);
    } else {
      for (size_t x = 0; x < width; ++x) {
        out[x * planes + plane] = to_sample<Sample>(line[x], invert);
      }
    }
  }
}

}  // namespace

SynthPage::SynthPage(const SynthOptions& options) : SynthPage(options, synth::lay_out(options)) {}

SynthPage::SynthPage(const SynthOptions& options, ShapeList shapes)
    : options_(options), shapes_(std::move(shapes)) {
  constexpr uint32_t kMaxSide = 100'000;
  MZ_ASSERT(options.width_px >= 1 && options.width_px <= kMaxSide);
  MZ_ASSERT(options.height_px >= 1 && options.height_px <= kMaxSide);
  MZ_ASSERT(options.bits == 8 || options.bits == 16);
  MZ_ASSERT(options.planes == 1 || options.planes == 3 || options.planes == 4);
  MZ_ASSERT(options.dpi >= 1 && options.dpi <= 100'000);
}

void SynthPage::render_rows(uint32_t first_row, uint32_t rows, std::byte* out) const {
  MZ_ASSERT(first_row <= options_.height_px && rows <= options_.height_px - first_row);
  std::vector<uint16_t> lines(size_t{options_.width_px} * options_.planes);
  synth::Row row;
  row.width_px = static_cast<int32_t>(options_.width_px);
  row.planes = options_.planes;
  for (uint32_t plane = 0; plane < options_.planes; ++plane) {
    row.line[plane] = lines.data() + size_t{options_.width_px} * plane;
  }
  const bool invert = options_.planes != 4;
  for (uint32_t i = 0; i < rows; ++i) {
    row.y = static_cast<int32_t>(first_row + i);
    std::fill(lines.begin(), lines.end(), uint16_t{0});
    for (const auto& shape : shapes_) {
      if (row.y >= shape->box().y0 && row.y < shape->box().y1) shape->draw(row);
    }
    std::byte* target = out + row_bytes() * i;
    if (options_.bits == 8) {
      store_row(row, invert, reinterpret_cast<uint8_t*>(target));
    } else {
      store_row(row, invert, reinterpret_cast<uint16_t*>(target));
    }
  }
}

}  // namespace mezzo::synth
