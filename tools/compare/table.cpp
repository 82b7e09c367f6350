#include "tools/compare/table.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "pipeline/report/html_text.h"

namespace mezzo::compare {
namespace {

using quality::Report;

enum class Better { kLower, kHigher, kNearZero, kNeither };

struct Metric {
  std::string_view group;
  std::string_view name;
  std::string_view unit;
  std::string_view note;
  Better better = Better::kNeither;
  int digits = 2;
  double (*value)(const Report&) = nullptr;
};

double share_of(uint64_t part, const Report& report) {
  const double pixels = static_cast<double>(report.width_px) * report.height_px;
  return pixels == 0 ? std::numeric_limits<double>::quiet_NaN()
                     : 100 * static_cast<double>(part) / pixels;
}

double period(uint32_t period_px) {
  return period_px == 0 ? std::numeric_limits<double>::quiet_NaN() : period_px;
}

constexpr std::array kMetrics = {
    Metric{"As the eye sees it",
           "Error behind the eye",
           "of 255",
           "root mean square; N&auml;s&auml;nen&rsquo;s eye",
           Better::kLower,
           3,
           [](const Report& r) { return r.hvs_rms; }},
    Metric{"As the eye sees it",
           "Error, Gaussian 1.5&nbsp;px",
           "of 255",
           "root mean square",
           Better::kLower,
           3,
           [](const Report& r) { return r.gaussian_rms_1_5; }},
    Metric{"As the eye sees it",
           "Error, Gaussian 3&nbsp;px",
           "of 255",
           "root mean square",
           Better::kLower,
           3,
           [](const Report& r) { return r.gaussian_rms_3; }},
    Metric{"As the eye sees it",
           "Average error",
           "of 255",
           "after Kouge et al.; rewards sharpening",
           Better::kLower,
           3,
           [](const Report& r) { return r.average_error; }},
    Metric{"As the eye sees it",
           "HPSNR",
           "dB",
           "peak signal to noise, halftone blurred",
           Better::kHigher,
           2,
           [](const Report& r) { return r.hpsnr_db; }},
    Metric{"As the eye sees it",
           "WSNR",
           "dB",
           "signal to noise, weighted by the eye",
           Better::kHigher,
           2,
           [](const Report& r) { return r.wsnr_db; }},
    Metric{"As the eye sees it",
           "SSIM",
           "",
           "structure kept, both blurred; 1 is all",
           Better::kHigher,
           4,
           [](const Report& r) { return r.ssim; }},
    Metric{"Tone",
           "Ink asked for",
           "%",
           "mean coverage of the contone",
           Better::kNeither,
           3,
           [](const Report& r) { return 100 * r.contone_coverage; }},
    Metric{"Tone",
           "Ink put down",
           "%",
           "mean coverage of the halftone",
           Better::kNeither,
           3,
           [](const Report& r) { return 100 * r.ink_coverage; }},
    Metric{"Tone",
           "Put down &minus; asked for",
           "%",
           "over the page",
           Better::kNearZero,
           3,
           [](const Report& r) { return 100 * (r.ink_coverage - r.contone_coverage); }},
    Metric{"Tone",
           "Tone error, mean",
           "of 255",
           "over the levels with at least 4096 pixels",
           Better::kLower,
           3,
           [](const Report& r) { return r.tone_error_mean; }},
    Metric{"Tone",
           "Tone error, largest",
           "of 255",
           "of those levels",
           Better::kLower,
           3,
           [](const Report& r) { return r.tone_error_max; }},
    Metric{"Dots",
           "Ink pixels",
           "",
           "",
           Better::kNeither,
           0,
           [](const Report& r) { return static_cast<double>(r.dots); }},
    Metric{"Dots",
           "Isolated dots",
           "% of pixels",
           "no ink among 8 neighbours; presses lose them",
           Better::kNeither,
           2,
           [](const Report& r) { return share_of(r.isolated_dots, r); }},
    Metric{"Dots",
           "Isolated holes",
           "% of pixels",
           "no paper among 8 neighbours; presses fill them",
           Better::kNeither,
           2,
           [](const Report& r) { return share_of(r.isolated_holes, r); }},
    Metric{"Dots",
           "Flat pieces",
           "",
           "256&nbsp;&times;&nbsp;256&nbsp;px, at most 64: the spectrum is theirs",
           Better::kNeither,
           0,
           [](const Report& r) { return static_cast<double>(r.spectrum_tiles); }},
    Metric{"Start at the top edge",
           "Error in the first 16 rows",
           "of 255",
           "behind the eye, paper around the page",
           Better::kLower,
           3,
           [](const Report& r) { return r.startup_rms; }},
    Metric{"Start at the top edge",
           "Error in the other rows",
           "of 255",
           "the same, to compare with",
           Better::kLower,
           3,
           [](const Report& r) { return r.interior_rms; }},
    Metric{"Start at the top edge",
           "Tone error in the first 16 rows",
           "of 255",
           "put down &minus; asked for; below 0 is too pale",
           Better::kNearZero,
           3,
           [](const Report& r) { return r.startup_tone_error; }},
    Metric{"Seams",
           "Strongest periodic row",
           "times",
           "error power over its neighbours&rsquo;; 1 is none",
           Better::kLower,
           2,
           [](const Report& r) { return r.seam_row_ratio; }},
    Metric{"Seams",
           "Its period",
           "px",
           "",
           Better::kNeither,
           0,
           [](const Report& r) { return period(r.seam_row_period); }},
    Metric{"Seams",
           "Strongest periodic column",
           "times",
           "error power over its neighbours&rsquo;; 1 is none",
           Better::kLower,
           2,
           [](const Report& r) { return r.seam_column_ratio; }},
    Metric{"Seams",
           "Its period",
           "px",
           "",
           Better::kNeither,
           0,
           [](const Report& r) { return period(r.seam_column_period); }},
};

constexpr std::string_view kNoValue =
    "<abbr title=\"No value: undefined here, or the page is too small for it\">&ndash;</abbr>";

std::string number(double value, int digits) {
  if (std::isnan(value)) return std::string(kNoValue);
  if (std::isinf(value)) return value < 0 ? "&minus;&infin;" : "&infin;";
  std::string text = fmt::format("{:.{}f}", value, digits);
  if (text.find_first_not_of("-0.") == std::string::npos && text[0] == '-') text.erase(0, 1);
  return text[0] == '-' ? "&minus;" + text.substr(1) : text;
}

std::string_view mark(Better better) {
  switch (better) {
    case Better::kLower:
      return "lower is better";
    case Better::kHigher:
      return "higher is better";
    case Better::kNearZero:
      return "nearer to 0 is better";
    case Better::kNeither:
      break;
  }
  return "";
}

/// How bad a value is; NaN stays NaN.
double badness(Better better, double value) {
  return better == Better::kHigher ? -value : better == Better::kNearZero ? std::abs(value) : value;
}

/// As it is printed, the best value of the row: what looks equal is equally good. None when there
/// is nothing to choose from, and none across inks, which ask for different things.
std::optional<std::string> best_of(const Metric& metric, const ComparePage& page) {
  if (metric.better == Better::kNeither || page.contones.size() > 1) return std::nullopt;
  const Report* best = nullptr;
  bool differ = false;
  for (const auto& halftone : page.halftones) {
    const double value = metric.value(halftone.report);
    if (std::isnan(value)) continue;
    if (best != nullptr) {
      differ |= number(value, metric.digits) != number(metric.value(*best), metric.digits);
    }
    if (best == nullptr ||
        badness(metric.better, value) < badness(metric.better, metric.value(*best))) {
      best = &halftone.report;
    }
  }
  return differ ? std::optional(number(metric.value(*best), metric.digits)) : std::nullopt;
}

/// The name, which may break where file names have their joints.
std::string head(const std::string& name) {
  std::string text;
  for (const char c : report::escape_html(name)) {
    if (c == '.') text += "<wbr>";
    text += c;
    if (c == '_' || c == '/') text += "<wbr>";
  }
  return text;
}

std::string heads(const ComparePage& page, std::string_view span) {
  std::string text;
  for (const auto& halftone : page.halftones) {
    text += fmt::format("<th scope=\"col\"{}>{}</th>", span, head(halftone.name));
  }
  return text;
}

std::string metric_row(const Metric& metric, const ComparePage& page) {
  std::string note(metric.note);
  if (metric.better != Better::kNeither) {
    note += fmt::format("{}<em>{}</em>", note.empty() ? "" : "; ", mark(metric.better));
  }
  const std::string unit =
      metric.unit.empty() ? "" : fmt::format(" <span class=\"unit\">{}</span>", metric.unit);
  std::string row = fmt::format("<tr><th scope=\"row\">{}{}{}</th>",
                                metric.name,
                                unit,
                                note.empty() ? "" : "<small>" + note + "</small>");
  const auto best = best_of(metric, page);
  for (const auto& halftone : page.halftones) {
    const std::string text = number(metric.value(halftone.report), metric.digits);
    const bool is_best =
        best &&
        (text == *best || (metric.better == Better::kNearZero && text == "&minus;" + *best));
    row += is_best ? fmt::format("<td class=\"best\"><strong>{}</strong></td>", text)
                   : fmt::format("<td>{}</td>", text);
  }
  return row + "</tr>\n";
}

/// Rows by what the halftones have in common; a halftone that lacks a row has dashes.
template <size_t Values>
std::string chart_table(const ComparePage& page,
                        const std::map<double, std::vector<std::array<double, Values>>>& rows,
                        std::string_view key_head,
                        const std::array<std::string_view, Values>& value_heads,
                        int key_digits) {
  std::string text = fmt::format("<thead><tr><th scope=\"col\" rowspan=\"2\">{}</th>{}</tr><tr>",
                                 key_head,
                                 heads(page, fmt::format(" colspan=\"{}\"", Values)));
  for (size_t i = 0; i < page.halftones.size(); ++i) {
    for (const std::string_view value_head : value_heads) {
      text += fmt::format("<th scope=\"col\" class=\"unit\">{}</th>", value_head);
    }
  }
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& [key, halftones] : rows) {
    text += fmt::format("<tr><th scope=\"row\">{:.{}f}</th>", key, key_digits);
    for (const auto& values : halftones) {
      for (const double value : values) text += "<td>" + number(value, 3) + "</td>";
    }
    text += "</tr>\n";
  }
  return text + "</tbody>";
}

template <size_t Values>
std::vector<std::array<double, Values>> no_values(const ComparePage& page) {
  std::array<double, Values> none;
  none.fill(std::numeric_limits<double>::quiet_NaN());
  return std::vector(page.halftones.size(), none);
}

}  // namespace

