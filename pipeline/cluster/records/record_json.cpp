#include "pipeline/cluster/records/record_json.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "kernels/base/error.h"
#include "pipeline/cluster/plan/plan_json.h"
#include "pipeline/plan/failure_json.h"
#include "pipeline/run/result_json.h"
#include "stages/files/input_file.h"

namespace mezzo::cluster {
namespace {

constexpr int kVersion = 1;
constexpr uint64_t kMaxBytes = uint64_t{256} << 20;  // a unit of thousands of sheets has a few MiB

struct MarkText {
  files::FileMark& mark;
};

struct TimeOfLine {
  WallTime time;
};

void transfer(json::Slot& slot, MarkText value) {
  if (!slot.reads()) return slot.put(to_string(value.mark));
  std::string text;
  transfer(slot, text);
  if (const auto mark = files::parse_file_mark(text)) {
    value.mark = *mark;
  } else {
    slot.fail("is not a mark of a file");
  }
}

void describe(json::Members& members, TimeOfLine& line) {
  members("time", Milliseconds{line.time});
}

}  // namespace

std::string records_folder(const ClusterPlan& plan) {
  return plan.path + "/records";
}

void describe(json::Members& members, Attempt& attempt) {
  members("plan", attempt.plan);
  members("unit", attempt.unit);
  members("node", attempt.node);
  members.maybe("writer", attempt.writer);
  members("slurm_job", attempt.slurm_job);
  members("gpus", attempt.gpus);
}

void describe(json::Members& members, BegunLine& line) {
  members("sheet", line.sheet);
}

void describe(json::Members& members, SealedLine& line) {
  resume::JournalEntry& entry = line.plate.entry;
  members("sheet", line.sheet);
  members("plate", entry.plate);
  members("file_xxh3", line.plate.file_digest);
  members.put("file_bytes", entry.file.bytes);
  members("file", MarkText{entry.file});
  members("input", entry.input);
  members("input_file", MarkText{entry.input_file});
  members("input_digest", entry.input_digest);
  members("settings", entry.settings);
  members("ink", entry.ink);
  members("compression", entry.compression);
  run::describe_content(members, entry.content_sum);
  members("coverage_percent", entry.coverage_percent);
}

void describe(json::Members& members, SheetLine& line) {
  members("sheet", line.sheet);
  members("engine", line.end.engine);
  members("schedule", line.end.schedule);
  members("schedule_reason", line.end.schedule_reason);
  members("error", line.end.result.failure);
  members("result", line.end.result, json::Reading::kPartial);
  if (members.reads()) line.end.result.index = line.sheet;
}

void describe(json::Members& members, EndedLine& line) {
  members("status", line.status);
}

void describe(json::Members& members, KilledLine& line) {
  members("writer", line.writer);
}

std::string record_line(std::string_view type, const json::Value& members) {
  json::Value line = {
      {"v", kVersion}, {"type", type}, {"time", milliseconds_of(std::chrono::system_clock::now())}};
  for (const json::Member& member : *members.members()) line[member.key] = member.value;
  return json::to_text(line) + "\n";
}

std::optional<RecordLine> RecordLine::parse(std::string_view text) {
  RecordLine line;
  line.object_ = json::parse_or_null(text);
  const json::Value* version = line.object_.find("v");
  const json::Value* type = line.object_.find("type");
  if (version == nullptr || *version != kVersion || type == nullptr) return std::nullopt;
  if (type->text() == nullptr) return std::nullopt;
  line.type_ = *type->text();
  return line;
}

WallTime RecordLine::time() const {
  return as<TimeOfLine>().time;
}

std::optional<std::vector<RecordLine>> read_record_lines(const std::string& path) {
  std::string text;
  try {
    text = files::read_text(path, kMaxBytes, files::FileSystem::real());
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kIo) throw;
    return std::nullopt;  // removed meanwhile, a folder, a pipe, far too large
  }
  std::vector<RecordLine> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;  // cut off
    auto line = RecordLine::parse(std::string_view(text).substr(begin, end - begin));
    if (line) lines.push_back(std::move(*line));
    begin = end + 1;
  }
  return lines;
}

}  // namespace mezzo::cluster
