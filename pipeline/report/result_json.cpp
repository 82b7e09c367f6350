#include "pipeline/report/result_json.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace mezzo::report {
namespace {

using Json = nlohmann::ordered_json;

/// To the microsecond.
double rounded(double seconds) {
  return std::round(1e6 * seconds) / 1e6;
}

/// json.get<>() is undefined for a number that is negative or has a fraction.
uint64_t count_of(const Json& json) {
  return json.get_ref<const Json::number_unsigned_t&>();
}

uint32_t page_of(const Json& json) {
  const uint64_t page = count_of(json);
  if (page == 0 || page > std::numeric_limits<uint32_t>::max()) {
    throw Json::out_of_range::create(406, "there is no such page", nullptr);
  }
  return static_cast<uint32_t>(page - 1);
}

run::PlateResult plate_of(const Json& json) {
  run::PlateResult plate;
  for (const auto& [name, value] : json.get_ref<const Json::object_t&>()) {
    if (name == "ink") plate.ink = value.get<std::string>();
    if (name == "path") plate.path = value.get<std::string>();
    if (name == "compression") plate.compression = value.get<std::string>();
    if (name == "file_bytes") plate.file_bytes = count_of(value);
    if (name == "content_xxh3") plate.content_hash = value.get<std::string>();
    if (name == "coverage_percent") plate.coverage_percent = value.get<double>();
  }
  return plate;
}

run::StageSeconds stages_of(const Json& json) {
  run::StageSeconds stages{};
  for (size_t i = 0; i < stages.size(); ++i) {
    const auto seconds = json.find(std::string(run::kStageNames[i]));
    if (seconds != json.end()) stages[i] = seconds->get<double>();
  }
  return stages;
}

/// Of stages that this program knows.
std::vector<run::Activity> timeline_of(const Json& json) {
  std::vector<run::Activity> timeline;
  for (const Json& activity : json.get_ref<const Json::array_t&>()) {
    const uint64_t stage = count_of(activity.at(0));
    if (stage >= run::kStageNames.size()) continue;
    timeline.push_back({static_cast<size_t>(stage),
                        activity.at(1).get<double>(),
                        activity.at(2).get<double>(),
                        activity.at(3).get<double>()});
  }
  return timeline;
}

}  // namespace

void add_result(Json& object, const run::SheetResult& result) {
  object["input"] = result.input;
  object["pages"] = Json::array();
  for (const uint32_t page : result.pages) object["pages"].push_back(page + 1);
  object["pixels"] = result.pixels;
  object["input_bytes"] = result.input_bytes;
  object["begin_seconds"] = rounded(result.begin_seconds);
  object["seconds"] = rounded(result.seconds);
  object["stage_seconds"] = Json::object();
  for (size_t i = 0; i < run::kStageNames.size(); ++i) {
    object["stage_seconds"][std::string(run::kStageNames[i])] = rounded(result.stages[i]);
  }
  object["verified"] = result.verified;
  object["already_done"] = result.already_done;
  object["notes"] = result.notes;
  object["timeline"] = Json::array();
  for (const run::Activity& activity : result.timeline) {
    object["timeline"].push_back({activity.stage,
                                  rounded(activity.begin),
                                  rounded(activity.end),
                                  rounded(activity.busy_seconds)});
  }
  object["plates"] = Json::array();
  for (const run::PlateResult& plate : result.plates) {
    object["plates"].push_back({{"ink", plate.ink},
                                {"path", plate.path},
                                {"compression", plate.compression},
                                {"file_bytes", plate.file_bytes},
                                {"content_xxh3", plate.content_hash},
                                {"coverage_percent", plate.coverage_percent}});
  }
}

run::SheetResult parse_result(const Json& object) {
  run::SheetResult result;
  for (const auto& [name, value] : object.get_ref<const Json::object_t&>()) {
    if (name == "input") result.input = value.get<std::string>();
    if (name == "pixels") result.pixels = count_of(value);
    if (name == "input_bytes") result.input_bytes = count_of(value);
    if (name == "begin_seconds") result.begin_seconds = value.get<double>();
    if (name == "seconds") result.seconds = value.get<double>();
    if (name == "stage_seconds") result.stages = stages_of(value);
    if (name == "verified") result.verified = value.get<bool>();
    if (name == "already_done") result.already_done = value.get<bool>();
    if (name == "notes") result.notes = value.get<std::vector<std::string>>();
    if (name == "timeline") result.timeline = timeline_of(value);
    if (name == "pages") {
      for (const Json& page : value.get_ref<const Json::array_t&>()) {
        result.pages.push_back(page_of(page));
      }
    }
    if (name == "plates") {
      for (const Json& plate : value.get_ref<const Json::array_t&>()) {
        result.plates.push_back(plate_of(plate));
      }
    }
  }
  return result;
}

}  // namespace mezzo::report
