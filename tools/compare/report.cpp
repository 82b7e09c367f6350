// The table and the JSON of mezzotint compare.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "tools/compare/compare.h"

namespace mezzo::compare {
namespace {

using quality::Report;

/// A row of the table.
struct Row {
  std::string_view name;
  std::string_view unit;
  std::string_view better;  ///< which way is better: "↓", "↑", "→0", or nothing
  std::function<std::string(const Report&)> value;
};

std::string number(double value, int decimals) {
  if (std::isnan(value) || value == -HUGE_VAL) return "-";
  if (std::isinf(value)) return "perfect";
  return fmt::format("{:.{}f}", value, decimals);
}

std::string seam(uint32_t period_px, double ratio) {
  return period_px == 0 ? "none" : fmt::format("{} px x{:.2f}", period_px, ratio);
}

/// Mean anisotropy of the rings up to half a cycle per pixel, over what isotropic noise has.
std::string anisotropy(const Report& report) {
  double sum = 0;
  uint32_t rings = 0;
  for (const Report::Ring& ring : report.spectrum) {
    if (ring.frequency > 0.5 || std::isnan(ring.anisotropy_db)) continue;
    sum += ring.anisotropy_db;
    ++rings;
  }
  return rings == 0 ? "-" : number(sum / rings + 10 * std::log10(report.spectrum_tiles), 1);
}

using Field = double Report::*;

Row real(std::string_view name,
         std::string_view unit,
         std::string_view better,
         Field field,
         int decimals) {
  return {name, unit, better, [=](const Report& r) { return number(r.*field, decimals); }};
}

/// A blank name begins a new group.
std::vector<Row> rows() {
  const auto count = [](uint64_t n) { return fmt::format("{}", n); };
  return {
      {"ink asked for",
       "%",
       "",
       [](const Report& r) { return number(100 * r.contone_coverage, 3); }},
      {"ink put down", "%", "", [](const Report& r) { return number(100 * r.ink_coverage, 3); }},
      real("tone error, mean", "of 255", "↓", &Report::tone_error_mean, 3),
      real("tone error, worst level", "of 255", "↓", &Report::tone_error_max, 3),
      {},
      real("seen error, eye (HVS)", "of 255", "↓", &Report::hvs_rms, 3),
      real("seen error, Gaussian 1.5 px", "of 255", "↓", &Report::gaussian_rms_1_5, 3),
      real("seen error, Gaussian 3 px", "of 255", "↓", &Report::gaussian_rms_3, 3),
      real("average error (Kouge)", "of 255", "↓", &Report::average_error, 3),
      real("HPSNR", "dB", "↑", &Report::hpsnr_db, 2),
      real("WSNR", "dB", "↑", &Report::wsnr_db, 2),
      real("SSIM, blurred", "0..1", "↑", &Report::ssim, 4),
      {},
      {"dots", "px", "", [=](const Report& r) { return count(r.dots); }},
      {"isolated dots", "px", "", [=](const Report& r) { return count(r.isolated_dots); }},
      {"isolated holes", "px", "", [=](const Report& r) { return count(r.isolated_holes); }},
      {"flat tiles judged", "", "", [=](const Report& r) { return count(r.spectrum_tiles); }},
      {"anisotropy there, over noise", "dB", "↓", anisotropy},
      {},
      real("seen error, first 16 rows", "of 255", "↓", &Report::startup_rms, 3),
      real("seen error, other rows", "of 255", "↓", &Report::interior_rms, 3),
      real("tone error, first 16 rows", "of 255", "→0", &Report::startup_tone_error, 3),
      {"lines across, every",
       "",
       "",
       [](const Report& r) { return seam(r.seam_row_period, r.seam_row_ratio); }},
      {"lines down, every",
       "",
       "",
       [](const Report& r) { return seam(r.seam_column_period, r.seam_column_ratio); }},
  };
}

/// "300 dpi from 11.67 inch (product 3500)".
std::string viewing_text(const quality::Viewing& viewing) {
  return fmt::format("{:.6g} dpi from {:.4g} inch (product {:.6g})",
                     viewing.dpi,
                     viewing.distance_inch,
                     viewing.dpi * viewing.distance_inch);
}

/// What the table is about: a line when all halftones were looked at alike, else one for each.
void print_heading(const std::vector<NamedReport>& reports) {
  const Report& first = reports[0].report;
  fmt::print("{}: {} x {} px, {:.1f} Mpx\n",
             reports[0].contone_path,
             first.width_px,
             first.height_px,
             1e-6 * first.width_px * first.height_px);
  const auto text = [](const NamedReport& one) {
    return fmt::format("ink {}, seen at {}", one.ink, viewing_text(one.viewing));
  };
  const bool alike = std::ranges::all_of(
      reports, [&](const NamedReport& one) { return text(one) == text(reports[0]); });
  for (const NamedReport& one : reports) {
    fmt::print("{}{}\n", alike ? "" : one.name + ": ", text(one));
    if (alike) break;
  }
  fmt::print("\n");
}

/// NaN and infinity, which JSON has no words for, as null.
nlohmann::ordered_json json_number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json json_of(const NamedReport& one) {
  const Report& report = one.report;
  nlohmann::ordered_json object = {{"v", 1},
                                   {"type", "comparison"},
                                   {"contone", one.contone_path},
                                   {"halftone", one.halftone_path},
                                   {"ink", one.ink},
                                   {"dpi", one.viewing.dpi},
                                   {"distance_inch", one.viewing.distance_inch},
                                   {"width_px", report.width_px},
                                   {"height_px", report.height_px}};
  const std::vector<std::pair<const char*, double>> reals = {
      {"contone_coverage", report.contone_coverage},
      {"ink_coverage", report.ink_coverage},
      {"hvs_rms", report.hvs_rms},
      {"gaussian_rms_1_5", report.gaussian_rms_1_5},
      {"gaussian_rms_3", report.gaussian_rms_3},
      {"average_error", report.average_error},
      {"hpsnr_db", report.hpsnr_db},
      {"wsnr_db", report.wsnr_db},
      {"ssim", report.ssim},
      {"tone_error_mean", report.tone_error_mean},
      {"tone_error_max", report.tone_error_max},
      {"startup_rms", report.startup_rms},
      {"interior_rms", report.interior_rms},
      {"startup_tone_error", report.startup_tone_error},
      {"seam_row_ratio", report.seam_row_ratio},
      {"seam_column_ratio", report.seam_column_ratio}};
  for (const auto& [name, value] : reals) object[name] = json_number(value);
  object["seam_row_period"] = report.seam_row_period;
  object["seam_column_period"] = report.seam_column_period;
  object["dots"] = report.dots;
  object["isolated_dots"] = report.isolated_dots;
  object["isolated_holes"] = report.isolated_holes;
  object["tones"] = nlohmann::ordered_json::array();
  for (const Report::Tone& tone : report.tones) {
    object["tones"].push_back(
        {{"level", tone.level}, {"pixels", tone.pixels}, {"asked", tone.asked}, {"got", tone.got}});
  }
  object["spectrum_tiles"] = report.spectrum_tiles;
  object["spectrum"] = nlohmann::ordered_json::array();
  for (const Report::Ring& ring : report.spectrum) {
    object["spectrum"].push_back({{"frequency", ring.frequency},
                                  {"power", ring.power},
                                  {"anisotropy_db", json_number(ring.anisotropy_db)}});
  }
  return object;
}

}  // namespace

void print_comparison(const std::vector<NamedReport>& reports) {
  print_heading(reports);
  constexpr int kName = 30;
  constexpr int kUnit = 8;
  constexpr int kBetter = 3;
  constexpr size_t kNarrowest = 10;
  std::string heading(kName + kUnit + kBetter, ' ');
  std::vector<size_t> widths;
  for (const NamedReport& one : reports) {
    widths.push_back(std::max(one.name.size(), kNarrowest) + 2);
    heading += fmt::format("{:>{}}", one.name, widths.back());
  }
  fmt::print("{}\n", heading);
  for (const Row& row : rows()) {
    std::string line;
    if (!row.name.empty()) {
      line =
          fmt::format("{:<{}}{:<{}}{:<{}}", row.name, kName, row.unit, kUnit, row.better, kBetter);
      for (size_t i = 0; i < reports.size(); ++i) {
        line += fmt::format("{:>{}}", row.value(reports[i].report), widths[i]);
      }
    }
    fmt::print("{}\n", line);
  }
  fmt::print("\n↓ less is better, ↑ more is better; - : too small a page, or nothing to judge\n");
}

void print_comparison_json(const std::vector<NamedReport>& reports) {
  for (const NamedReport& one : reports) fmt::print("{}\n", json_of(one).dump());
}

}  // namespace mezzo::compare
