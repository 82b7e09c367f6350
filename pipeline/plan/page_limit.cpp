#include "pipeline/plan/page_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "kernels/band/ink15.h"
#include "kernels/band/tone.h"
#include "kernels/base/error.h"
#include "manifests/plate_settings.h"

namespace mezzo::plan {
namespace {

constexpr std::string_view kProcess[] = {"cyan", "magenta", "yellow", "black"};
constexpr size_t kBlack = 3;

/// A plate that counts.
struct Counted {
  uint32_t plane = 0;
  std::optional<size_t> process = {};  ///< number in kProcess
  bool is_second = false;              ///< made `from` another ink
  bool has_levels = false;
  std::optional<uint32_t> drop_bit = {};
  ToneSettings tone = {};
};

std::optional<size_t> process_number(const manifests::PageSettings& settings,
                                     std::string_view ink) {
  const auto* found = std::ranges::find_if(kProcess, [&](std::string_view process) {
    return manifests::is_one_ink(settings, ink, process);
  });
  if (found == std::end(kProcess)) return std::nullopt;
  return static_cast<size_t>(found - kProcess);
}

/// The process ink that a plate is of, or a second plate of.
std::optional<size_t> process_of(const MappedPlate& plate,
                                 const std::string& from,
                                 const InkMap& map,
                                 const manifests::PageSettings& settings) {
  const auto own = process_number(settings, without_bit(plate.ink, plate.drop_bit));
  if (own || from.empty()) return own;
  for (const MappedPlate& source : map.plates) {  // it may have another name than its ink
    if (!manifests::is_one_ink(settings, source.page_ink, from)) continue;
    return process_number(settings, without_bit(source.ink, source.drop_bit));
  }
  return process_number(settings, from);
}

/// Every plate of the page, those that count and the others.
std::vector<Counted> described(const InkMap& map, const manifests::PageSettings& settings) {
  std::vector<Counted> plates;
  for (const MappedPlate& plate : map.plates) {
    const manifests::InkSettings* own = manifests::find_ink(settings, plate.page_ink);
    const std::string from = own == nullptr ? "" : own->from;
    const manifests::PlateSettings asked = manifests::plate_settings(settings, plate.page_ink);
    plates.push_back({.plane = static_cast<uint32_t>(plates.size()),
                      .process = process_of(plate, from, map, settings),
                      .is_second = !from.empty(),
                      .has_levels = asked.halftone.levels.has_value(),
                      .drop_bit = plate.drop_bit,
                      .tone = asked.tone});
  }
  return plates;
}

void refuse_negatives(const InkMap& map,
                      const std::vector<Counted>& plates,
                      const std::string& place) {
  for (const Counted& plate : plates) {
    if (!plate.tone.invert) continue;
    throw Error(
        ErrorKind::kUnsupported,
        fmt::format("{}: 'tone: {{invert: true}}' of {} and 'ink_limit' do not go together: "
                    "the limit counts ink, and these samples are a negative; for negative "
                    "film use 'output: {{negative: true}}'",
                    place,
                    map.plates[plate.plane].ink));
  }
}

/// Whether the limit looks at what is printed.
bool counts_print(const std::vector<Counted>& plates) {
  const auto is_made_of_several = [](const Counted& plate) {
    return plate.is_second || plate.drop_bit.has_value();
  };
  const auto is_curved = [](const Counted& plate) { return plate.tone != ToneSettings(); };
  return std::ranges::any_of(plates, is_made_of_several) ||
         (std::ranges::any_of(plates, &Counted::has_levels) &&
          std::ranges::any_of(plates, is_curved));
}

/// What is printed of each sample, both in ink15, rounded up.
std::vector<uint16_t> printed_table(const ToneSettings& tone) {
  const ToneCurve curve(kInk15, Polarity::kMaxIsInk, tone);
  std::vector<uint16_t> printed;
  for (const uint32_t coverage : curve.table()) {
    printed.push_back(static_cast<uint16_t>((coverage * kInk15 + kSolid - 1) / kSolid));
  }
  return printed;
}

chain::PrintedTones printed_tones(const std::vector<Counted>& plates) {
  chain::PrintedTones tones;
  for (const Counted& plate : plates) {
    chain::PrintedTone tone{.plane = plate.plane};
    if (plate.drop_bit.value_or(0) == 0) {
      tone.printed = std::make_shared<std::vector<uint16_t>>(printed_table(plate.tone));
    }
    auto& group = !plate.process            ? tones.others
                  : plate.process == kBlack ? tones.blacks
                                            : tones.colours;
    group.push_back(std::move(tone));
  }
  return tones;
}

}  // namespace

std::optional<chain::LimitSettings> limit_of(const InkMap& map,
                                             const manifests::PageSettings& settings,
                                             const std::string& place) {
  const manifests::InkLimit& limit = settings.ink_limit;
  if (limit.percent == 0 || map.plates.size() < 2) return std::nullopt;
  std::vector<Counted> plates = described(map, settings);
  refuse_negatives(map, plates, place);
  if (!limit.counts_spots) {
    std::erase_if(plates, [](const Counted& plate) { return !plate.process; });
  }
  chain::LimitSettings of_stage{
      .most = static_cast<uint32_t>(std::floor(limit.percent / 100 * kInk15)),
      .check_only = limit.only_checks};
  if (counts_print(plates)) {
    of_stage.printed = printed_tones(plates);
    return of_stage;
  }
  for (const Counted& plate : plates) {
    if (plate.process) {
      of_stage.cmyk[*plate.process] = plate.plane;
    } else {
      of_stage.spots.push_back(plate.plane);
    }
  }
  return of_stage;
}

}  // namespace mezzo::plan
