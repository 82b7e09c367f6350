#include <fmt/format.h>

#include "kernels/band/tone.h"
#include "kernels/registry.h"
#include "kernels/screen/cells.h"
#include "pipeline/plan/linework.h"
#include "pipeline/plan/plate_text.h"
#include "pipeline/plan/provenance.h"
#include "pipeline/plan/resolution.h"
#include "pipeline/plan/screens.h"
#include "pipeline/plan/tiles.h"
#include "pipeline/report/html_text.h"
#include "pipeline/report/page_png.h"
#include "pipeline/report/report_page.h"
#include "pipeline/text.h"

namespace mezzo::report {
namespace {

struct Figure {
  const std::string& uri;
  uint32_t width_px, height_px;
  std::string_view kind;  ///< class
  std::string alt;
  std::string caption;
  std::string data = {};  ///< attributes for earlier_report.h
};

std::string figure(const Figure& figure) {
  if (figure.uri.empty()) return "";
  return fmt::format(
      "<figure class=\"{}\"><img src=\"{}\" width=\"{}\" height=\"{}\"{} alt=\"{}\">"
      "<figcaption>{}</figcaption></figure>\n",
      figure.kind,
      figure.uri,
      figure.width_px,
      figure.height_px,
      figure.data,
      figure.alt,
      figure.caption);
}

std::string pictures(const plan::SheetPlan& plan,
                     const std::string& input,
                     const run::SheetResult& result,
                     const std::vector<PagePicture>& pictures) {
  std::string text;
  for (const PagePicture& picture : pictures) {
    std::string of = escape_foreign(input), page;
    if (plan.pages.size() > 1) {
      page = fmt::format(", page {}", plan.pages[picture.page] + 1);
      of += page;
    }
    const bool one_plate = plan.plates.size() == 1;
    text += fmt::format("<div class=\"pictures\" data-page=\"{}\" data-plates=\"{}\">\n",
                        picture.page,
                        escape_foreign(plates_key(result)));
    text += figure({picture.contone,
                    picture.width_px,
                    picture.height_px,
                    "thumb",
                    "Contone of " + of,
                    "Contone" + page});
    text += figure({picture.plate,
                    picture.width_px,
                    picture.height_px,
                    "thumb",
                    (one_plate ? "Plate of " : "Plates over each other of ") + of,
                    one_plate ? "Plate, descreened" : "Plates, descreened"});
    text += figure({picture.dots,
                    picture.dots_width_px,
                    picture.dots_height_px,
                    "dots",
                    "Dots at full size of " + of,
                    fmt::format("Dots, 1:1, at {},&nbsp;{}", picture.dots_x, picture.dots_y),
                    fmt::format(" data-x=\"{}\" data-y=\"{}\"", picture.dots_x, picture.dots_y)});
    text += "</div>\n";
  }
  return text;
}

void add_fact(std::string& list, std::string_view what, const std::string& value) {
  if (!value.empty()) list += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", what, value);
}

/// With spaces at which no line ends.
std::string unbroken(std::string_view text) {
  std::string html;
  for (const char c : text) html += c == ' ' ? "&nbsp;" : std::string(1, c);
  return html;
}

std::string size_text(const PageInfo& info) {
  std::string text = fmt::format("{}&nbsp;&times;&nbsp;{}&nbsp;px", info.width_px, info.height_px);
  const auto [x_dpi, y_dpi] = info.resolution;
  if (x_dpi > 0 && y_dpi > 0) {
    text += fmt::format(", {:.0f}&nbsp;&times;&nbsp;{:.0f}&nbsp;mm at {}",
                        info.width_px / x_dpi * 25.4,
                        info.height_px / y_dpi * 25.4,
                        unbroken(plan::resolution_text(info.resolution)));
  }
  return text;
}

std::string method_text(const HalftoneSettings& halftone) {
  std::string text = escape_html(halftone.method);
  for (const auto& [name, value] : plan::parameter_texts(halftone)) {
    text += fmt::format(", {}&nbsp;{}", escape_html(name), escape_html(value));
  }
  const std::string tile = plan::tile_text(halftone);
  return tile.empty() ? text : text + ", " + escape_foreign(tile);
}

std::string stages_text(const run::StageSeconds& stages) {
  std::string text;
  for (size_t i = 0; i < stages.size(); ++i) {
    if (stages[i] < 0.5e-3) continue;  // "0 ms"
    text += fmt::format(
        "{}{}&nbsp;{}", text.empty() ? "" : ", ", run::kStageNames[i], duration_text(stages[i]));
  }
  return text;
}

/// Of all plates; empty when nothing was protected.
std::string protection_text(const run::SheetResult& result) {
  prepress::Protection sum;
  bool any = false;
  for (const run::PlateResult& plate : result.plates) {
    if (!plate.protection) continue;
    any = true;
    sum += *plate.protection;
  }
  if (!any) return {};
  return fmt::format("{}&nbsp;px of paper and {}&nbsp;px of solids, {} of them mended",
                     sum.paper_px,
                     sum.solid_px,
                     sum.mended_px);
}

std::string ink_limit_text(const run::InkAmount& ink) {
  const double share = 100 * static_cast<double>(ink.above_px) /
                       static_cast<double>(std::max<uint64_t>(ink.pixels, 1));
  const std::string found = fmt::format(
      "up to {:.1f}&nbsp;%, {:.1f}&nbsp;% in the mean; {:.2f}&nbsp;% of the page above "
      "{:.6g}&nbsp;%",
      ink.most_percent,
      ink.mean_percent,
      share,
      ink.limit_percent);
  if (ink.only_checked) return found + ", and only checked";
  return fmt::format("{}; printed with up to {:.1f}&nbsp;%, {:.1f}&nbsp;% in the mean",
                     found,
                     ink.most_after_percent,
                     ink.mean_after_percent);
}

/// "cyan: 12 px of level 0, 34 px of level 1; 0.012 ml of ink", of a plate with packed levels.
std::string drops_text(const run::PlateResult& plate) {
  std::string text = escape_foreign(plate.ink) + ":";
  for (size_t level = 0; level < plate.drops.size(); ++level) {
    text +=
        fmt::format("{} {}&nbsp;px of level {}", level == 0 ? "" : ",", plate.drops[level], level);
  }
  if (plate.volume_ml) text += fmt::format("; {:.4g}&nbsp;ml of ink", *plate.volume_ml);
  return text;
}

/// A file beside the plates: its path, and what it is or why it is not there.
std::string side_file_text(const run::SideFileResult& file) {
  const std::string path = "<bdi>" + escape_foreign(file.path) + "</bdi>";
  if (!file.error.empty()) return path + " could not be made: " + escape_foreign(file.error);
  std::string text = path;
  if (file.width_px > 0) {
    text += fmt::format(", {}&nbsp;&times;&nbsp;{}&nbsp;px at {:.6g}&nbsp;dpi",
                        file.width_px,
                        file.height_px,
                        file.dpi);
  }
  text += ", " + bytes_text(file.file_bytes);
  if (!file.colours.empty()) text += ", colours by " + escape_html(file.colours);
  if (!file.zones_path.empty()) {
    text += "; ink zones: <bdi>" + escape_foreign(file.zones_path) + "</bdi>";
  }
  if (file.already_done) text += "; made before";
  return text;
}

/// On all plates; empty without line work.
std::string linework_text(const run::SheetResult& result) {
  prepress::OverlayPixels sum;
  bool any = false;
  for (const run::PlateResult& plate : result.plates) {
    if (!plate.linework) continue;
    any = true;
    sum += *plate.linework;
  }
  if (!any) return {};
  return fmt::format(
      "; {}&nbsp;px printed and {}&nbsp;px knocked out", sum.printed_px, sum.knocked_out_px);
}

/// Sizes and format of the first page, and the way from it to its plates.
void add_page(std::string& list, const plan::SheetPlan& plan) {
  if (plan.infos.empty()) return;
  if (plan.stages.empty()) {
    add_fact(list, "Size", size_text(plan.infos.front()));
  } else {
    add_fact(list, "Page", size_text(source_of(plan, 0)));
    add_fact(list, "Plates", size_text(plan.infos.front()));
    add_fact(list, "Chain", escape_html(fmt::to_string(fmt::join(plan.stages, "; "))));
  }
  add_fact(list, "Format", escape_foreign(plan.infos.front().format));
}

void add_result(std::string& list, const run::SheetResult& result) {
  add_fact(list, "Node", escape_foreign(result.node));
  std::string time;  // none of a sheet that was made earlier, or by an attempt that was killed
  if (result.seconds > 0) time = duration_text(result.seconds);
  const std::string stages = stages_text(result.stages);
  if (!time.empty() && !stages.empty()) time += "; by stage: " + stages;
  add_fact(list, "Time", time);
  add_fact(list, "Protected", protection_text(result));
  if (result.ink) add_fact(list, "Ink in one place", ink_limit_text(*result.ink));
  for (const run::PlateResult& plate : result.plates) {
    if (!plate.drops.empty()) add_fact(list, "Drops", drops_text(plate));
  }
  for (const run::SideFileResult& file : result.side_files) {
    add_fact(list, file.kind == "proof" ? "Proof" : "PPF", side_file_text(file));
  }
  if (result.already_done) add_fact(list, "Made", "by an earlier run of the job; unchanged since");
  if (result.verified)
    add_fact(list,
             "Verified",
             fmt::format("{}: {}", to_string(*result.verified), info_of(*result.verified).proof));
  for (const std::string& note : result.notes) add_fact(list, "Note", escape_foreign(note));
}

std::string facts(const plan::SheetPlan& plan,
                  const std::string& input,
                  const run::SheetResult* result) {
  std::string list;
  add_fact(list, "Input", "<bdi>" + escape_foreign(input) + "</bdi>");
  add_page(list, plan);
  if (plan.pages.size() > 1) add_fact(list, "Pages", std::to_string(plan.pages.size()));
  add_fact(list, "Method", method_text(plan.settings.halftone));
  if (const auto& levels = plan.settings.halftone.levels) {
    add_fact(list, "Levels", escape_html(plan::levels_text(*levels)));
  }
  add_fact(list, "Tone", escape_html(plan::tone_text(plan.settings.tone)));
  for (const plan::PlatePlan& plate : plan.plates) {
    for (const auto& [name, value] : plan::ink_texts(plan, plate)) {
      add_fact(list, "Ink " + escape_foreign(plate.ink), name + " " + escape_html(value));
    }
  }
  if (const auto& press = plan.settings.press) {
    add_fact(list, "Press", escape_foreign(press->name) + " (" + press->xxh3.substr(0, 8) + ")");
  }
  if (!plan.linework.empty()) {
    add_fact(list,
             "Line work",
             escape_foreign(plan::linework_text(plan)) +
                 (result != nullptr ? linework_text(*result) : ""));
  }
  if (plan.settings.output.mirror) add_fact(list, "Plate", "mirrored");
  if (plan.settings.output.negative)
    add_fact(list, "Plate", "negative; coverage is that of the negative");
  if (!plan.failure && !plan.schedule.empty()) {
    add_fact(
        list,
        "Engine",
        fmt::format(
            "{}, schedule {}", escape_html(to_string(plan.engine)), escape_html(plan.schedule)));
  }
  for (const std::string& warning : plan.warnings) {
    add_fact(list, "Warning", escape_foreign(warning));
  }
  if (result != nullptr) add_result(list, *result);
  return list;
}

/// "123 px", "1.2 Mpx".
std::string pixels_text(uint64_t pixels) {
  if (pixels == 0) return "0";
  if (pixels < 100'000) return fmt::format("{}&nbsp;px", pixels);
  return fmt::format("{:.1f}&nbsp;Mpx", static_cast<double>(pixels) / 1e6);
}

/// "1.2 Mpx paper, 345 px solid", of one plate; a dash where nothing is protected.
std::string protected_cell(const run::PlateResult& plate) {
  if (!plate.protection) return "&ndash;";
  const auto& [paper, solid, mended] = *plate.protection;
  return fmt::format("{} paper, {} solid{}",
                     pixels_text(paper),
                     pixels_text(solid),
                     mended > 0 ? fmt::format("; {} mended", pixels_text(mended)) : "");
}

std::string ink_cell(const run::PlateResult& plate) {
  if (!plate.ink_cm2) return "&ndash;";
  std::string text = area_text(*plate.ink_cm2);
  if (plate.ink_ml) text += ", " + volume_text(*plate.ink_ml);
  return text;
}

std::string plates_table(const std::string& input, const run::SheetResult& result) {
  std::string text = fmt::format(
      "<div class=\"scroll fold\" tabindex=\"0\" role=\"region\" aria-label=\"Plates of "
      "{0}\"><table>"
      "<caption>Plates</caption><thead><tr><th scope=\"col\">Ink</th>"
      "<th scope=\"col\" class=\"number\">Coverage</th><th scope=\"col\" class=\"number\">Ink, "
      "about</th><th scope=\"col\">Protected</th><th scope=\"col\" class=\"number\">Size</th>"
      "<th scope=\"col\">Compression</th><th scope=\"col\">File</th></tr></thead><tbody>\n",
      escape_foreign(input));
  for (const run::PlateResult& plate : result.plates) {
    text += fmt::format(
        "<tr><th scope=\"row\">{}</th><td class=\"number\">{:.2f}&nbsp;%</td>"
        "<td class=\"number\">{}</td><td>{}</td>"
        "<td class=\"number\">{}</td><td>{}</td><td class=\"path\"><bdi>{}</bdi></td></tr>\n",
        escape_foreign(plate.ink),
        plate.coverage_percent,
        ink_cell(plate),
        protected_cell(plate),
        bytes_text(plate.file_bytes),
        plate.compression,
        escape_foreign(plate.path));
  }
  return text + "</tbody></table></div>\n";
}

/// The AM screens of the plates; empty without any.
std::string screens_table(const std::string& input, const plan::SheetPlan& plan) {
  if (!plan::has_screens(plan)) return "";
  std::string text = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Screens of {}\"><table>"
      "<caption>Screens; moire of the set: {}</caption><thead><tr><th scope=\"col\">Ink</th>"
      "<th scope=\"col\" class=\"number\">Ruling wanted</th><th scope=\"col\" class=\"number\">"
      "Actual</th><th scope=\"col\" class=\"number\">Angle wanted</th><th scope=\"col\" "
      "class=\"number\">Actual</th><th scope=\"col\" class=\"number\">Levels</th></tr></thead>"
      "<tbody>\n",
      escape_foreign(input),
      plan::period_text(plan::moire_of(plan)));
  for (const plan::PlatePlan& plate : plan.plates) {
    const auto screen = plan::screen_of(plan, plate);
    if (!screen) continue;
    text += fmt::format(
        "<tr><th scope=\"row\">{}</th><td class=\"number\">{:.6g}&nbsp;lpi</td><td "
        "class=\"number\">{:.2f}&nbsp;lpi</td><td class=\"number\">{:.6g}°</td><td "
        "class=\"number\">{:.2f}°</td><td class=\"number\">{}</td></tr>\n",
        escape_foreign(plate.ink),
        screen->ruling,
        screen::ruling_of(screen->cell, screen->resolution),
        screen->angle,
        screen::angle_of(screen->cell),
        screen::levels_of(screen->cell));
  }
  return text + "</tbody></table></div>\n";
}

/// Where a page had more ink than its limit; empty where it had not.
std::string ink_limit_map(const std::string& input, const run::SheetResult& result) {
  if (!result.ink || result.ink->above_px == 0 || result.ink->map_columns == 0) return "";
  const uint32_t columns = result.ink->map_columns;
  const auto rows = static_cast<uint32_t>(result.ink->map.size()) / columns;
  GreyImage map{.width_px = columns, .height_px = rows, .pixels = {}};
  for (const uint8_t share : result.ink->map) {
    map.pixels.push_back(static_cast<uint8_t>(255 - share));
  }
  return figure({png_uri(map),
                 map.width_px,
                 map.height_px,
                 "map",
                 "Map of " + escape_foreign(input) + ": dark where it had more ink than the limit",
                 fmt::format("Ink above {:.6g}&nbsp;%: dark where all of a place was",
                             result.ink->limit_percent)});
}

/// The tone that is printed for each that is meant, of an ink whose press or plates have a curve.
std::string curve_of(const std::string& ink, const ToneSettings& tone) {
  constexpr int kSteps = 100;
  const ToneCurve curve(kSteps, Polarity::kMaxIsInk, tone);
  std::string points;
  for (uint32_t percent = 0; percent <= kSteps; ++percent) {
    points += fmt::format(
        "{}{},{:.1f}", percent == 0 ? "" : " ", percent, kSteps - 100.0 * curve[percent] / kSolid);
  }
  return fmt::format(
      "<figure class=\"curve\"><svg viewBox=\"-2 -2 104 104\" width=\"140\" height=\"140\" "
      "role=\"img\" aria-label=\"Curve of {0}: 50 % becomes {1:.1f} %\">"
      "<path d=\"M0 0V100H100M0 100L100 0M50 0V100M0 50H100\" fill=\"none\" "
      "stroke=\"currentColor\" stroke-opacity=\".3\"/>"
      "<polyline points=\"{2}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\"/></svg>"
      "<figcaption>{0}: 50&nbsp;% becomes {1:.1f}&nbsp;%</figcaption></figure>\n",
      escape_foreign(ink),
      100.0 * curve[kSteps / 2] / kSolid,
      points);
}

/// Of the plates that have curves of their press; empty where none has.
std::string curves_of(const plan::SheetPlan& plan) {
  std::string text;
  for (const plan::PlatePlan& plate : plan.plates) {
    const ToneSettings tone = settings_of(plan, plate).tone;
    if (!tone.curves.empty()) text += curve_of(plate.ink, tone);
  }
  return text.empty() ? "" : "<div class=\"pictures\">\n" + text + "</div>\n";
}

}  // namespace

std::string sheet_section(const ReportData& data, size_t index) {
  const plan::SheetPlan& plan = data.plan.sheets[index];
  const run::SheetResult* result = result_of(data, index);
  const Outcome outcome = outcome_of(data, index);
  const std::string input = from_folder(data.plan, plan.input);
  std::string text = fmt::format("<article class=\"sheet\" id=\"{}\">\n<h3>{} {}</h3>\n",
                                 sheet_id(index),
                                 sheet_name(plan),
                                 outcome_chip(outcome));
  if (const run::Failure* failure = failure_of(data, index)) {
    text += fmt::format("<p class=\"message\">{}</p>\n",
                        escape_foreign(message_of(data.plan, *failure)));
  }
  if (outcome == Outcome::kGood) text += pictures(plan, input, *result, data.pictures[index]);
  text += fmt::format("<dl class=\"facts\">\n{}</dl>\n", facts(plan, input, result));
  if (outcome == Outcome::kGood) {
    text += ink_limit_map(input, *result);
    text += plates_table(input, *result);
  }
  text += screens_table(input, plan);
  text += curves_of(plan);
  return text + "</article>\n";
}

}  // namespace mezzo::report
