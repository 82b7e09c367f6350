#include "pipeline/cluster/plan/plan_json.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "kernels/base/error.h"
#include "kernels/registry.h"

namespace mezzo::cluster {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kVersion1 = 1;
constexpr uint64_t kMost32 = std::numeric_limits<uint32_t>::max();
constexpr uint64_t kMost64 = std::numeric_limits<uint64_t>::max();

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorKind::kData, what);
}

// ---- Times -------------------------------------------------------------------------------------

std::string time_text(std::chrono::system_clock::time_point time) {
  using std::chrono::milliseconds;
  const auto ms = std::chrono::round<milliseconds>(time.time_since_epoch()).count();
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(std::time_t{ms / 1000}), ms % 1000);
}

std::chrono::system_clock::time_point parse_time(const std::string& text) {
  namespace chr = std::chrono;
  unsigned year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, ms = 0;
  std::sscanf(text.c_str(),
              "%4u-%2u-%2uT%2u:%2u:%2u.%3uZ",
              &year,
              &month,
              &day,
              &hour,
              &minute,
              &second,
              &ms);
  const chr::year_month_day date{
      chr::year(static_cast<int>(year)), chr::month(month), chr::day(day)};
  constexpr unsigned kFirstYear = 1970, kLastYear = 2200;  // what fits into the clock's 64 bits
  if (year < kFirstYear || year > kLastYear || !date.ok()) refuse("'made' is no time");
  const auto time = chr::sys_days(date) + chr::hours(hour) + chr::minutes(minute) +
                    chr::seconds(second) + chr::milliseconds(ms);
  // Whatever else is odd about it shows when it is written again.
  if (time_text(time) != text) refuse("'made' is no time");
  return time;
}

// ---- Reading -----------------------------------------------------------------------------------

/// An object, each member of which is asked for once.
class Members {
 public:
  Members(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
    if (!json.is_object()) refuse(where_ + " is no object");
  }

  /// "sheets[3].input".
  std::string name(const std::string& key) const {
    return where_.empty() ? key : where_ + "." + key;
  }

  bool has(const char* key) const { return json_.contains(key); }

  const Json& at(const char* key) {
    const auto found = json_.find(key);
    if (found == json_.end()) refuse(name(key) + " is missing");
    ++asked_;
    return *found;
  }

  const Json& list(const char* key) {
    const Json& value = at(key);
    if (!value.is_array()) refuse(name(key) + " is no list");
    return value;
  }

  std::string text(const char* key) {
    const Json& value = at(key);
    if (!value.is_string()) refuse(name(key) + " is no text");
    return value.get<std::string>();
  }

  uint64_t whole(const char* key, uint64_t most = kMost64) {
    const Json& value = at(key);
    if (!value.is_number_unsigned() || value.get<uint64_t>() > most) {
      refuse(fmt::format("{} is no whole number in 0 .. {}", name(key), most));
    }
    return value.get<uint64_t>();
  }
  uint32_t whole32(const char* key) { return static_cast<uint32_t>(whole(key, kMost32)); }

  double real(const char* key) {
    const Json& value = at(key);
    if (!value.is_number()) refuse(name(key) + " is no number");
    return value.get<double>();
  }

  bool flag(const char* key) {
    const Json& value = at(key);
    if (!value.is_boolean()) refuse(name(key) + " is neither true nor false");
    return value.get<bool>();
  }

  /// Call it when all is read.
  void end() const {
    if (asked_ == json_.size()) return;
    refuse((where_.empty() ? "it" : where_) + " has a member that this program does not know");
  }

 private:
  const Json& json_;
  std::string where_;
  size_t asked_ = 0;
};

template <typename Take>
void for_each(const Json& list, const std::string& name, const Take& take) {
  for (size_t i = 0; i < list.size(); ++i) take(list[i], fmt::format("{}[{}]", name, i));
}

ClusterEngineKind engine_kind(const std::string& name, const std::string& where) {
  using enum ClusterEngineKind;
  for (const ClusterEngineKind kind : {kSlurm, kLocal, kNone}) {
    if (name_of(kind) == name) return kind;
  }
  refuse(fmt::format("{} cannot be '{}'", where, name));
}

Engine engine_named(const std::string& name, const std::string& where) {
  for (const EngineInfo& info : engines()) {
    if (info.name == name) return info.engine;
  }
  refuse(fmt::format("{} cannot be '{}'", where, name));
}

TaskSettings parse_task(const Json& json) {
  Members in(json, "task");
  TaskSettings task;
  task.engine = engine_kind(in.text("engine"), in.name("engine"));
  task.threads = in.whole32("threads");
  task.memory_bytes = in.whole("memory_bytes");
  task.gpus = in.whole32("gpus");
  task.tries = in.whole32("tries");
  task.at_once = in.whole32("at_once");
  task.program = in.text("program");
  task.partition = in.text("partition");
  task.begin = in.text("begin");
  for_each(in.list("sbatch"), in.name("sbatch"), [&](const Json& option, const std::string& where) {
    if (!option.is_string()) refuse(where + " is no text");
    task.sbatch.push_back(option.get<std::string>());
  });
  in.end();
  return task;
}

