#include "tools/compare/table.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "kernels/quality/metrics.h"
#include "pipeline/report/html_text.h"

namespace mezzo::compare {
namespace {

using quality::Report;

constexpr std::string_view kNoValue =
    "<abbr title=\"No value: undefined here, or the page is too small for it\">&ndash;</abbr>";

std::string number(double value, int digits) {
  if (std::isnan(value)) return std::string(kNoValue);
  if (std::isinf(value)) return value < 0 ? "&minus;&infin;" : "&infin;";
  std::string text = fmt::format("{:.{}f}", value, digits);
  if (text.find_first_not_of("-0.") == std::string::npos && text[0] == '-') text.erase(0, 1);
  return text[0] == '-' ? "&minus;" + text.substr(1) : text;
}

std::string_view mark(quality::Better better) {
  constexpr std::string_view kMarks[] = {
      "lower is better", "higher is better", "nearer to 0 is better", ""};
  return kMarks[static_cast<size_t>(better)];
}

/// The badness of a value; NaN stays NaN.
double badness(quality::Better better, double value) {
  return better == quality::Better::kHigher     ? -value
         : better == quality::Better::kNearZero ? std::abs(value)
                                                : value;
}

/// As it is printed, the best value of the row: values that look equal are equally good. None when
/// there is nothing to choose from, and none across inks, which ask for different things.
std::optional<std::string> best_of(const quality::Metric& metric, const ComparePage& page) {
  if (metric.better == quality::Better::kNeither || page.contones.size() > 1) return std::nullopt;
  const Report* best = nullptr;
  bool differ = false;
  for (const auto& halftone : page.halftones) {
    const double value = quality::shown(metric, halftone.report);
    if (std::isnan(value)) continue;
    if (best != nullptr) {
      differ |=
          number(value, metric.digits) != number(quality::shown(metric, *best), metric.digits);
    }
    if (best == nullptr ||
        badness(metric.better, value) < badness(metric.better, quality::shown(metric, *best))) {
      best = &halftone.report;
    }
  }
  return differ ? std::optional(number(quality::shown(metric, *best), metric.digits))
                : std::nullopt;
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

std::string metric_row(const quality::Metric& metric, const ComparePage& page) {
  std::string note(metric.note);
  if (metric.better != quality::Better::kNeither) {
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
    const std::string text = number(quality::shown(metric, halftone.report), metric.digits);
    const bool is_best = best && (text == *best || (metric.better == quality::Better::kNearZero &&
                                                    text == "&minus;" + *best));
    row += is_best ? fmt::format("<td class=\"best\"><strong>{}</strong></td>", text)
                   : fmt::format("<td>{}</td>", text);
  }
  return row + "</tr>\n";
}

/// Rows by the halftones' common key; a halftone that lacks a row has dashes.
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
  for (const std::string_view group : quality::kGroups) {
    text += fmt::format(
        "<tbody>\n<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"{}\">{}</th></tr>\n",
        page.halftones.size() + 1,
        group);
    for (const quality::Metric& metric : quality::metrics()) {
      if (metric.group == group) text += metric_row(metric, page);
    }
    text += "</tbody>\n";
  }
  return text;
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
