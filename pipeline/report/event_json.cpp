#include "pipeline/report/event_json.h"

#include <optional>

#include "kernels/registry.h"
#include "manifests/json/members.h"
#include "pipeline/plan/engine_choice.h"
#include "pipeline/plan/gpu_way.h"
#include "pipeline/plan/plate_text.h"
#include "pipeline/plan/provenance.h"
#include "pipeline/plan/screens.h"
#include "pipeline/report/report_data.h"
#include "pipeline/run/result_json.h"

namespace mezzo::report {
namespace {

void add_failure(json::Value& object, const std::optional<run::Failure>& failure) {
  if (!failure) return;
  object["error"] = {{"kind", name_of(failure->kind)},
                     {"message", failure->message},
                     {"hint", advice_on(*failure)}};
  if (!failure->place.empty()) object["error"]["place"] = failure->place;
}

}  // namespace

json::Value plan_json(const plan::SheetPlan& sheet) {
  json::Value object = {{"v", 1}, {"type", "sheet-plan"}, {"input", sheet.input}};
  object["pages"] = run::page_numbers(sheet.pages);
  add_failure(object, sheet.failure);
  if (!sheet.warnings.empty()) object["warnings"] = sheet.warnings;
  if (!sheet.failure) {
    object["width_px"] = sheet.infos.front().width_px;
    object["height_px"] = sheet.infos.front().height_px;
    if (!sheet.stages.empty()) object["chain"] = sheet.stages;
    object["method"] = sheet.settings.halftone.method;
    if (const auto& levels = sheet.settings.halftone.levels) {
      object["levels"] = plan::levels_text(*levels);
    }
    object["engine"] = to_string(sheet.engine);
    object["schedule"] = sheet.schedule;
    object["reason"] = sheet.schedule_reason;
    if (const std::string way = plan::gpu_way(sheet).text; !way.empty()) object["gpu"] = way;
    object["compression"] = sheet.settings.output.compression;
    object["verify"] = to_string(sheet.settings.output.verify);
    object["band_rows"] = sheet.bands.front().rows;
    object["bands_in_flight"] = sheet.bands.front().in_flight;
    object["memory_bytes"] = sheet.memory_bytes;
    for (const plan::PlatePlan& plate : sheet.plates) {
      json::Value one = {{"ink", plate.ink}, {"path", plate.path}};
      const auto texts = plan::ink_texts(sheet, plate);
      for (const auto& [name, value] : texts) one[name] = value;
      if (!texts.empty()) one["schedule"] = plate.schedule;
      object["plates"].push_back(std::move(one));
    }
    if (plan::has_screens(sheet)) object["moire"] = plan::period_text(plan::moire_of(sheet));
  }
  return object;
}

json::Value plan_json(const plan::JobPlan& plan) {
  const std::optional<double> seconds = plan::estimate_seconds(plan);
  return {{"v", 1},
          {"type", "plan"},
          {"job", plan.job},
          {"sheets", plan.sheets.size()},
          {"pixels", plan.pixels},
          {"raw_bytes", plan.raw_bytes},
          {"disk_bytes", plan.disk_bytes},
          {"memory_bytes", plan.memory_bytes},
          {"threads", plan.threads},
          {"estimated_seconds", seconds ? json::Value(*seconds) : json::Value()}};
}

json::Value sheet_json(const plan::SheetPlan& plan, const run::SheetResult& sheet) {
  json::Value object = {{"v", 1}, {"type", "sheet"}};
  object["ok"] = !sheet.failure.has_value();
  add_failure(object, sheet.failure);
  if (!plan.warnings.empty()) object["warnings"] = plan.warnings;
  object["engine"] = to_string(plan.engine);
  json::add_members(object, sheet);
  return object;
}

json::Value job_json(const plan::JobPlan& plan, const run::JobResult& result) {
  return {{"v", 1},
          {"type", "job"},
          {"job", result.job},
          {"ok", result.all_good()},
          {"interrupted", result.interrupted},
          {"device_lost", result.device_lost},
          {"out_of_time", result.out_of_time},
          {"not_begun", plan.sheets.size() - result.sheets.size()},
          {"seconds", result.seconds}};
}

}  // namespace mezzo::report
