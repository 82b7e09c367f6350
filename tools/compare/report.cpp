#include "tools/compare/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "kernels/quality/metrics.h"
#include "tools/cli/report.h"

namespace mezzo::compare {
namespace {

using quality::Report;

std::string number(double value, int decimals) {
  if (std::isnan(value) || value == -HUGE_VAL) return "-";
  if (std::isinf(value)) return "perfect";
  return fmt::format("{:.{}f}", value, decimals);
}

std::string seam(uint32_t period_px, double ratio) {
  return period_px == 0 ? "none" : fmt::format("{} px x{:.2f}", period_px, ratio);
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
  return object;
}

/// A line of the table; `value` gives the cell of a halftone.
template <typename Value>
void print_line(const std::vector<NamedReport>& reports,
                std::string_view name,
                std::string_view unit,
                std::string_view better,
                const Value& value) {
  constexpr size_t kNarrowest = 10;
  std::string line = fmt::format("{:<30}{:<8}{:<3}", name, unit, better);
  for (const NamedReport& one : reports) {
    line += fmt::format("{:>{}}", value(one), std::max(one.name.size(), kNarrowest) + 2);
  }
  fmt::print("{}\n", line);
}

}  // namespace

void print_comparison(const std::vector<NamedReport>& reports) {
  print_heading(reports);
  print_line(reports, "", "", "", [](const NamedReport& one) { return one.name; });
  for (const std::string_view group : quality::kGroups) {
    bool first = group != quality::kGroups[0];
    for (const quality::Metric& metric : quality::metrics()) {
      if (metric.group != group || metric.page_only) continue;
      if (first) fmt::print("\n");
      first = false;
      print_line(
          reports, metric.name, metric.unit, arrow(metric.better), [&](const NamedReport& one) {
            return number(quality::shown(metric, one.report), metric.digits);
          });
    }
  }
  print_line(reports, "lines across, every", "", "", [](const NamedReport& one) {
    return seam(one.report.seam_row_period, one.report.seam_row_ratio);
  });
  print_line(reports, "lines down, every", "", "", [](const NamedReport& one) {
    return seam(one.report.seam_column_period, one.report.seam_column_ratio);
  });
  fmt::print("\n↓ less is better, ↑ more is better; - : too small a page, or nothing to judge\n");
}

void print_comparison_json(const std::vector<NamedReport>& reports) {
  for (const NamedReport& one : reports) cli::print_line(json_of(one));
}

}  // namespace mezzo::compare
