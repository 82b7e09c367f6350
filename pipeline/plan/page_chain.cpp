#include "pipeline/plan/page_chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/band/ink15.h"
#include "kernels/base/error.h"
#include "kernels/prepress/scaler.h"
#include "manifests/plate_settings.h"
#include "pipeline/plan/ink_map.h"
#include "pipeline/plan/page_geometry.h"
#include "pipeline/plan/page_limit.h"
#include "pipeline/plan/resolution.h"
#include "pipeline/text.h"
#include "stages/band/bit_reader.h"
#include "stages/chain/chain_reader.h"
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

/// The names of the inks of a page, whose only ink may have another one.
std::vector<std::string> inks_of(const PageInfo& page, const std::string& ink) {
  if (ink.empty() || page.inks.size() != 1) return page.inks;
  return {ink};
}

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
    return is_smaller && one.filter == ScaleFilter::kEdges ? ScaleFilter::kArea : one.filter;
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

/// The page before it is turned is `page`.
void add_crop(const PageInfo& page,
              const manifests::PageSettings& settings,
              const std::string& place,
              chain::Chain& chain) {
  if (!has_margins(settings.geometry)) return;
  const Resolution resolution =
      resolution_of(page, settings, place, "be cropped or trimmed in millimetres");
  const Rect kept = kept_of(page, settings.geometry, resolution, place);
  if (kept == Rect{0, 0, page.width_px, page.height_px}) return;
  chain.add(
      std::make_unique<chain::CropStage>(chain.page(), rotated(kept, page, chain.rotation())));
}

/// "PANTONE 185 C, varnish"; a channel without a name by its number among them.
std::string names_of(const std::vector<ExtraChannel>& extras) {
  std::string names;
  for (const ExtraChannel& extra : extras) {
    const std::string number = fmt::format("number {}", &extra - extras.data() + 1);
    names +=
        (names.empty() ? "" : ", ") + (extra.name.empty() ? number : one_line(extra.name, 100));
  }
  return names;
}

std::vector<ExtraChannel> alphas_among(const std::vector<ExtraChannel>& extras) {
  std::vector<ExtraChannel> alphas;
  for (const ExtraChannel& extra : extras) {
    if (extra.kind == ExtraChannel::Kind::kAlpha) alphas.push_back(extra);
  }
  return alphas;
}

[[noreturn]] void refuse_channels(const PageInfo& page, const std::string& place) {
  const bool is_named = std::ranges::any_of(
      page.extras, [](const ExtraChannel& extra) { return !extra.name.empty(); });
  throw Error(ErrorKind::kUnsupported,
              fmt::format("{} has {} beside its inks{}, such as a spot colour, varnish or alpha, "
                          "and would be printed without",
                          place,
                          counted(page.extra_channels, "channel"),
                          is_named ? " (" + names_of(page.extras) + ")" : ""),
              "save spot colours as inks with names, print spot channels of Photoshop with "
              "'extra_channels: inks' (--extra-channels inks), or leave the channels out with "
              "'extra_channels: ignore' (--extra-channels ignore)");
}

/// Of a page whose channels are to be inks: all must be spot colours.
void refuse_other_channels(const PageInfo& page, const std::string& place) {
  const std::vector<ExtraChannel> alphas = alphas_among(page.extras);
  if (!alphas.empty()) {
    throw Error(ErrorKind::kUnsupported,
                fmt::format("{} has alpha channels beside its inks ({}), which are no spot colours",
                            place,
                            names_of(alphas)),
                "delete them in Photoshop, or make spot channels of them");
  }
  const auto is_unknown = [](const ExtraChannel& extra) {
    return extra.kind == ExtraChannel::Kind::kUnknown;
  };
  if (page.extras.empty() || std::ranges::any_of(page.extras, is_unknown)) {
    throw Error(ErrorKind::kUnsupported,
                fmt::format("{} has {} beside its {}, and the file does not say that they are spot "
                            "colours; 'extra_channels: inks' is for separated pages with spot "
                            "channels of Photoshop",
                            place,
                            counted(page.extra_channels, "channel"),
                            page.becomes_grey ? "colours" : "inks"));
  }
}

void add_ink15(chain::Chain& chain) {
  if (chain.page().max_sample == kInk15) return;
  chain.add(std::make_unique<chain::Ink15Stage>(chain.page()));
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

void add_map(const InkMap& map,
             const std::vector<std::string>& inks,
             const manifests::PageSettings& settings,
             chain::Chain& chain) {
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
    chain.add(std::make_unique<chain::MixStage>(std::move(page), sums_of(map, inks, settings)));
  }
}

