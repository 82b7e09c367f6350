#include "pipeline/report/report_json.h"

#include <array>

#include "kernels/registry.h"
#include "manifests/curve/curve_file.h"
#include "manifests/json/members.h"
#include "pipeline/plan/plate_text.h"
#include "pipeline/plan/provenance.h"
#include "pipeline/run/ink_use.h"
#include "pipeline/run/result_json.h"
#include "pipeline/wall_time.h"

namespace mezzo::report {
namespace {

std::string_view outcome(const ReportData& data) {
  if (data.not_started) return "not-started";
  if (data.result.interrupted) return "interrupted";
  if (data.result.device_lost) return "device-lost";
  if (data.result.out_of_time) return data.of_cluster ? "open" : "out-of-time";
  return data.result.all_good() ? "good" : "failed";
}

/// By Outcome.
constexpr std::array<std::string_view, 4> kOutcomeNames = {"good", "failed", "not-begun", "open"};

json::Value error_of(const run::Failure& failure) {
  json::Value object = {{"kind", name_of(failure.kind)},
                        {"message", failure.message},
                        {"advice", advice_on(failure)}};
  if (!failure.place.empty()) object["place"] = failure.place;
  return object;
}

void add_size(json::Value& object, const PageInfo& info) {
  object["width_px"] = info.width_px;
  object["height_px"] = info.height_px;
  object["x_dpi"] = info.resolution.x_dpi;
  object["y_dpi"] = info.resolution.y_dpi;
}

json::Value curves_of(const plan::PlatePlan& plate) {
  json::Value list = json::Value::list();
  for (const plan::PlateCurve& one : plate.curves) {
    list.push_back(json::Value{{"kind", curve::name_of(one.curve->kind)},
                               {"file", one.file},
                               {"xxh3", one.curve->digest}});
  }
  return list;
}

void add_settings(json::Value& object, const plan::SheetPlan& plan) {
  if (!plan.infos.empty()) {
    add_size(object, plan.infos.front());
    object["format"] = plan.infos.front().format;
  }
  if (!plan.stages.empty()) {
    object["page"] = json::Value::object();
    add_size(object["page"], source_of(plan, 0));
    object["chain"] = plan.stages;
  }
  object["method"] = plan.settings.halftone.method;
  object["parameters"] = json::Value::object();
  for (const auto& [name, value] : plan::parameter_texts(plan.settings.halftone)) {
    object["parameters"][name] = value;
  }
  if (const auto& levels = plan.settings.halftone.levels) {
    object["levels"] = plan::levels_text(*levels);
  }
  object["tone"] = plan::tone_text(plan.settings.tone);
  if (plan.settings.output.mirror) object["mirror"] = true;
  if (plan.settings.output.negative) object["negative"] = true;
  if (const auto& press = plan.settings.press) {
    object["press"] = {{"name", press->name}, {"xxh3", press->xxh3}};
  }
  object["engine"] = to_string(plan.engine);
  object["schedule"] = plan.schedule;
  object["schedule_reason"] = plan.schedule_reason;
  object["compression"] = plan.settings.output.compression;
  for (const plan::PlatePlan& plate : plan.plates) {
    for (const auto& [name, value] : plan::ink_texts(plan, plate)) {
      object["inks"][plate.ink][name] = value;
    }
    if (!plate.curves.empty()) object["inks"][plate.ink]["curves"] = curves_of(plate);
  }
}

json::Value sheet_of(const ReportData& data, size_t index) {
  const plan::SheetPlan& plan = data.plan.sheets[index];
  json::Value object;
  const run::SheetResult* result = result_of(data, index);
  if (result != nullptr) json::add_members(object, *result);
  object["input"] = plan.input;
  const std::string name = from_folder(data.plan, plan.input);
  if (name != plan.input) object["name"] = name;
  object["pages"] = run::page_numbers(plan.pages);
  object["outcome"] = kOutcomeNames[static_cast<size_t>(outcome_of(data, index))];
  if (const run::Failure* failure = failure_of(data, index)) object["error"] = error_of(*failure);
  std::vector<std::string> warnings = plan.warnings;
  if (result != nullptr) {
    warnings.insert(warnings.end(), result->warnings.begin(), result->warnings.end());
  }
  if (!warnings.empty()) object["warnings"] = warnings;
  if (result != nullptr && !result->node.empty()) object["node"] = result->node;
  add_settings(object, plan);
  return object;
}

}  // namespace

void describe(json::Members& members, MadeBefore& made) {
  members("finished", made.finished);
  members("seconds", made.seconds);
  members("pixels", made.pixels);
}

std::string report_json(const ReportData& data) {
  const Totals totals = totals_of(data);
  json::Value report = {{"v", kReportVersion},
                        {"type", "report"},
                        {"program", plan::provenance_software()},
                        {"job", data.plan.job},
                        {"finished", utc_text(data.finished)},
                        {"outcome", outcome(data)}};
  if (data.not_started) report["error"] = error_of(*data.not_started);
  report["seconds"] = run::rounded(data.result.seconds);
  if (data.made) report["made"] = json::to_value(*data.made);
  report["threads"] = data.plan.threads;
  report["memory_bytes"] = data.plan.memory_bytes;
  report["pixels"] = totals.pixels;
  report["plates"] = totals.plates;
  report["plate_bytes"] = totals.plate_bytes;
  report["good"] = totals.good;
  report["failed"] = totals.failed;
  report["not_begun"] = totals.not_begun;
  if (data.of_cluster) report["open"] = totals.open;
  report["stages"] = std::vector(run::kStageNames.begin(), run::kStageNames.end());
  report["stage_seconds"] = run::stage_seconds(totals.stages);
  const std::vector<run::InkUse> ink_use = run::ink_use_of(data.result.sheets);
  if (!ink_use.empty()) report["ink_use"] = json::Value::list();
  for (const auto& [ink, cm2, ml] : ink_use) {
    report["ink_use"].push_back({{"ink", ink}, {"cm2", cm2}, {"ml", ml}, {"ml_is", "estimate"}});
  }
  report["sheets"] = json::Value::list();
  for (size_t i = 0; i < data.plan.sheets.size(); ++i) {
    report["sheets"].push_back(sheet_of(data, i));
  }
  return json::to_text(report) + "\n";
}

}  // namespace mezzo::report
