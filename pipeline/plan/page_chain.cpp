#include "pipeline/plan/page_chain.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/base/error.h"
#include "pipeline/plan/chain_steps.h"
#include "pipeline/text.h"
#include "stages/band/bit_reader.h"
#include "stages/chain/chain_reader.h"
#include "stages/chain/colour_stage.h"

namespace mezzo::plan {
namespace {

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

}  // namespace

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
  PageToChain on_its_way{page, settings, place, ink, colour};
  for (const ChainStep& step : chain_steps()) step.add(on_its_way, chain);
  return chain;
}

prepress::Protect protect_of(const PageInfo& page,
                             const manifests::PageSettings& settings,
                             prepress::Protect own) {
  return is_bilevel(page) && keep_solids(settings) ? prepress::Protect{true, true} : own;
}

std::unique_ptr<tiff::PageReader> through(const chain::Chain& chain,
                                          std::unique_ptr<tiff::PageReader> reader) {
  if (chain.is_empty()) return reader;
  return std::make_unique<chain::ChainReader>(chain, std::move(reader));
}

}  // namespace mezzo::plan