void add_ink_limit(const std::optional<chain::LimitSettings>& limit, chain::Chain& chain) {
  if (!limit) return;
  add_ink15(chain);
  auto totals = std::make_shared<chain::LimitTotals>(chain.page());
  chain.count_ink_in(totals);
  chain.add(std::make_unique<chain::LimitStage>(chain.page(), *limit, totals));
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

void add_scale(const std::optional<prepress::Scaling>& scaling, uint32_t dpi, chain::Chain& chain) {
  if (!scaling) return;
  add_ink15(chain);
  const Resolution of_plate{static_cast<double>(dpi), static_cast<double>(dpi)};
  chain.add(std::make_unique<chain::ScaleStage>(chain.page(), *scaling, of_plate));
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

void add_copies(const InkMap& inks,
                const manifests::PageSettings& settings,
                const std::string& place,
                chain::Chain& chain) {
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

}  // namespace

Resolution known_resolution(const PageInfo& page, const manifests::PageSettings& settings) {
  if (page.resolution.x_dpi > 0 && page.resolution.y_dpi > 0) return page.resolution;
  const double dpi = settings.assumed_dpi;
  return {dpi, dpi};
}

Resolution resolution_of(const PageInfo& page,
                         const manifests::PageSettings& settings,
                         const std::string& place,
                         const std::string& purpose) {
  const Resolution known = known_resolution(page, settings);
  if (known.x_dpi > 0) return known;
  throw Error(ErrorKind::kData,
              fmt::format("{} does not say its resolution, so it cannot {}", place, purpose),
              "give it with 'assume_resolution: 300' or --assume-resolution 300");
}

std::optional<Polarity> spots_of(const PageInfo& page,
                                 const manifests::PageSettings& settings,
                                 const std::string& place) {
  if (page.extra_channels == 0 || settings.extra_channels == "ignore") return std::nullopt;
  if (settings.extra_channels != "inks") refuse_channels(page, place);
  refuse_other_channels(page, place);
  if (settings.spot_polarity == "ink") return Polarity::kMaxIsInk;
  if (settings.spot_polarity == "paper") return Polarity::kMaxIsPaper;
  throw Error(ErrorKind::kUnsupported,
              fmt::format("{} has spot colours ({}), and the file does not say whether their "
                          "largest sample is full ink or paper",
                          place,
                          names_of(page.extras)),
              "give 'spot_polarity: ink' or 'spot_polarity: paper' (--spot-polarity), and check "
              "one of their plates");
}

tiff::ReadAs read_as(const PageInfo& page,
                     const manifests::PageSettings& settings,
                     const std::string& place) {
  const bool converts = settings.colour.converts();
  if (page.model == PageInfo::Model::kLab && !converts) {
    throw Error(
        ErrorKind::kUnsupported,
        fmt::format("{} is CIELAB, which is supported with a profile of the press only", place),
        "name it with 'profile: FILE.icc'");
  }
  return {.spots = spots_of(page, settings, place), .colours = converts};
}

std::vector<std::string> inks_of(const SheetPlan& sheet, size_t i) {
  const PageInfo& source = source_of(sheet, i);
  const chain::PageColourPtr& colour = colour_of(sheet, i);
  return inks_of(colour == nullptr ? source : chain::page_in_inks(source, colour->conversion),
                 sheet.ink);
}

std::string place_of(const SheetPlan& sheet, uint32_t page) {
  return fmt::format("{}: page {}", sheet.input, page + 1);
}

chain::Chain make_chain(const PageInfo& page,
                        const manifests::PageSettings& settings,
                        const std::string& place,
                        const std::string& ink,
                        const chain::PageColourPtr& colour) {
  chain::Chain chain(page, static_cast<Rotation>(settings.geometry.rotate_degrees));
  add_crop(page, settings, place, chain);
  if (has_dot_range(page)) add_ink15(chain);
  if (colour != nullptr) {
    chain.add(std::make_unique<chain::ColourStage>(chain.page(), colour));
  }
  const std::vector<std::string> names = inks_of(chain.page(), ink);
  const InkMap inks = map_inks(names, settings, place);
  add_map(inks, names, settings, chain);
  const std::optional<chain::LimitSettings> limit = limit_of(inks, settings, place);
  const std::optional<prepress::Scaling> scaling = scaling_of(chain, settings, place);
  // What is printed of a tone between two pixels may be more than of both: a curve may bulge, and sharp borders make
  // solids of each ink without a look at the others.
  const bool is_of_plates =
      limit && (limit->printed || (scaling && scaling->filter == ScaleFilter::kEdges));
  if (!is_of_plates) add_ink_limit(limit, chain);
  add_scale(scaling, settings.output.resolution_dpi, chain);
  if (is_of_plates) add_ink_limit(limit, chain);
  add_copies(inks, settings, place, chain);
  return chain;
}

prepress::Protect protect_of(const PageInfo& page,
                             const manifests::PageSettings& settings,
                             prepress::Protect own) {
  const bool is_repeated = settings.output.resolution_dpi == 0 || settings.scale == "auto" ||
                           settings.scale == "nearest";
  return is_bilevel(page) && is_repeated ? prepress::Protect{true, true} : own;
}

std::unique_ptr<tiff::PageReader> through(const chain::Chain& chain,
                                          std::unique_ptr<tiff::PageReader> reader) {
  if (chain.is_empty()) return reader;
  return std::make_unique<chain::ChainReader>(chain, std::move(reader));
}

}  // namespace mezzo::plan