PlannedJob parse_job(const Json& json, const std::string& where) {
  Members in(json, where);
  PlannedJob job;
  job.name = in.text("name");
  job.manifest = in.text("manifest");
  job.folder = in.text("folder");
  job.limits.memory_bytes = in.whole("memory_bytes");
  job.limits.device_memory_bytes = in.whole("device_memory_bytes");
  job.limits.threads = in.whole32("threads");
  in.end();
  return job;
}

std::vector<uint32_t> parse_pages(const Json& list, const std::string& name) {
  std::vector<uint32_t> pages;
  for_each(list, name, [&](const Json& page, const std::string& where) {
    if (!page.is_number_unsigned() || page.get<uint64_t>() - 1 >= kMost32) {
      refuse(where + " is no page");
    }
    pages.push_back(static_cast<uint32_t>(page.get<uint64_t>() - 1));
  });
  return pages;
}

HalftoneSettings parse_halftone(Members& in) {
  HalftoneSettings halftone;
  halftone.method = in.text("method");
  halftone.engine = engine_named(in.text("engine"), in.name("engine"));
  halftone.schedule = in.text("schedule");
  const Json& parameters = in.at("parameters");
  if (!parameters.is_object()) refuse(in.name("parameters") + " is no object");
  for (const auto& [name, value] : parameters.items()) {
    if (!value.is_number()) refuse(in.name("parameters") + "." + name + " is no number");
    halftone.parameters[name] = value.get<double>();
  }
  return halftone;
}

ToneSettings parse_tone(const Json& json, const std::string& name) {
  Members in(json, name);
  ToneSettings tone;
  tone.invert = in.flag("invert");
  tone.gamma = in.real("gamma");
  for_each(in.list("points"), in.name("points"), [&](const Json& point, const std::string& where) {
    if (!point.is_array() || point.size() != 2 || !point[0].is_number() || !point[1].is_number()) {
      refuse(where + " is no pair of numbers");
    }
    tone.points.push_back({point[0].get<double>(), point[1].get<double>()});
  });
  in.end();
  return tone;
}

manifests::OutputSettings parse_output(const Json& json, const std::string& name) {
  Members in(json, name);
  manifests::OutputSettings output;
  output.path = in.text("path");
  output.compression = in.text("compression");
  output.replace = in.flag("replace");
  in.end();
  return output;
}

PlannedPlate parse_plate(const Json& json, const std::string& where) {
  Members in(json, where);
  PlannedPlate plate{in.text("ink"), in.text("path")};
  in.end();
  return plate;
}

run::Failure parse_failure(const Json& json, const std::string& name) {
  Members in(json, name);
  const std::string kind = in.text("kind");
  const std::optional<ErrorKind> known = kind_named(kind);
  if (!known) refuse(fmt::format("{} cannot be '{}'", in.name("kind"), kind));
  run::Failure failure{*known, in.text("message")};
  in.end();
  return failure;
}

PlannedSheet parse_sheet(const Json& json, const std::string& where) {
  Members in(json, where);
  PlannedSheet sheet;
  sheet.job = in.whole32("job");
  sheet.page.input = in.text("input");
  sheet.page.stem = std::filesystem::path(sheet.page.input).stem().string();
  sheet.page.pages = parse_pages(in.list("pages"), in.name("pages"));
  if (in.has("sha256")) sheet.page.sha256 = in.text("sha256");
  sheet.pixels = in.whole("pixels");
  for_each(in.list("plates"), in.name("plates"), [&](const Json& plate, const std::string& place) {
    sheet.plates.push_back(parse_plate(plate, place));
  });
  sheet.page.settings.halftone = parse_halftone(in);
  sheet.page.settings.tone = parse_tone(in.at("tone"), in.name("tone"));
  sheet.page.settings.output = parse_output(in.at("output"), in.name("output"));
  if (in.has("failure")) sheet.failure = parse_failure(in.at("failure"), in.name("failure"));
  in.end();
  return sheet;
}

Unit parse_unit(const Json& json, const std::string& where) {
  Members in(json, where);
  const Unit unit{in.whole32("first"), in.whole32("count")};
  in.end();
  return unit;
}

Json parse_shallow(std::string_view text) {
  // A text of brackets alone would take a hundred times its size.
  constexpr int kDeepest = 8;
  const Json::parser_callback_t shallow = [](int depth, Json::parse_event_t, Json&) {
    if (depth > kDeepest) refuse("it is nested too deeply");
    return true;
  };
  try {
    return Json::parse(text, shallow);
  } catch (const Json::exception& error) {
    refuse(std::string("it is not whole, or damaged: ") + error.what());
  }
}

