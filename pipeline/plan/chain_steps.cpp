#include "pipeline/plan/chain_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "kernels/band/ink15.h"
#include "kernels/base/error.h"
#include "kernels/prepress/scaler.h"
#include "manifests/plate_settings.h"
#include "pipeline/plan/page_geometry.h"
#include "pipeline/plan/page_limit.h"
#include "pipeline/plan/resolution.h"
#include "stages/band/bit_reader.h"
#include "stages/chain/colour_stage.h"
#include "stages/chain/copies_stage.h"
#include "stages/chain/crop_stage.h"
#include "stages/chain/ink15_stage.h"
#include "stages/chain/limit_stage.h"
#include "stages/chain/mix_stage.h"
#include "stages/chain/scale_stage.h"
#include "stages/chain/select_stage.h"
#include "stages/tiff/read/limits.h"

namespace mezzo::plan {
namespace {

using prepress::Ratio;
using prepress::ScaleFilter;

std::string dpi_text(double dpi) {
  return fmt::format("{:.6g} dpi", dpi);
}

/// From `page_dpi` to `plate_dpi`. Throws Error(kUnsupported).
Ratio ratio_of(double page_dpi, uint32_t plate_dpi, const std::string& place) {
  const auto fraction = as_fraction(page_dpi);
  if (fraction) {
    const uint64_t p = plate_dpi * fraction->denominator, q = fraction->numerator;
    const uint64_t common = std::gcd(p, q);
    if (p / common <= Ratio::kMostTerm && q / common <= Ratio::kMostTerm) {
      const Ratio ratio{static_cast<uint32_t>(p / common), static_cast<uint32_t>(q / common)};
      if (ratio.is_possible()) return ratio;
    }
  }
  throw Error(
      ErrorKind::kUnsupported,
      fmt::format(
          "{} has {}, which cannot be scaled to {} dpi: plates may have {} times the page's "
          "resolution at most and 1/{} of it at least, in a ratio of whole numbers up to {}",
          place,
          dpi_text(page_dpi),
          plate_dpi,
          Ratio::kMostUp,
          Ratio::kMostDown,
          Ratio::kMostTerm),
      "export the page at a resolution nearby")
      .about("output.resolution");
}

ScaleFilter filter_of(const PageInfo& page, const std::string& name, Ratio x, Ratio y) {
  const bool is_smaller = x.p < x.q || y.p < y.q;
  for (const prepress::FilterName& one : prepress::kFilterNames) {
    if (one.name != name) continue;
    if (one.filter != ScaleFilter::kEdges) return one.filter;
    if (!is_bilevel(page)) return is_smaller ? ScaleFilter::kArea : ScaleFilter::kEdges;
    break;  // it has no soft borders, and its dots are no type: as by auto
  }
  if (is_bilevel(page)) return ScaleFilter::kNearest;
  return is_smaller ? ScaleFilter::kArea : ScaleFilter::kCubic;
}

/// Pixels of one bit can only be repeated: in any other ratio, line work and screens of a page that
/// is halftoned already would get uneven widths, which print as a moire.
void refuse_uneven_repeats(const PageInfo& page,
                           Resolution resolution,
                           const prepress::Scaling& scaling,
                           uint32_t dpi,
                           const std::string& place) {
  if (!is_bilevel(page) || scaling.filter != ScaleFilter::kNearest) return;
  if (scaling.x.q == 1 && scaling.y.q == 1) return;
  throw Error(
      ErrorKind::kUnsupported,
      fmt::format("{} has one bit a pixel, made for {} x {}, and {} dpi is no multiple of that: "
                  "its pixels would get uneven widths, and its screens a moire",
                  place,
                  dpi_text(resolution.x_dpi),
                  dpi_text(resolution.y_dpi),
                  dpi),
      fmt::format(
          "export it at {} dpi, or halftone it as contone with 'scale: area' or --scale area", dpi))
      .about("output.resolution");
}

/// A plate has the limits of a page; `reason` is that of its size: "at 2400 dpi".
void refuse_large_plate(uint64_t width_px,
                        uint64_t height_px,
                        const std::string& reason,
                        const std::string& place) {
  const tiff::InputLimits limits;
  if (width_px <= limits.max_side_px && height_px <= limits.max_side_px &&
      width_px * height_px <= limits.max_pixels) {
    return;
  }
  throw Error(ErrorKind::kLimit,
              fmt::format("{} would have plates of {} x {} px {}; the limits are {} px a side and "
                          "{} px in all",
                          place,
                          width_px,
                          height_px,
                          reason,
                          limits.max_side_px,
                          limits.max_pixels));
}

void add_crop(PageToChain& of, chain::Chain& chain) {
  const auto& [page, settings, place] = std::tie(of.page, of.settings, of.place);
  if (!has_margins(settings.geometry)) return;
  const Resolution resolution =
      resolution_of(page, settings, place, "be cropped or trimmed in millimetres");
  const Rect kept = kept_of(page, settings.geometry, resolution, place);
  if (kept == Rect{0, 0, page.width_px, page.height_px}) return;
  chain.add(
      std::make_unique<chain::CropStage>(chain.page(), rotated(kept, page, chain.rotation())));
}

void add_ink15(chain::Chain& chain) {
  if (chain.page().max_sample == kInk15) return;
  chain.add(std::make_unique<chain::Ink15Stage>(chain.page()));
}

void add_dot_range(PageToChain& of, chain::Chain& chain) {
  if (has_dot_range(of.page)) add_ink15(chain);
}

void add_colour(PageToChain& of, chain::Chain& chain) {
  if (of.colour == nullptr) return;
  chain.add(std::make_unique<chain::ColourStage>(chain.page(), of.colour));
}

/// The sums of ink that are plates. A page that is a negative, and is inverted by its tone later, is
/// added up as the positive that it stands for.
std::vector<chain::InkSum> sums_of(const InkMap& map,
                                   const std::vector<std::string>& inks,
                                   const manifests::PageSettings& settings) {
  const auto is_negative = [&](const std::string& ink) {
    return manifests::plate_settings(settings, ink).tone.invert;
  };
  std::vector<chain::InkSum> sums;
  for (const MappedPlate& plate : map.plates) {
    sums.push_back({plate.parts, is_negative(plate.page_ink)});
    for (chain::InkPart& part : sums.back().parts) part.is_negative = is_negative(inks[part.plane]);
  }
  return sums;
}

void add_inks(PageToChain& of, chain::Chain& chain) {
  const std::vector<std::string> names = inks_of(chain.page(), of.ink);
  of.inks = map_inks(names, of.settings, of.place);
  const InkMap& map = of.inks;
  if (map.keeps_all(chain.page().inks.size())) return;
  if (!map.only_selects()) add_ink15(chain);
  PageInfo page = chain.page();
  page.inks.clear();
  page.notes.insert(page.notes.end(), map.notes.begin(), map.notes.end());
  for (const MappedPlate& plate : map.plates) page.inks.push_back(plate.ink);
  if (map.only_selects()) {
    std::vector<uint32_t> planes;
    for (const MappedPlate& plate : map.plates) planes.push_back(plate.parts.front().plane);
    chain.add(std::make_unique<chain::SelectStage>(std::move(page), std::move(planes)));
  } else {
    chain.add(std::make_unique<chain::MixStage>(std::move(page), sums_of(map, names, of.settings)));
  }
}

/// How the page is scaled; nothing where it has the resolution of its plates.
std::optional<prepress::Scaling> scaling_of(const chain::Chain& chain,
                                            const manifests::PageSettings& settings,
                                            const std::string& place) {
  const uint32_t dpi = settings.output.resolution_dpi;
  if (dpi == 0) return {};
  const PageInfo& page = chain.source();
  const Resolution resolution =
      resolution_of(page, settings, place, fmt::format("be scaled to {} dpi", dpi));
  const Ratio x = ratio_of(resolution.x_dpi, dpi, place);
  const Ratio y = ratio_of(resolution.y_dpi, dpi, place);
  if (x == Ratio{} && y == Ratio{}) return {};
  refuse_large_plate(prepress::scaled_size(chain.page().width_px, x),
                     prepress::scaled_size(chain.page().height_px, y),
                     fmt::format("at {} dpi", dpi),
                     place);
  const prepress::Scaling scaling{x, y, filter_of(page, settings.scale, x, y)};
  refuse_uneven_repeats(page, resolution, scaling, dpi, place);
  return scaling;
}

void add_ink_limit(const PageToChain& of, chain::Chain& chain) {
  if (!of.limit) return;
  add_ink15(chain);
  auto totals = std::make_shared<chain::LimitTotals>(chain.page());
  chain.count_ink_in(totals);
  chain.add(std::make_unique<chain::LimitStage>(chain.page(), *of.limit, totals));
}

/// What is printed of a tone between two pixels may be more than of both: a curve may bulge, and sharp borders make
/// solids of each ink without a look at the others.
bool limits_plates(const PageToChain& of) {
  return of.limit &&
         (of.limit->printed || (of.scaling && of.scaling->filter == ScaleFilter::kEdges));
}

void add_limit_of_page(PageToChain& of, chain::Chain& chain) {
  of.limit = limit_of(of.inks, of.settings, of.place);
  of.scaling = scaling_of(chain, of.settings, of.place);
  if (!limits_plates(of)) add_ink_limit(of, chain);
}

void add_limit_of_plates(PageToChain& of, chain::Chain& chain) {
  if (limits_plates(of)) add_ink_limit(of, chain);
}

void add_scale(PageToChain& of, chain::Chain& chain) {
  if (!of.scaling) return;
  add_ink15(chain);
  const double dpi = of.settings.output.resolution_dpi;
  chain.add(std::make_unique<chain::ScaleStage>(chain.page(), *of.scaling, Resolution{dpi, dpi}));
}

/// Pixels are repeated.
bool scales_solids_to_solids(const manifests::PageSettings& settings) {
  return settings.output.resolution_dpi == 0 || settings.scale == "auto" ||
         settings.scale == "nearest";
}

/// Scaling by edges took 1.8 times as long as cubic scaling, eightfold, for a page of type.
double work_of_scaling(const PageInfo& page,
                       const PageInfo& plate,
                       const manifests::PageSettings& settings) {
  constexpr double kEdgesWork = 1.8;
  const double dpi = known_resolution(page, settings).x_dpi;
  if (dpi <= 0 || plate.resolution.x_dpi == dpi) return 0;
  const bool is_larger = plate.width_px >= page.width_px && plate.height_px >= page.height_px;
  return settings.scale == "edges" && is_larger ? kEdgesWork : 1;
}

/// The samples of each plate's ink that become paper.
std::vector<uint32_t> papers_of(const PageInfo& page,
                                const InkMap& inks,
                                const manifests::PageSettings& settings) {
  const bool max_is_ink = page.polarity == Polarity::kMaxIsInk;
  std::vector<uint32_t> papers;
  for (const MappedPlate& plate : inks.plates) {
    const bool inverts = manifests::plate_settings(settings, plate.page_ink).tone.invert;
    papers.push_back(max_is_ink != inverts ? 0 : page.max_sample);
  }
  return papers;
}

void add_copies(PageToChain& of, chain::Chain& chain) {
  const auto& [inks, settings, place] = std::tie(of.inks, of.settings, of.place);
  const auto [across, down, gap_um] = settings.geometry.copies;
  if (across == 1 && down == 1) return;
  const PageInfo& page = chain.page();
  Resolution resolution;
  if (gap_um != 0) {
    resolution = resolution_of(page, settings, place, "have copies with a gap in millimetres");
  }
  auto columns = begins_of_copies(across, page.width_px, gap_um, resolution.x_dpi);
  auto rows = begins_of_copies(down, page.height_px, gap_um, resolution.y_dpi);
  refuse_large_plate(uint64_t{columns.back()} + page.width_px,
                     uint64_t{rows.back()} + page.height_px,
                     fmt::format("with {} x {} copies", across, down),
                     place);
  chain.add(std::make_unique<chain::CopiesStage>(
      page, std::move(columns), std::move(rows), papers_of(page, inks, settings)));
}

constexpr ChainStep kSteps[] = {
    {.name = "crop", .add = add_crop},
    {.name = "dot range", .add = add_dot_range},
    {.name = "colour", .add = add_colour},
    {.name = "inks", .add = add_inks},
    {.name = "ink limit of the page", .add = add_limit_of_page},
    {.name = "scale",
     .add = add_scale,
     .keeps_solids = scales_solids_to_solids,
     .work = work_of_scaling},
    {.name = "ink limit of the plates", .add = add_limit_of_plates},
    {.name = "copies", .add = add_copies},
};

}  // namespace

std::span<const ChainStep> chain_steps() {
  return kSteps;
}

bool keep_solids(const manifests::PageSettings& settings) {
  return std::ranges::all_of(kSteps, [&](const ChainStep& step) {
    return step.keeps_solids == nullptr || step.keeps_solids(settings);
  });
}

double work_of_steps(const PageInfo& page,
                     const PageInfo& plate,
                     const manifests::PageSettings& settings) {
  double work = 0;
  for (const ChainStep& step : kSteps) {
    if (step.work != nullptr) work += step.work(page, plate, settings);
  }
  return work;
}

/// The names of the inks of a page, whose only ink may have another one.
std::vector<std::string> inks_of(const PageInfo& page, const std::string& ink) {
  if (ink.empty() || page.inks.size() != 1) return page.inks;
  return {ink};
}

}  // namespace mezzo::plan
