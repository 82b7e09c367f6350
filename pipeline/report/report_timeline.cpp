#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pipeline/report/report_page.h"
#include "pipeline/text.h"

namespace mezzo::report {
namespace {

constexpr size_t kMostTracks = 60;
constexpr size_t kLanePx = 5, kGapPx = 1;

struct Axis {
  double seconds;  ///< of the whole
  double step;     ///< between marks
};

/// Marks at 1, 2 or 5 times a power of ten, four to nine of them.
Axis axis_of(double seconds) {
  double step = std::pow(10, std::floor(std::log10(seconds / 4)));
  for (const double more : {2.0, 2.5, 2.0}) {
    if (seconds / step > 9) step *= more;
  }
  return {seconds, step};
}

/// A mark's time, as precise as the step: two marks never read the same.
std::string mark_text(const Axis& axis, double at) {
  if (axis.step < 0.1) return fmt::format("{:.4g} ms", 1000 * at);
  if (axis.step < 10) return fmt::format("{:.4g} s", at);
  return duration_text(at);
}

double percent(const Axis& axis, double seconds) {
  return 100 * std::clamp(seconds / axis.seconds, 0.0, 1.0);
}

/// Activities of a stage that are closer than a 60th of the axis, as one.
std::vector<run::Activity> drawable(const std::vector<run::Activity>& timeline, const Axis& axis) {
  std::vector<run::Activity> joined;
  for (const run::Activity& activity : timeline) {
    if (!joined.empty() && joined.back().stage == activity.stage &&
        activity.begin - joined.back().end < axis.seconds / 60) {
      joined.back().end = activity.end;
      joined.back().busy_seconds += activity.busy_seconds;
    } else {
      joined.push_back(activity);
    }
  }
  return joined;
}

std::string marks(const Axis& axis) {
  std::string lines;
  for (double at = axis.step; at < axis.seconds * 0.9999; at += axis.step) {
    lines +=
        fmt::format("<line class=\"mark\" x1=\"{0:.2f}%\" x2=\"{0:.2f}%\" y1=\"0\" y2=\"100%\"/>",
                    percent(axis, at));
  }
  return lines;
}

std::string bars(const run::SheetResult& sheet,
                 const Axis& axis,
                 const std::vector<size_t>& lanes) {
  std::string text;
  for (const run::Activity& activity : drawable(sheet.timeline, axis)) {
    const auto lane = static_cast<size_t>(std::ranges::find(lanes, activity.stage) - lanes.begin());
    const double begin = percent(axis, sheet.begin_seconds + activity.begin);
    // The last slot may reach beyond the sheet's end.
    const double end = percent(axis, sheet.begin_seconds + std::min(activity.end, sheet.seconds));
    const double busy = activity.busy_seconds / (activity.end - activity.begin);
    text += fmt::format(
        "<rect class=\"stage{}\" x=\"{:.2f}%\" y=\"{}\" width=\"{:.2f}%\" height=\"{}\" "
        "fill-opacity=\"{:.2f}\"/>",
        activity.stage,
        begin,
        kGapPx + lane * (kLanePx + kGapPx),
        std::max(end - begin, 0.25),
        kLanePx,
        std::clamp(busy, 0.3, 1.0));
  }
  return text;
}

std::string track(const ReportData& data,
                  const run::SheetResult& sheet,
                  const Axis& axis,
                  const std::vector<size_t>& lanes) {
  const std::string name = sheet_name(data.plan.sheets[sheet.index]);
  return fmt::format(
      "<li><span class=\"name\">{}</span><svg height=\"{}\" role=\"img\" "
      "aria-label=\"From {} to {}\">{}{}</svg></li>\n",
      name,
      kGapPx + lanes.size() * (kLanePx + kGapPx),
      duration_text(sheet.begin_seconds),
      duration_text(sheet.begin_seconds + sheet.seconds),
      marks(axis),
      bars(sheet, axis, lanes));
}

std::vector<const run::SheetResult*> timed_sheets(const ReportData& data) {
  std::vector<const run::SheetResult*> sheets;
  for (const run::SheetResult& sheet : data.result.sheets) {
    if (is_timed(data, sheet)) sheets.push_back(&sheet);
  }
  return sheets;
}

std::string scale(const Axis& axis) {
  std::string text =
      "<div class=\"scale\" aria-hidden=\"true\"><span class=\"name\"></span>"
      "<svg height=\"18\"><text x=\"0\" y=\"13\">0</text>";
  for (double at = axis.step; at < axis.seconds * 0.96; at += axis.step) {
    text += fmt::format("<text x=\"{:.2f}%\" y=\"13\" text-anchor=\"middle\">{}</text>",
                        percent(axis, at),
                        mark_text(axis, at));
  }
  return text + "</svg></div>\n";
}

std::string share_cell(bool is_unknown, double share) {
  return fmt::format("<td class=\"number\">{}</td>",
                     is_unknown ? "&ndash;" : fmt::format("{:.1f}&nbsp;%", 100 * share));
}

/// The stages that were at work, with their totals. A cluster's number of threads is not recorded.
std::string legend(const ReportData& data, const std::vector<size_t>& lanes) {
  const Totals totals = totals_of(data);
  const double threads = seconds_of(data) * data.plan.threads;
  std::string text;
  for (const size_t stage : lanes) {
    const bool device = stage == static_cast<size_t>(run::Stage::kDevice);
    text += fmt::format(
        "<tr><th scope=\"row\"><svg class=\"key\" width=\"12\" height=\"12\" aria-hidden=\"true\">"
        "<rect class=\"stage{0}\" width=\"12\" height=\"12\" rx=\"2\"/></svg>{1}</th>"
        "<td class=\"number\">{2}</td>{3}</tr>\n",
        stage,
        run::kStageNames[stage],
        duration_text(totals.stages[stage]),
        data.of_cluster ? "" : share_cell(device || threads <= 0, totals.stages[stage] / threads));
  }
  return text;
}

}  // namespace

std::string timeline_section(const ReportData& data) {
  const std::vector<const run::SheetResult*> sheets = timed_sheets(data);
  const Totals totals = totals_of(data);
  std::vector<size_t> lanes;
  for (size_t stage = 0; stage < totals.stages.size(); ++stage) {
    const bool drawn = std::ranges::any_of(sheets, [stage](const run::SheetResult* sheet) {
      return std::ranges::count(sheet->timeline, stage, &run::Activity::stage) > 0;
    });
    if (drawn || totals.stages[stage] > 0) lanes.push_back(stage);
  }
  if (lanes.empty()) return "";
  const Axis axis = axis_of(std::max(seconds_of(data), 1e-3));
  std::string tracks;
  for (size_t i = 0; i < std::min(sheets.size(), kMostTracks); ++i) {
    tracks += track(data, *sheets[i], axis, lanes);
  }
  std::string rest;
  if (sheets.size() > kMostTracks) {
    rest = fmt::format("<p>The first {} sheets are drawn; the others are in report.json.</p>\n",
                       kMostTracks);
  }
  const std::string share_head = data.of_cluster
                                     ? ""
                                     : fmt::format("<th scope=\"col\" class=\"number\">Of {}</th>",
                                                   counted(data.plan.threads, "thread"));
  return fmt::format(
      "<section id=\"timeline\"><h2>What ran when</h2>\n"
      "<p>A row for each sheet, a line in it for each stage; the fainter a line, the longer the "
      "stage waited for another.</p>\n"
      "{}<ol class=\"tracks\">\n{}</ol>\n{}"
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Time by stage\"><table>"
      "<caption>Time by stage: seconds of the threads that lead it, of all sheets</caption>"
      "<thead><tr><th scope=\"col\">Stage</th><th scope=\"col\" class=\"number\">Time</th>"
      "{}</tr></thead><tbody>\n{}</tbody></table></div>\n"
      "</section>\n",
      scale(axis),
      tracks,
      rest,
      share_head,
      legend(data, lanes));
}

}  // namespace mezzo::report
