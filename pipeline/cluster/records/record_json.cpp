#include "pipeline/cluster/records/record_json.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "kernels/base/error.h"
#include "pipeline/cluster/plan/plan_json.h"
#include "pipeline/report/result_json.h"
#include "stages/files/input_file.h"

namespace mezzo::cluster {
namespace {

constexpr int kVersion = 1;
constexpr uint64_t kMaxBytes = uint64_t{256} << 20;  // a unit of thousands of sheets has a few MiB

/// No sheet, unit or time in a record is negative or has a fraction.
uint64_t count_of(const RecordJson& line, const char* name) {
  return line.at(name).get_ref<const RecordJson::number_unsigned_t&>();
}

std::string text_of(const RecordJson& line, const char* name) {
  return line.at(name).get<std::string>();
}

files::FileMark mark_of_text(const RecordJson& line, const char* name) {
  const auto mark = files::parse_file_mark(text_of(line, name));
  if (!mark) throw RecordJson::out_of_range::create(406, "no mark of a file", nullptr);
  return *mark;
}

uint64_t milliseconds(WallTime time) {
  using std::chrono::milliseconds;
  const auto count = std::chrono::duration_cast<milliseconds>(time.time_since_epoch()).count();
  return static_cast<uint64_t>(std::max<int64_t>(count, 0));
}

}  // namespace

std::string records_folder(const ClusterPlan& plan) {
  return plan.path + "/records";
}

std::string record_line(std::string_view type, const RecordJson& members) {
  RecordJson line = {{"v", kVersion}, {"type", type}};
  line["time"] = milliseconds(std::chrono::system_clock::now());
  line.update(members);
  return line.dump(-1, ' ', false, RecordJson::error_handler_t::replace) + "\n";
}

RecordJson parse_record_line(std::string_view line) {
  RecordJson object = RecordJson::parse(line, nullptr, false);
  if (!object.is_object()) return nullptr;
  const auto version = object.find("v");
  const auto type = object.find("type");
  if (version == object.end() || *version != kVersion) return nullptr;
  if (type == object.end() || !type->is_string()) return nullptr;
  return object;
}

RecordJson attempt_members(const Attempt& attempt) {
  return {{"plan", attempt.plan},
          {"unit", attempt.unit},
          {"node", attempt.node},
          {"writer", attempt.writer},
          {"slurm_job", attempt.slurm_job},
          {"gpus", attempt.gpus}};
}

void parse_attempt(const RecordJson& line, Attempt& attempt) {
  attempt.plan = text_of(line, "plan");
  attempt.unit = number_of(line, "unit");
  attempt.node = text_of(line, "node");
  if (line.contains("writer")) attempt.writer = text_of(line, "writer");
  attempt.slurm_job = text_of(line, "slurm_job");
  attempt.gpus = text_of(line, "gpus");
  attempt.began = time_of(line);
}

RecordJson sealed_members(const SealedPlate& sealed, std::optional<uint32_t> sheet) {
  const resume::JournalEntry& entry = sealed.entry;
  RecordJson members;
  if (sheet) members["sheet"] = *sheet;
  members["plate"] = entry.plate;
  members["file_xxh3"] = sealed.file_digest;
  members["file_bytes"] = entry.file.bytes;
  members["file"] = to_string(entry.file);
  members["input"] = entry.input;
  members["input_file"] = to_string(entry.input_file);
  members["input_digest"] = entry.input_digest;
  members["settings"] = entry.settings;
  members["ink"] = entry.ink;
  members["compression"] = entry.compression;
  members["content_xxh3"] = entry.content_hash;
  members["coverage_percent"] = entry.coverage_percent;
  return members;
}

SealedPlate parse_sealed(const RecordJson& line) {
  SealedPlate sealed;
  sealed.entry = {.plate = text_of(line, "plate"),
                  .file = mark_of_text(line, "file"),
                  .input = text_of(line, "input"),
                  .input_file = mark_of_text(line, "input_file"),
                  .input_digest = text_of(line, "input_digest"),
                  .settings = text_of(line, "settings"),
                  .ink = text_of(line, "ink"),
                  .compression = text_of(line, "compression"),
                  .content_hash = text_of(line, "content_xxh3"),
                  .coverage_percent = line.at("coverage_percent").get<double>()};
  sealed.file_digest = text_of(line, "file_xxh3");
  return sealed;
}

RecordJson end_members(uint32_t sheet, const SheetEnd& end) {
  RecordJson members = {{"sheet", sheet},
                        {"engine", end.engine},
                        {"schedule", end.schedule},
                        {"schedule_reason", end.schedule_reason}};
  if (const auto& failure = end.result.failure) {
    members["error"] = {{"kind", name_of(failure->kind)}, {"message", failure->message}};
  }
  members["result"] = RecordJson::object();
  report::add_result(members["result"], end.result);
  return members;
}

SheetEnd parse_end(const RecordJson& line) {
  SheetEnd end;
  end.time = time_of(line);
  end.engine = text_of(line, "engine");
  end.schedule = text_of(line, "schedule");
  end.schedule_reason = text_of(line, "schedule_reason");
  end.result = report::parse_result(line.at("result"));
  end.result.index = number_of(line, "sheet");
  if (const auto error = line.find("error"); error != line.end()) {
    // A kind that a later version knows may pass, as an error of our own may.
    end.result.failure = {kind_named(text_of(*error, "kind")).value_or(ErrorKind::kBug),
                          text_of(*error, "message")};
  }
  return end;
}

WallTime time_of(const RecordJson& line) {
  constexpr uint64_t kMost = 9'000'000'000'000;  // year 2255: nanoseconds in 64 bits end in 2262
  const auto time = static_cast<int64_t>(std::min(count_of(line, "time"), kMost));
  return WallTime(std::chrono::milliseconds(time));
}

uint32_t number_of(const RecordJson& line, const char* name) {
  const uint64_t number = count_of(line, name);
  if (number > std::numeric_limits<uint32_t>::max()) {
    throw RecordJson::out_of_range::create(406, "a number is too large", nullptr);
  }
  return static_cast<uint32_t>(number);
}

std::optional<std::vector<RecordJson>> read_record_lines(const std::string& path) {
  std::string text;
  try {
    text = files::read_text(path, kMaxBytes, files::FileSystem::real());
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kIo) throw;
    return std::nullopt;  // removed meanwhile, a folder, a pipe, far too large
  }
  std::vector<RecordJson> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;  // cut off
    RecordJson line = parse_record_line(std::string_view(text).substr(begin, end - begin));
    if (!line.is_null()) lines.push_back(std::move(line));
    begin = end + 1;
  }
  return lines;
}

}  // namespace mezzo::cluster