// ---- Writing -----------------------------------------------------------------------------------

Json json_of(const TaskSettings& task) {
  return {{"engine", name_of(task.engine)},
          {"threads", task.threads},
          {"memory_bytes", task.memory_bytes},
          {"gpus", task.gpus},
          {"tries", task.tries},
          {"at_once", task.at_once},
          {"program", task.program},
          {"partition", task.partition},
          {"begin", task.begin},
          {"sbatch", task.sbatch}};
}

Json json_of(const PlannedJob& job) {
  return {{"name", job.name},
          {"manifest", job.manifest},
          {"folder", job.folder},
          {"memory_bytes", job.limits.memory_bytes},
          {"device_memory_bytes", job.limits.device_memory_bytes},
          {"threads", job.limits.threads}};
}

Json json_of(const ToneSettings& tone) {
  Json points = Json::array();
  for (const CurvePoint& point : tone.points) {
    points.push_back(Json::array({point.in_percent, point.out_percent}));
  }
  return {{"invert", tone.invert}, {"gamma", tone.gamma}, {"points", std::move(points)}};
}

Json json_of(const manifests::OutputSettings& output) {
  return {{"path", output.path}, {"compression", output.compression}, {"replace", output.replace}};
}

Json json_of(const PlannedSheet& sheet) {
  const HalftoneSettings& halftone = sheet.page.settings.halftone;
  Json object = {{"job", sheet.job}, {"input", sheet.page.input}, {"pages", Json::array()}};
  for (const uint32_t page : sheet.page.pages) object["pages"].push_back(uint64_t{page} + 1);
  if (sheet.page.sha256) object["sha256"] = *sheet.page.sha256;
  object["pixels"] = sheet.pixels;
  object["plates"] = Json::array();
  for (const PlannedPlate& plate : sheet.plates) {
    object["plates"].push_back({{"ink", plate.ink}, {"path", plate.path}});
  }
  object["method"] = halftone.method;
  object["engine"] = to_string(halftone.engine);
  object["schedule"] = halftone.schedule;
  object["parameters"] = Json::object();
  for (const auto& [name, value] : halftone.parameters) object["parameters"][name] = value;
  object["tone"] = json_of(sheet.page.settings.tone);
  object["output"] = json_of(sheet.page.settings.output);
  if (const auto& failure = sheet.failure) {
    object["failure"] = {{"kind", name_of(failure->kind)}, {"message", failure->message}};
  }
  return object;
}

}  // namespace

std::string plan_text(const ClusterPlan& plan) {
  Json object = {{"v", kVersion1},
                 {"type", "plan"},
                 {"id", plan.id},
                 {"program", plan.program},
                 {"made", time_text(plan.made)},
                 {"pictures", plan.pictures},
                 {"task", json_of(plan.task)},
                 {"jobs", Json::array()},
                 {"sheets", Json::array()},
                 {"units", Json::array()}};
  for (const PlannedJob& job : plan.jobs) object["jobs"].push_back(json_of(job));
  for (const PlannedSheet& sheet : plan.sheets) object["sheets"].push_back(json_of(sheet));
  for (const Unit& unit : plan.units) {
    object["units"].push_back({{"first", unit.first}, {"count", unit.count}});
  }
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<ErrorKind> kind_named(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(ErrorKind::kBug); ++i) {
    if (name_of(static_cast<ErrorKind>(i)) == name) return static_cast<ErrorKind>(i);
  }
  return std::nullopt;
}

ClusterPlan parse_plan(std::string_view text) {
  const Json json = parse_shallow(text);
  Members in(json, "");
  if (in.text("type") != "plan") refuse("its type is not 'plan'");
  if (const uint64_t version = in.whole("v"); version != kVersion1) {
    refuse(fmt::format("it is of version {}, and this program reads version 1", version));
  }
  ClusterPlan plan;
  plan.id = in.text("id");
  plan.program = in.text("program");
  plan.made = parse_time(in.text("made"));
  plan.pictures = in.flag("pictures");
  plan.task = parse_task(in.at("task"));
  for_each(in.list("jobs"), "jobs", [&](const Json& job, const std::string& where) {
    plan.jobs.push_back(parse_job(job, where));
  });
  for_each(in.list("sheets"), "sheets", [&](const Json& sheet, const std::string& where) {
    plan.sheets.push_back(parse_sheet(sheet, where));
  });
  for_each(in.list("units"), "units", [&](const Json& unit, const std::string& where) {
    plan.units.push_back(parse_unit(unit, where));
  });
  in.end();
  return plan;
}

}  // namespace mezzo::cluster
