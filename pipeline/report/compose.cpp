#include "pipeline/report/compose.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "kernels/base/error.h"
#include "manifests/source_text.h"

namespace mezzo::report {
namespace {

std::vector<Rgb> colours_of(const std::vector<PreviewImages::Ink>& inks) {
  std::vector<Rgb> colours;
  for (const PreviewImages::Ink& ink : inks) colours.push_back(ink_colour(ink.name));
  if (inks.size() == 1 && colours[0] == ink_colour("")) colours[0] = ink_colour("black");
  return colours;
}

/// `light`, 0..1 a channel, under an ink of so much coverage.
void put_over(std::array<double, 3>& light, const Rgb& colour, uint8_t coverage) {
  for (size_t k = 0; k < 3; ++k) light[k] *= 1 - coverage / 255.0 * (1 - colour[k] / 255.0);
}

Rgb shown(const std::array<double, 3>& light) {
  Rgb rgb;
  for (size_t k = 0; k < 3; ++k) rgb[k] = static_cast<uint8_t>(std::lround(255 * light[k]));
  return rgb;
}

}  // namespace

Rgb ink_colour(std::string_view ink) {
  const std::string name = manifests::lower_case(ink);
  if (name == "cyan") return {0, 158, 224};
  if (name == "magenta") return {226, 0, 122};
  if (name == "yellow") return {255, 236, 0};
  if (name == "black") return {0, 0, 0};
  return {120, 120, 120};
}

ColourImage compose(const std::vector<PreviewImages::Ink>& inks,
                    InkImage PreviewImages::Ink::*which) {
  MZ_ASSERT(!inks.empty());
  const std::vector<Rgb> colours = colours_of(inks);
  const InkImage& first = inks[0].*which;
  ColourImage image{first.width_px, first.height_px, {}};
  image.pixels.reserve(first.coverage.size());
  for (size_t i = 0; i < first.coverage.size(); ++i) {
    std::array<double, 3> light = {1, 1, 1};
    for (size_t k = 0; k < inks.size(); ++k) {
      put_over(light, colours[k], (inks[k].*which).coverage[i]);
    }
    image.pixels.push_back(shown(light));
  }
  return image;
}

IndexedImage compose_dots(const std::vector<PreviewImages::Ink>& inks) {
  MZ_ASSERT(!inks.empty());
  const std::vector<Rgb> colours = colours_of(inks);
  const InkImage& first = inks[0].dots;
  IndexedImage image{first.width_px, first.height_px, {}, {}};
  std::map<uint32_t, uint8_t> index_of;  // by set of inks: at most 256
  for (size_t i = 0; i < first.coverage.size(); ++i) {
    uint32_t set = 0;
    for (size_t k = 0; k < std::min<size_t>(inks.size(), 8); ++k) {
      if (inks[k].dots.coverage[i] != 0) set |= 1U << k;
    }
    const auto [known, is_new] =
        index_of.try_emplace(set, static_cast<uint8_t>(image.palette.size()));
    if (is_new) {
      std::array<double, 3> light = {1, 1, 1};
      for (size_t k = 0; k < colours.size() && k < 8; ++k) {
        if ((set >> k & 1) != 0) put_over(light, colours[k], 255);
      }
      image.palette.push_back(shown(light));
    }
    image.pixels.push_back(known->second);
  }
  return image;
}

ColourImage halved(const ColourImage& image) {
  ColourImage half{(image.width_px + 1) / 2, (image.height_px + 1) / 2, {}};
  for (uint32_t y = 0; y < half.height_px; ++y) {
    for (uint32_t x = 0; x < half.width_px; ++x) {
      const uint32_t below = std::min(2 * y + 1, image.height_px - 1);
      const uint32_t right = std::min(2 * x + 1, image.width_px - 1);
      Rgb mean;
      for (size_t k = 0; k < 3; ++k) {
        const auto at = [&](uint32_t column, uint32_t row) {
          return uint32_t{image.pixels[size_t{row} * image.width_px + column][k]};
        };
        const uint32_t sum =
            at(2 * x, 2 * y) + at(right, 2 * y) + at(2 * x, below) + at(right, below);
        mean[k] = static_cast<uint8_t>((sum + 2) / 4);
      }
      half.pixels.push_back(mean);
    }
  }
  return half;
}

}  // namespace mezzo::report