std::string metric_table(const ComparePage& page) {
  std::string text =
      fmt::format("<thead><tr><th scope=\"col\">Metric</th>{}</tr></thead>\n", heads(page, ""));
  std::string_view group;
  for (const Metric& metric : kMetrics) {
    if (metric.group != group) {
      text += fmt::format(
          "{}<tbody>\n<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"{}\">{}</th></tr>\n",
          group.empty() ? "" : "</tbody>\n",
          page.halftones.size() + 1,
          metric.group);
      group = metric.group;
    }
    text += metric_row(metric, page);
  }
  return text + "</tbody>";
}

std::string spectrum_table(const ComparePage& page) {
  std::map<double, std::vector<std::array<double, 2>>> rows;
  for (size_t i = 0; i < page.halftones.size(); ++i) {
    for (const Report::Ring& ring : page.halftones[i].report.spectrum) {
      rows.try_emplace(ring.frequency, no_values<2>(page)).first->second[i] = {ring.power,
                                                                               ring.anisotropy_db};
    }
  }
  return chart_table<2>(page, rows, "Frequency, cycles per pixel", {"power", "anisotropy, dB"}, 4);
}

std::string tone_table(const ComparePage& page) {
  std::map<double, std::vector<std::array<double, 3>>> rows;
  for (size_t i = 0; i < page.halftones.size(); ++i) {
    for (const Report::Tone& tone : page.halftones[i].report.tones) {
      rows.try_emplace(tone.level, no_values<3>(page)).first->second[i] = {
          100 * tone.asked, 100 * tone.got, 100 * (tone.got - tone.asked)};
    }
  }
  return chart_table<3>(
      page, rows, "Level of ink, of 255", {"asked, %", "got, %", "difference, %"}, 0);
}

}  // namespace mezzo::compare
