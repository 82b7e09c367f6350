#include "pipeline/report/report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "manifests/source_text.h"
#include "pipeline/report/assets.h"
#include "pipeline/report/html_text.h"
#include "pipeline/run/ink_use.h"
#include "pipeline/text.h"
#include "pipeline/version.h"
#include "pipeline/wall_time.h"

namespace mezzo::report {
namespace {

// So that the page of any job can be mailed; the rest is in report.json.
constexpr size_t kMostRows = 5000;
constexpr size_t kMostFailures = 200;

bool all_is_good(const ReportData& data) {
  return !data.not_started && data.result.all_good();
}

/// ", with 1 warning and 2 notes", as far as there are any.
std::string remarks_text(const Totals& totals) {
  std::string text;
  if (totals.warnings > 0) text = ", with " + counted(totals.warnings, "warning");
  if (totals.notes == 0) return text;
  return text + (text.empty() ? ", with " : " and ") + counted(totals.notes, "note");
}

std::string verdict(const ReportData& data, const Totals& totals) {
  const size_t sheets = data.plan.sheets.size();
  if (data.not_started) return "The job did not start";
  if (data.result.interrupted) {
    return fmt::format("Stopped on request: {} of {} done", totals.good, counted(sheets, "sheet"));
  }
  if (data.result.device_lost) {
    return fmt::format("The GPU failed: {} of {} done", totals.good, counted(sheets, "sheet"));
  }
  if (data.of_cluster && totals.open > 0) {
    return fmt::format("{} of {} still to be made{}",
                       totals.open,
                       counted(sheets, "sheet"),
                       totals.failed > 0 ? fmt::format(", {} failed", totals.failed) : "");
  }
  if (data.result.out_of_time) {
    return fmt::format(
        "The time was up: {} of {} not begun", totals.not_begun, counted(sheets, "sheet"));
  }
  if (totals.failed > 0) {
    return fmt::format("{} of {} failed", totals.failed, counted(sheets, "sheet"));
  }
  const std::string good =
      sheets == 1 ? "The sheet is good" : fmt::format("All {} sheets are good", sheets);
  return good + remarks_text(totals);
}

void add_total(std::string& list, std::string_view what, const std::string& value) {
  list += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", what, value);
}

std::string totals_list(const ReportData& data, const Totals& totals) {
  std::string list;
  const double seconds = seconds_of(data);
  const uint64_t pixels = data.made ? data.made->pixels : totals.made_pixels;
  const bool made_nothing = totals.made_pixels == 0 && totals.made_before > 0 && !data.made;
  add_total(list, "Sheets", std::to_string(data.plan.sheets.size()));
  if (totals.failed > 0) add_total(list, "Failed", std::to_string(totals.failed));
  if (totals.not_begun > 0) add_total(list, "Not begun", std::to_string(totals.not_begun));
  if (totals.open > 0) add_total(list, "To be made", std::to_string(totals.open));
  if (totals.made_before > 0) add_total(list, "Made before", std::to_string(totals.made_before));
  add_total(list, "Plates", std::to_string(totals.plates));
  add_total(list, "On disk", bytes_text(totals.plate_bytes));
  add_total(list, "Pixels", fmt::format("{:.1f} Mpx", static_cast<double>(totals.pixels) / 1e6));
  if (!made_nothing) add_total(list, "Time", duration_text(seconds));
  if (pixels > 0 && seconds > 0) {
    add_total(list, "Speed", rate_text(static_cast<double>(pixels) / seconds));
  }
  if (totals.nodes > 0) add_total(list, "Nodes", std::to_string(totals.nodes));
  add_total(
      list, data.of_cluster ? "Threads a task" : "Threads", std::to_string(data.plan.threads));
  return list;
}

/// A failure with advice; `name` is HTML, or empty. `is_open`: the sheet is tried again.
std::string failure_card(const plan::JobPlan& plan,
                         const std::string& name,
                         bool is_open,
                         const run::Failure& failure) {
  return fmt::format(
      "<article class=\"failure\">{}<p class=\"message\">{}</p>\n"
      "<p class=\"todo\"><strong>{}</strong> {}</p></article>\n",
      name.empty() ? ""
                   : "<h3>" + name + (is_open ? " " + outcome_chip(Outcome::kOpen) : "") + "</h3>",
      escape_foreign(message_of(plan, failure)),
      is_open ? "Should it fail again." : "What to do.",
      escape_foreign(advice_on(failure)));
}

std::string failures_section(const ReportData& data) {
  std::string cards;
  size_t shown = 0, all = 0;
  if (data.not_started) {
    cards += failure_card(data.plan, "", false, *data.not_started);
  }
  for (size_t i = 0; i < data.plan.sheets.size(); ++i) {
    const run::Failure* failure = failure_of(data, i);
    if (failure == nullptr) continue;
    ++all;
    if (shown == kMostFailures) continue;
    ++shown;
    const bool is_open = outcome_of(data, i) == Outcome::kOpen;
    cards += failure_card(data.plan, sheet_name(data.plan.sheets[i]), is_open, *failure);
  }
  if (data.result.device_lost) {
    cards += fmt::format("<p>{}</p>\n", advice_on(ErrorKind::kDeviceLost));
  }
  if (cards.empty()) return "";
  if (shown < all) cards += fmt::format("<p>And {} more, in report.json.</p>\n", all - shown);
  return fmt::format("<section id=\"failures\"><h2>What went wrong</h2>\n{}</section>\n", cards);
}

/// Texts about sheets, each with the names of all its sheets, as HTML.
class Remarks {
 public:
  void add(const plan::SheetPlan& sheet, const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      const auto found = std::ranges::find(remarks_, text, &Remark::text);
      if (found == remarks_.end() && remarks_.size() == kMostFailures) {
        ++left_out_;
        continue;
      }
      Remark& remark = found == remarks_.end() ? remarks_.emplace_back(Remark{text}) : *found;
      if (++remark.sheets <= kMostNames) remark.names += name_after(remark.names, sheet);
    }
  }

