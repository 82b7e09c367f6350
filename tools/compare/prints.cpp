#include "tools/compare/prints.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kernels/base/error.h"
#include "kernels/proof/usual_colours.h"

namespace mezzo::compare {
namespace {

/// What all begin with, without joints at its end; empty for nothing.
std::string common_beginning(const std::vector<std::string>& names) {
  std::string common = names.front();
  for (const std::string& name : names) {
    const auto [end, other] = std::ranges::mismatch(common, name);
    common.erase(end, common.end());
  }
  const size_t last = common.find_last_not_of("_-. ");
  return last == std::string::npos ? "" : common.substr(0, last + 1);
}

}  // namespace

std::vector<ComparedPrint> prints_among(const std::vector<ComparedPair>& pairs,
                                        const std::vector<std::string>& names,
                                        const PrintOptions& options) {
  std::vector<std::map<uint32_t, size_t>> sets;  // of planes, and the halftone of each
  std::map<uint32_t, size_t> seen;
  for (size_t i = 0; i < pairs.size() && options.inks == "together"; ++i) {
    const size_t set = seen[pairs[i].contone.plane]++;
    if (set == sets.size()) sets.emplace_back();
    sets[set][pairs[i].contone.plane] = i;
  }
  std::vector<ComparedPrint> prints;
  for (const auto& set : sets) {
    if (set.size() < 2) continue;
    if (set.size() > quality::kMostColourInks) {
      throw Error(
          ErrorKind::kUnsupported,
          fmt::format("a print of {} inks: compare judges the colours of up to {}; give fewer "
                      "plates, or --inks apart",
                      set.size(),
                      quality::kMostColourInks));
    }
    ComparedPrint print;
    std::vector<std::string> plates;
    for (const auto& [plane, i] : set) {
      print.plates.push_back(i);
      print.inks.push_back(pairs[i].contone.info().inks[plane]);
      plates.push_back(names[i]);
    }
    print.name = common_beginning(plates);
    if (print.name.empty()) print.name = fmt::format("print {}", prints.size() + 1);
    prints.push_back(std::move(print));
  }
  return prints;
}

quality::Print print_of(const std::vector<std::string>& inks, double gain_um, double dpi) {
  quality::Print print;
  print.colours.paper = proof::kUsualPaper;
  for (const std::string& ink : inks) {
    print.colours.solids.push_back(proof::usual_solid(ink).value_or(proof::kUnknownInk));
  }
  print.colours.overprints = proof::usual_overprints(inks);
  print.gain_px = gain_um * dpi / 25400;
  if (print.gain_px > 1) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format(
            "--gain {:.6g}: ink would run {:.2f} pixels of {:.6g} dpi beyond its dots, and 1 "
            "is the most that is judged; give at most {:.1f}",
            gain_um,
            print.gain_px,
            dpi,
            25400 / dpi));
  }
  return print;
}

quality::ColourReport judge_print(const ComparedPrint& print,
                                  const std::vector<ComparedPair>& pairs,
                                  const quality::Print& colours,
                                  const quality::Viewing& viewing,
                                  Team& team) {
  std::vector<std::unique_ptr<quality::PagePair>> open;
  std::vector<quality::PagePair*> inks;
  for (const size_t i : print.plates) {
    open.push_back(open_pair(pairs[i].contone, pairs[i].halftone));
    inks.push_back(open.back().get());
  }
  return quality::judge_colour(inks, colours, viewing, quality::RegisterError::kJudged, team);
}

std::string overlap_name(const ComparedPrint& print, uint32_t first, uint32_t second) {
  return fmt::format("{} over {}", print.inks[first], print.inks[second]);
}

std::string moved_name(const ComparedPrint& print, uint32_t inks) {
  for (size_t k = 0; k < print.inks.size(); ++k) {
    if (inks == 1U << k) return print.inks[k];
  }
  for (size_t k = 0; k < print.inks.size(); ++k) {
    if ((inks >> k & 1) == 0) return "all but " + print.inks[k];
  }
  return "all";
}

std::string moire_text(const ComparedPrint& print, const quality::ColourReport& report) {
  const auto widest = std::ranges::max_element(
      report.moire, {}, [](const auto& one) { return one.line.amplitude; });
  if (widest == report.moire.end()) return "none";
  return fmt::format("{:.0f} px at {:.0f} degrees, {:.2f} %, {} with {}",
                     widest->line.period_px(),
                     widest->line.angle_degrees(),
                     100 * widest->line.amplitude,
                     print.inks[widest->first],
                     print.inks[widest->second]);
}

}  // namespace mezzo::compare
