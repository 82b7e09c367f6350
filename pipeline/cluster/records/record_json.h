// Lines of records/*.ndjson. A record is records/UNIT-NODE-PID-RANDOM.ndjson, of one attempt;
// earlier.ndjson replaces those of earlier submissions. Each line is one object with "v": 1, "type"
// and "time" (ms since 1970, UTC) before its own members:
//
//   attempt  the first: plan (its id), unit, node, writer, slurm_job, gpus, program, threads,
//            memory_bytes
//   begun    sheet (index of ClusterPlan::sheets)
//   sealed   sheet, plate, file_xxh3 ("xxh3:..."), file_bytes, and the rest of a JournalEntry:
//            the plate is about to get its name. Synced before it does.
//   sheet    sheet, engine, schedule, schedule_reason, error {kind, message}, result
//            (result_json.h): how it ended
//   ended    status: the last line of an attempt that was not killed
//   killed   writer: of earlier.ndjson, for an attempt that has no end
//
// A line that is cut off or damaged counts as not written.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manifests/json/members.h"
#include "pipeline/cluster/plan/cluster_plan.h"
#include "pipeline/cluster/records/attempt.h"

namespace mezzo::cluster {

/// The folder of earlier.ndjson and the attempts' files.
std::string records_folder(const ClusterPlan& plan);
inline constexpr std::string_view kRecordSuffix = ".ndjson";
inline constexpr std::string_view kEarlierName = "earlier.ndjson";

struct BegunLine {
  uint32_t sheet = 0;
};
struct SealedLine {
  std::optional<uint32_t> sheet;
  SealedPlate plate;
};
struct SheetLine {
  uint32_t sheet = 0;
  SheetEnd end;  ///< its time is the line's
};
struct EndedLine {
  int status = 0;
};
struct KilledLine {
  std::string writer;
};

void describe(json::Members& members, Attempt& attempt);
void describe(json::Members& members, BegunLine& line);
void describe(json::Members& members, SealedLine& line);
void describe(json::Members& members, SheetLine& line);
void describe(json::Members& members, EndedLine& line);
void describe(json::Members& members, KilledLine& line);

/// A line with its end: "v", "type" and "time" (now), then `members`.
std::string record_line(std::string_view type, const json::Value& members);

template <json::Described T>
std::string record_line(std::string_view type, const T& line) {
  return record_line(type, json::to_value(line));
}

class RecordLine {
 public:
  /// Null for a text that is damaged, or not of this version.
  static std::optional<RecordLine> parse(std::string_view text);

  const std::string& type() const { return type_; }

  /// Throw Error(kData) when the member is missing or of another type.
  WallTime time() const;
  template <json::Described T>
  T as() const {
    return json::from_value<T>(object_, json::Reading::kOpen);
  }

 private:
  json::Value object_;
  std::string type_;
};

/// All whole lines, in their order; nothing when the file is missing or not a record. Throws
/// Error(kIo).
std::optional<std::vector<RecordLine>> read_record_lines(const std::string& path);

}  // namespace mezzo::cluster