  /// Empty when there are none.
  std::string section(std::string_view id, std::string_view title) const {
    if (remarks_.empty()) return "";
    std::string items;
    for (const Remark& remark : remarks_) {
      items += fmt::format(
          "<li>{}{}: {}</li>\n",
          remark.names,
          remark.sheets > kMostNames ? fmt::format(" and {} more", remark.sheets - kMostNames) : "",
          escape_foreign(remark.text));
    }
    if (left_out_ > 0) items += fmt::format("<li>And {} more, in report.json.</li>\n", left_out_);
    return fmt::format(
        "<section id=\"{}\"><h2>{}</h2>\n<ul>\n{}</ul></section>\n", id, title, items);
  }

 private:
  static constexpr size_t kMostNames = 5;
  struct Remark {
    std::string text;
    std::string names = {};
    size_t sheets = 0;
  };

  static std::string name_after(const std::string& names, const plan::SheetPlan& sheet) {
    return (names.empty() ? "" : ", ") + sheet_name(sheet);
  }

  std::vector<Remark> remarks_;
  size_t left_out_ = 0;
};

/// Warnings, and decisions that were made for the user.
std::string remarks_sections(const ReportData& data) {
  Remarks warnings, notes;
  for (const plan::SheetPlan& sheet : data.plan.sheets) warnings.add(sheet, sheet.warnings);
  for (const run::SheetResult& sheet : data.result.sheets) {
    warnings.add(data.plan.sheets[sheet.index], sheet.warnings);
    notes.add(data.plan.sheets[sheet.index], sheet.notes);
  }
  return warnings.section("warnings", "Warnings") + notes.section("notes", "Notes");
}

/// "12.3 %" an ink, with its mark; inks that are not of the process with their name.
std::string inks_cell(const plan::SheetPlan& plan, const run::SheetResult* result) {
  if (result == nullptr || result->plates.empty()) return "&ndash;";
  std::string text;
  for (const run::PlateResult& plate : result->plates) {
    const std::string ink = manifests::lower_case(plate.ink);
    const bool is_process = ink == "cyan" || ink == "magenta" || ink == "yellow" || ink == "black";
    text += fmt::format(
        "<span class=\"ink\"><span class=\"swatch {}\"></span>"
        "<span class=\"{}\">{} </span>{:.1f}&nbsp;%</span> ",
        is_process ? ink : "other",
        is_process ? "unseen" : "spot",
        escape_foreign(plate.ink),
        plate.coverage_percent);
  }
  if (plan.settings.output.negative) text += "<div class=\"when\">of the negative</div>";
  return text;
}

std::string sheet_row(const ReportData& data, size_t index, bool has_section) {
  const plan::SheetPlan& plan = data.plan.sheets[index];
  const run::SheetResult* result = result_of(data, index);
  const std::string name = sheet_name(plan);
  std::string size = "&ndash;";
  if (!plan.infos.empty()) {
    size = fmt::format(
        "{}&nbsp;&times;&nbsp;{}", plan.infos.front().width_px, plan.infos.front().height_px);
  }
  uint64_t bytes = 0;
  if (result != nullptr) {
    for (const run::PlateResult& plate : result->plates) bytes += plate.file_bytes;
  }
  const bool made_before = result != nullptr && !result->failure && result->already_done;
  return fmt::format(
      "<tr><td class=\"number\">{}</td><th scope=\"row\">{}</th><td>{}{}</td>"
      "<td class=\"number\">{}</td><td class=\"inks\">{}</td><td class=\"number\">{}</td>"
      "<td class=\"number\">{}</td></tr>\n",
      index + 1,
      has_section ? fmt::format("<a href=\"#{}\">{}</a>", sheet_id(index), name) : name,
      outcome_chip(outcome_of(data, index)),
      made_before ? "<div class=\"when\">made before</div>" : "",
      size,
      inks_cell(plan, result),
      bytes > 0 ? bytes_text(bytes) : "&ndash;",
      result != nullptr && result->seconds > 0 ? duration_text(result->seconds) : "&ndash;");
}

/// The sheets with a section of their own: the first of a long job.
bool has_section(size_t index) {
  return index < kMostSections;
}

std::string rows(const ReportData& data) {
  std::string text;
  const size_t sheets = data.plan.sheets.size();
  for (size_t i = 0; i < std::min(sheets, kMostRows); ++i) {
    text += sheet_row(data, i, has_section(i));
  }
  return text;
}

/// The ink of the whole job; empty when no plate says its resolution.
std::string ink_section(const ReportData& data) {
  const std::vector<run::InkUse> use = run::ink_use_of(data.result.sheets);
  if (use.empty()) return "";
  std::string text =
      "<section id=\"ink\"><h2>Ink</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Ink of the job\"><table class=\"small\">"
      "<caption>Of all good sheets, printed once; the volume is an estimate, by the film and "
      "density "
      "that the press file says, else 1 g/m² and 1 g/ml, or by the drops</caption>"
      "<thead><tr><th scope=\"col\">Ink</th><th scope=\"col\" class=\"number\">Area</th>"
      "<th scope=\"col\" class=\"number\">Volume</th></tr></thead><tbody>\n";
  for (const auto& [ink, cm2, ml] : use) {
    text += fmt::format(
        "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td>"
        "<td class=\"number\">{}</td></tr>\n",
        escape_foreign(ink),
        area_text(cm2),
        volume_text(ml));
  }
  return text + "</tbody></table></div></section>\n";
}

std::string sections(const ReportData& data) {
  std::string text;
  const size_t sheets = data.plan.sheets.size();
  for (size_t i = 0; i < sheets && has_section(i); ++i) text += sheet_section(data, i);
  if (sheets > kMostSections) {
    text += fmt::format("<p>The other {} sheets are in report.json.</p>\n", sheets - kMostSections);
  }
  return text;
}

std::string finished_text(const ReportData& data, const Totals& totals) {
  const std::string now = local_text(data.finished);
  if (totals.open > 0) return "As of " + now;
  const auto made = data.made ? parse_utc(data.made->finished) : std::nullopt;
  if (!made) return "Finished " + now;
  return fmt::format("Finished {}; found unchanged {}", local_text(*made), now);
}

std::string pictures_note(const ReportData& data) {
  size_t shown = 0, lost = 0;  // sheets that have a section
  for (size_t i = 0; i < std::min(data.pictures.size(), kMostSections); ++i) {
    const run::SheetResult* result = result_of(data, i);
    shown += !data.pictures[i].empty();
    lost += data.pictures[i].empty() && result != nullptr && result->already_done;
  }
  std::string text;
  if (shown > 0) {
    text =
        "The page as it was halftoned, its plates with their dots averaged away, and dots at full "
        "size, one "
        "to a pixel of the screen. Inks have the colours that the press file says, else usual "
        "ones, on "
        "white; this is no proof. ";
  }
  if (data.pictures_left_out) {
    text += "To keep this file small, the last sheets are shown without pictures.";
  } else if (lost > 0) {
    text +=
        "Sheets that were made before are shown without pictures, as no report of that run is "
        "in this folder.";
  }
  return text.empty() ? "" : "<p>" + text + "</p>";
}

}  // namespace

