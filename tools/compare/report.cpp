#include "tools/compare/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "kernels/quality/colour/colour_metrics.h"
#include "tools/cli/report.h"

namespace mezzo::compare {
namespace {

constexpr std::string_view kHowToRead =
    "dE is a distance of colours: 1 is just seen side by side, and a mean below 2 looks like its "
    "page\n"
    "from reading distance. Grain is what remains of the dots; compare it between prints of one "
    "page.\n"
    "Ink over ink far from 100 % shifts colours against the profile. A print that is good in "
    "register and\n"
    "bad 2 px off needs a press that holds register.\n";

using quality::Report;

std::string number(double value, int decimals) {
  if (std::isnan(value) || value == -HUGE_VAL) return "-";
  if (std::isinf(value)) return "perfect";
  return fmt::format("{:.{}f}", value, decimals);
}

std::string seam(uint32_t period_px, double ratio) {
  return period_px == 0 ? "none" : fmt::format("{} px x{:.2f}", period_px, ratio);
}

/// "13.7 by 1.2", the period of the first line and its swing.
std::string period(const quality::Periods& periods) {
  if (periods.tiles == 0) return "-";
  if (periods.lines.empty()) return "none";
  return fmt::format(
      "{:.1f} by {:.1f}", periods.lines[0].period_px(), 100 * periods.lines[0].amplitude);
}

std::string_view arrow(quality::Better better) {
  constexpr std::string_view kArrows[] = {"↓", "↑", "→0", ""};
  return kArrows[static_cast<size_t>(better)];
}

/// "300 dpi from 11.67 inch (product 3500)".
std::string viewing_text(const quality::Viewing& viewing) {
  return fmt::format("{:.6g} dpi from {:.4g} inch (product {:.6g})",
                     viewing.dpi,
                     viewing.distance_inch,
                     viewing.dpi * viewing.distance_inch);
}

/// The heading: a line when all halftones were looked at alike, else one for each.
void print_heading(const std::vector<NamedReport>& reports) {
  const Report& first = reports[0].report;
  fmt::print("{}: {} x {} px, {:.1f} Mpx\n",
             reports[0].contone_path,
             first.width_px,
             first.height_px,
             1e-6 * first.width_px * first.height_px);
  const auto text = [](const NamedReport& one) {
    const std::string after =
        one.steps.empty() ? "" : fmt::format("\ncompared after: {}", fmt::join(one.steps, "; "));
    return fmt::format("ink {}, seen at {}{}", one.ink, viewing_text(one.viewing), after);
  };
  const bool alike = std::ranges::all_of(
      reports, [&](const NamedReport& one) { return text(one) == text(reports[0]); });
  for (const NamedReport& one : reports) {
    fmt::print("{}{}\n", alike ? "" : one.name + ": ", text(one));
    if (alike) break;
  }
  fmt::print("\n");
}

json::Value json_of(const quality::SpectrumLine& line, double dpi) {
  return {{"period_px", line.period_px()},
          {"lines_an_inch", line.lines_an_inch(dpi)},
          {"angle", line.angle_degrees()},
          {"ratio", line.ratio},
          {"amplitude", line.amplitude},
          {"chance", line.chance}};
}

json::Value json_of(const quality::Periods& periods, double dpi) {
  json::Value object = {{"tiles", periods.tiles},
                        {"highest_ratio", periods.highest_ratio},
                        {"noise_ratio", periods.noise_ratio},
                        {"lines", json::Value::list()}};
  for (const quality::SpectrumLine& line : periods.lines) {
    object["lines"].push_back(json_of(line, dpi));
  }
  return object;
}

json::Value json_of(const NamedReport& one) {
  const Report& report = one.report;
  json::Value object = {{"v", 1},
                        {"type", "comparison"},
                        {"contone", one.contone_path},
                        {"halftone", one.halftone_path},
                        {"ink", one.ink},
                        {"dpi", one.viewing.dpi},
                        {"distance_inch", one.viewing.distance_inch},
                        {"width_px", report.width_px},
                        {"height_px", report.height_px}};
  if (!one.steps.empty()) {
    object["compared_after"] = json::Value::list();
    for (const std::string& step : one.steps) object["compared_after"].push_back(step);
  }
  for (const quality::Metric& metric : quality::metrics()) {
    if (metric.key.empty()) continue;
    const double value = metric.value(report);  // null where it is not finite
    object[metric.key] = metric.digits == 0 ? json::Value(static_cast<uint64_t>(value)) : value;
  }
  object["tones"] = json::Value::list();
  for (const Report::Tone& tone : report.tones) {
    object["tones"].push_back(
        {{"level", tone.level}, {"pixels", tone.pixels}, {"asked", tone.asked}, {"got", tone.got}});
  }
  object["spectrum_tiles"] = report.spectrum_tiles;
  object["spectrum"] = json::Value::list();
  for (const Report::Ring& ring : report.spectrum) {
    object["spectrum"].push_back({{"frequency", ring.frequency},
                                  {"power", ring.power},
                                  {"anisotropy_db", ring.anisotropy_db}});
  }
  object["periods"] = json_of(report.periods, one.viewing.dpi);
  object["moire"] = json_of(report.moire, one.viewing.dpi);
  return object;
}

json::Value json_of(const NamedPrint& one) {
  const quality::ColourReport& report = one.report;
  json::Value object = {{"v", 1},
                        {"type", "print_comparison"},
                        {"contone", one.contone_path},
                        {"print", one.print.name},
                        {"halftones", json::Value::list()},
                        {"inks", json::Value::list()},
                        {"dpi", one.viewing.dpi},
                        {"distance_inch", one.viewing.distance_inch},
                        {"gain_um", one.gain_um},
                        {"width_px", report.width_px},
                        {"height_px", report.height_px}};
  for (const std::string& path : one.halftone_paths) object["halftones"].push_back(path);
  for (const std::string& ink : one.print.inks) object["inks"].push_back(ink);
  for (const quality::PrintMetric& metric : quality::print_metrics()) {
    object[metric.key] = metric.value(report);
  }
  object["overlaps"] = json::Value::list();
  for (const auto& pair : report.pairs) {
    object["overlaps"].push_back(
        {{"inks", json::Value::List{one.print.inks[pair.first], one.print.inks[pair.second]}},
         {"asked", pair.asked},
         {"got", pair.got},
         {"correlation", pair.correlation}});
  }
  object["register_tiles"] = report.register_tiles;
  object["registers"] = json::Value::list();
  for (const auto& moved : report.registers) {
    json::Value::List inks;
    for (size_t k = 0; k < one.print.inks.size(); ++k) {
      if ((moved.inks >> k & 1) != 0) inks.emplace_back(one.print.inks[k]);
    }
    object["registers"].push_back({{"moved", std::move(inks)},
                                   {"shift_px", moved.shift_px},
                                   {"delta_e", moved.delta_e},
                                   {"texture", moved.texture}});
  }
  object["moire"] = json::Value::list();
  for (const auto& moire : report.moire) {
    json::Value line = json_of(moire.line, one.viewing.dpi);
    line["inks"] = json::Value::List{one.print.inks[moire.first], one.print.inks[moire.second]};
    object["moire"].push_back(std::move(line));
  }
  return object;
}

const std::string& name_of(const NamedReport& one) {
  return one.name;
}

const std::string& name_of(const NamedPrint& one) {
  return one.print.name;
}

/// A line of the table; `value` gives the cell of a halftone or of a print.
template <typename Named, typename Value>
void print_line(const std::vector<Named>& reports,
                std::string_view name,
                std::string_view unit,
                std::string_view better,
                const Value& value) {
  constexpr size_t kNarrowest = 10;
  std::string line = fmt::format("{:<30}{:<8}{:<3}", name, unit, better);
  for (const Named& one : reports) {
    line += fmt::format("{:>{}}", value(one), std::max(name_of(one).size(), kNarrowest) + 2);
  }
  fmt::print("{}\n", line);
}

/// The metrics of one group, after an empty line unless it is the first.
template <typename Named, typename Of>
void print_group(const std::vector<Named>& reports,
                 std::span<const quality::BasicMetric<Of>> metrics,
                 std::string_view group,
                 bool is_first) {
  for (const quality::BasicMetric<Of>& metric : metrics) {
    if (metric.group != group || metric.page_only) continue;
    if (!is_first) fmt::print("\n");
    is_first = true;
    print_line(reports, metric.name, metric.unit, arrow(metric.better), [&](const Named& one) {
      return number(quality::shown(metric, one.report), metric.digits);
    });
  }
}

/// The pair of inks whose dots fall on each other least as they were asked to.
std::string unlike_pair(const NamedPrint& one) {
  double furthest = 0;
  std::string text = "-";
  for (const auto& pair : one.report.pairs) {
    if (pair.asked <= 0) continue;
    const double percent = 100 * pair.got / pair.asked;
    if (text != "-" && std::abs(percent - 100) <= furthest) continue;
    furthest = std::abs(percent - 100);
    text = fmt::format("{:.1f} % {}", percent, overlap_name(one.print, pair.first, pair.second));
  }
  return text;
}

std::string worst_moved(const NamedPrint& one) {
  const auto& moved = one.report.registers;
  const auto worst = std::ranges::max_element(moved, {}, [](const auto& register_error) {
    return register_error.inks == 0 ? 0 : register_error.delta_e;
  });
  if (worst == moved.end()) return "-";
  return fmt::format("{}, {} px", moved_name(one.print, worst->inks), worst->shift_px);
}

void print_prints(const std::vector<NamedPrint>& prints) {
  if (prints.empty()) return;
  fmt::print("\nThe inks printed over each other, in the usual colours of coated paper{}:\n\n",
             prints[0].gain_um > 0 ? fmt::format(", with a dot gain of {:.6g} um ({:.2f} px)",
                                                 prints[0].gain_um,
                                                 prints[0].colours.gain_px)
                                   : "");
  print_line(prints, "", "", "", [](const NamedPrint& one) { return one.print.name; });
  for (const std::string_view group : quality::kPrintGroups) {
    print_group(prints, quality::print_metrics(), group, group == quality::kPrintGroups[0]);
  }
  fmt::print("\n");
  for (const NamedPrint& one : prints) {
    fmt::print("{}: {}\n", one.print.name, fmt::join(one.print.inks, ", "));
    fmt::print("  furthest from chance: {}\n", unlike_pair(one));
    fmt::print("  worst out of register: {}\n", worst_moved(one));
    fmt::print("  moire of two inks: {}\n", moire_text(one.print, one.report));
  }
  fmt::print("\n{}", kHowToRead);
}

}  // namespace

void print_comparison(const std::vector<NamedReport>& reports,
                      const std::vector<NamedPrint>& prints) {
  print_heading(reports);
  print_line(reports, "", "", "", [](const NamedReport& one) { return one.name; });
  for (const std::string_view group : quality::kGroups) {
    print_group(reports, quality::metrics(), group, group == quality::kGroups[0]);
  }
  print_line(reports, "lines across, every", "", "", [](const NamedReport& one) {
    return seam(one.report.seam_row_period, one.report.seam_row_ratio);
  });
  print_line(reports, "lines down, every", "", "", [](const NamedReport& one) {
    return seam(one.report.seam_column_period, one.report.seam_column_ratio);
  });
  print_line(reports, "lines in flat tints, every", "px by %", "", [](const NamedReport& one) {
    return period(one.report.periods);
  });
  print_line(reports, "moire with the page, every", "px by %", "", [](const NamedReport& one) {
    return period(one.report.moire);
  });
  fmt::print("\n↓ less is better, ↑ more is better; - : too small a page, or nothing to judge\n");
  print_prints(prints);
}

void print_comparison_json(const std::vector<NamedReport>& reports,
                           const std::vector<NamedPrint>& prints) {
  for (const NamedReport& one : reports) cli::print_line(json_of(one));
  for (const NamedPrint& one : prints) cli::print_line(json_of(one));
}

}  // namespace mezzo::compare
