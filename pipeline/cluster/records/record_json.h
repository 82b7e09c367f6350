// Lines of records/*.ndjson. A record is records/UNIT-NODE-PID-RANDOM.ndjson, of one attempt;
// earlier.ndjson stands in place of those of earlier submissions. Each line is one object with
// "v": 1, "type" and "time" (ms since 1970, UTC) before its own members:
//
//   attempt  the first: plan (its id), unit, node, writer, slurm_job, gpus, program, threads,
//            memory_bytes
//   begun    sheet (index of ClusterPlan::sheets)
//   sealed   sheet, plate, file_xxh3 ("xxh3:..."), file_bytes, and what else a JournalEntry holds:
//            the plate is about to get its name. Synced before it does.
//   sheet    sheet, engine, schedule, schedule_reason, error {kind, message}, result
//            (result_json.h): how it ended
//   ended    status: the last line of an attempt that was not killed
//   killed   writer: of earlier.ndjson, for an attempt that has no end
//
// A line that is cut off or damaged counts as not written.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/cluster/plan/cluster_plan.h"
#include "pipeline/cluster/records/attempt.h"

namespace mezzo::cluster {

using RecordJson = nlohmann::ordered_json;

/// Where earlier.ndjson and the attempts' files are.
std::string records_folder(const ClusterPlan& plan);
inline constexpr std::string_view kRecordSuffix = ".ndjson";
inline constexpr std::string_view kEarlierName = "earlier.ndjson";

/// A line with its end: "v", "type" and "time" (now), then `members`.
std::string record_line(std::string_view type, const RecordJson& members);

/// The object of a line; null when it is damaged, or not of this version.
RecordJson parse_record_line(std::string_view line);

// The members of a line, beside "v", "type" and (but for an attempt) "time", and back. Parsing
// throws nlohmann::json::exception when one is missing or of another type.

RecordJson attempt_members(const Attempt& attempt);
void parse_attempt(const RecordJson& line, Attempt& attempt);

/// `sheet`: where it is known.
RecordJson sealed_members(const SealedPlate& sealed, std::optional<uint32_t> sheet);
SealedPlate parse_sealed(const RecordJson& line);

RecordJson end_members(uint32_t sheet, const SheetEnd& end);
SheetEnd parse_end(const RecordJson& line);

WallTime time_of(const RecordJson& line);
uint32_t number_of(const RecordJson& line, const char* name);

/// The lines of a file of the records folder that are whole, and good by parse_record_line().
/// Nothing: the file is gone, or is none that a record can be. Throws Error(kIo).
std::optional<std::vector<RecordJson>> read_record_lines(const std::string& path);

}  // namespace mezzo::cluster