std::string sheet_id(size_t index) {
  return "s" + std::to_string(index + 1);
}

std::string area_text(double cm2) {
  if (cm2 < 10'000) return fmt::format("{:.4g}&nbsp;cm²", cm2);
  return fmt::format("{:.2f}&nbsp;m²", cm2 / 10'000);
}

std::string volume_text(double ml) {
  return ml < 0.1 ? fmt::format("{:.3g}&nbsp;µl", 1000 * ml) : fmt::format("{:.3g}&nbsp;ml", ml);
}

std::string sheet_name(const plan::SheetPlan& sheet) {
  const std::string file = std::filesystem::path(sheet.input).filename().string();
  std::string name = "<bdi>" + escape_foreign(file.empty() ? sheet.input : file) + "</bdi>";
  if (const std::string pages = pages_text(sheet); !pages.empty())
    name += ", <span class=\"pages\">" + pages + "</span>";
  return name;
}

std::string outcome_chip(Outcome outcome) {
  switch (outcome) {
    case Outcome::kGood:
      return "<span class=\"chip good\"><span aria-hidden=\"true\">&#10003;</span> good</span>";
    case Outcome::kFailed:
      return "<span class=\"chip bad\"><span aria-hidden=\"true\">&#10005;</span> failed</span>";
    case Outcome::kNotBegun:
      return "<span class=\"chip\"><span aria-hidden=\"true\">&#9675;</span> not begun</span>";
    case Outcome::kOpen:
      return "<span class=\"chip\"><span aria-hidden=\"true\">&#9675;</span> to be made</span>";
  }
  return "";
}

std::string report_page(const ReportData& data) {
  const Totals totals = totals_of(data);
  const std::string job = data.plan.job.empty() ? "job" : data.plan.job;
  std::string verdict_class = "bad", verdict_mark = "&#10005;";
  if (all_is_good(data)) {
    verdict_class = "good";
    verdict_mark = "&#10003;";
  } else if (totals.open > 0 && totals.failed == 0) {
    verdict_class = "open";
    verdict_mark = "&#9675;";
  }
  return fill_template(assets::kPage,
                       {{"version", escape_html(kVersion)},
                        {"style", std::string(assets::kStyle)},
                        {"job", "<bdi>" + escape_foreign(job) + "</bdi>"},
                        {"title", escape_foreign(job)},
                        {"verdict_class", verdict_class},
                        {"verdict_mark", verdict_mark},
                        {"verdict", verdict(data, totals)},
                        {"finished", finished_text(data, totals)},
                        {"totals", totals_list(data, totals)},
                        {"failures", failures_section(data) + remarks_sections(data)},
                        {"rows", rows(data)},
                        {"ink", ink_section(data)},
                        {"timeline", timeline_section(data)},
                        {"pictures_note", pictures_note(data)},
                        {"sheets", sections(data)}});
}

}  // namespace mezzo::report
