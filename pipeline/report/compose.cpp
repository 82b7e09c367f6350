#include "pipeline/report/compose.h"

#include <algorithm>
#include <map>

#include "kernels/base/error.h"
#include "kernels/proof/box_counts.h"

namespace mezzo::report {
namespace {

constexpr double kYuleNielsen = 2;
constexpr size_t kMostShown = 8;  // inks of dots

proof::Neugebauer print_of(const proof::PrintColours& colours) {
  return {colours, std::min(colours.solids.size(), proof::kMostCounted), kYuleNielsen};
}

}  // namespace

proof::PrintColours shown_colours(const proof::PrintColours& colours,
                                  const std::vector<std::string>& unknown) {
  proof::PrintColours shown = proof::on_white(colours);
  if (shown.solids.size() == 1 && !unknown.empty()) shown.solids = {proof::Lab{0, 0, 0}};
  return shown;
}

ColourImage compose(const std::vector<PreviewImages::Ink>& inks,
                    InkImage PreviewImages::Ink::*which,
                    const proof::PrintColours& colours) {
  MZ_ASSERT(!inks.empty() && colours.solids.size() == inks.size());
  const proof::Neugebauer print = print_of(colours);
  const InkImage& first = inks[0].*which;
  ColourImage image{first.width_px, first.height_px, {}};
  image.pixels.reserve(first.coverage.size());
  std::vector<double> coverage(inks.size());
  for (size_t i = 0; i < first.coverage.size(); ++i) {
    for (size_t k = 0; k < inks.size(); ++k) coverage[k] = (inks[k].*which).coverage[i] / 255.0;
    image.pixels.push_back(proof::srgb_of(print.mix_apart(coverage)));
  }
  return image;
}

IndexedImage compose_dots(const std::vector<PreviewImages::Ink>& inks,
                          const proof::PrintColours& colours) {
  MZ_ASSERT(!inks.empty() && colours.solids.size() == inks.size());
  const proof::Neugebauer print = print_of(colours);
  const size_t shown = std::min(inks.size(), kMostShown);
  const InkImage& first = inks[0].dots;
  IndexedImage image{first.width_px, first.height_px, {}, {}};
  std::map<uint32_t, uint8_t> index_of;  // by set of inks: at most 256
  for (size_t i = 0; i < first.coverage.size(); ++i) {
    uint32_t set = 0;
    for (size_t k = 0; k < shown; ++k) {
      if (inks[k].dots.coverage[i] != 0) set |= 1U << k;
    }
    const auto [known, is_new] =
        index_of.try_emplace(set, static_cast<uint8_t>(image.palette.size()));
    if (is_new) {
      std::vector<double> coverage(inks.size());
      for (size_t k = 0; k < shown; ++k) coverage[k] = (set >> k & 1) != 0 ? 1 : 0;
      image.palette.push_back(proof::srgb_of(print.mix_apart(coverage)));
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
