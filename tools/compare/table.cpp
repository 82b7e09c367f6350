#include "tools/compare/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "kernels/quality/colour/colour_metrics.h"
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

/// A column of a table of metrics.
template <typename Of>
struct Column {
  const std::string* name;
  const Of* report;
};

template <typename Of>
struct MetricTable {
  std::vector<Column<Of>> columns;
  bool has_best;  ///< they ask for the same
};

/// As it is printed, the best value of the row: values that look equal are equally good. None when
/// there is nothing to choose from.
template <typename Of>
std::optional<std::string> best_of(const quality::BasicMetric<Of>& metric,
                                   const MetricTable<Of>& table) {
  if (metric.better == quality::Better::kNeither || !table.has_best) return std::nullopt;
  const Of* best = nullptr;
  bool differ = false;
  for (const Column<Of>& column : table.columns) {
    const double value = quality::shown(metric, *column.report);
    if (std::isnan(value)) continue;
    if (best != nullptr) {
      differ |=
          number(value, metric.digits) != number(quality::shown(metric, *best), metric.digits);
    }
    if (best == nullptr ||
        badness(metric.better, value) < badness(metric.better, quality::shown(metric, *best))) {
      best = column.report;
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

template <typename Of>
std::string metric_row(const quality::BasicMetric<Of>& metric, const MetricTable<Of>& table) {
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
  const auto best = best_of(metric, table);
  for (const Column<Of>& column : table.columns) {
    const std::string text = number(quality::shown(metric, *column.report), metric.digits);
    const bool is_best = best && (text == *best || (metric.better == quality::Better::kNearZero &&
                                                    text == "&minus;" + *best));
    row += is_best ? fmt::format("<td class=\"best\"><strong>{}</strong></td>", text)
                   : fmt::format("<td>{}</td>", text);
  }
  return row + "</tr>\n";
}

template <typename Of>
std::string table_of(const MetricTable<Of>& table,
                     std::span<const quality::BasicMetric<Of>> metrics,
                     std::span<const std::string_view> groups) {
  std::string text = "<thead><tr><th scope=\"col\">Metric</th>";
  for (const Column<Of>& column : table.columns) {
    text += fmt::format("<th scope=\"col\">{}</th>", head(*column.name));
  }
  text += "</tr></thead>\n";
  for (const std::string_view group : groups) {
    text += fmt::format(
        "<tbody>\n<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"{}\">{}</th></tr>\n",
        table.columns.size() + 1,
        group);
    for (const quality::BasicMetric<Of>& metric : metrics) {
      if (metric.group == group) text += metric_row(metric, table);
    }
    text += "</tbody>\n";
  }
  return text;
}

/// A table of a row a name, in the order in which they first occur, and a cell a print.
using NamedRows = std::vector<std::pair<std::string, std::vector<std::string>>>;

void put(NamedRows& rows, size_t prints, const std::string& name, size_t print, std::string cell) {
  auto row = std::ranges::find(rows, name, &NamedRows::value_type::first);
  if (row == rows.end()) {
    row = rows.insert(row, {name, std::vector<std::string>(prints, std::string(kNoValue))});
  }
  row->second[print] = std::move(cell);
}

std::string table_of(const ComparePage& page, std::string_view first_head, const NamedRows& rows) {
  std::string text = fmt::format("<thead><tr><th scope=\"col\">{}</th>", first_head);
  for (const NamedPrint& one : page.prints) {
    text += fmt::format("<th scope=\"col\">{}</th>", head(one.print.name));
  }
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& [name, cells] : rows) {
    text += fmt::format("<tr><th scope=\"row\">{}</th>", report::escape_html(name));
    for (const std::string& cell : cells) text += "<td>" + cell + "</td>";
    text += "</tr>\n";
  }
  return text + "</tbody>";
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
  // Inks ask for different things.
  MetricTable<Report> table{{}, page.contones.size() == 1};
  for (const auto& halftone : page.halftones) {
    table.columns.push_back({&halftone.name, &halftone.report});
  }
  return table_of(table, quality::metrics(), quality::kGroups);
}

std::string print_metric_table(const ComparePage& page) {
  MetricTable<quality::ColourReport> table{{}, true};
  for (const NamedPrint& one : page.prints) {
    table.columns.push_back({&one.print.name, &one.report});
    table.has_best &= one.print.inks == page.prints[0].print.inks;
  }
  return table_of(table, quality::print_metrics(), quality::kPrintGroups);
}

std::string overlap_table(const ComparePage& page) {
  NamedRows rows;
  for (size_t i = 0; i < page.prints.size(); ++i) {
    const NamedPrint& one = page.prints[i];
    for (const auto& pair : one.report.pairs) {
      put(rows,
          page.prints.size(),
          overlap_name(one.print, pair.first, pair.second),
          i,
          fmt::format("{} of {} %, {}",
                      number(100 * pair.got, 2),
                      number(100 * pair.asked, 2),
                      number(pair.correlation, 3)));
    }
  }
  return table_of(page, "Inks", rows);
}

std::string register_table(const ComparePage& page) {
  NamedRows rows;
  for (size_t i = 0; i < page.prints.size(); ++i) {
    const NamedPrint& one = page.prints[i];
    for (const auto& moved : one.report.registers) {
      const std::string name =
          moved.inks == 0
              ? "in register"
              : fmt::format("{}, {} px", moved_name(one.print, moved.inks), moved.shift_px);
      put(rows, page.prints.size(), name, i, number(moved.delta_e, 3));
    }
  }
  return table_of(page, "Moved to the right", rows);
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
