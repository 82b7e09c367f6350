// A sheet's result as members of a JSON object, the same in report.json, in the lines of --json and
// in records of a cluster's attempts.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "pipeline/run/result.h"

namespace mezzo::report {

/// Adds to `object`, beside "input" and "pages" (from 1), which it sets as well:
///   pixels, input_bytes, begin_seconds, seconds, stage_seconds {name: s}, verified, already_done,
///   notes, timeline [[stage, begin, end, busy]], plates [{ink, path, compression, file_bytes,
///   content_xxh3, coverage_percent}]
/// Times are rounded to the microsecond. A failure is not among them, as each user words it anew.
void add_result(nlohmann::ordered_json& object, const run::SheetResult& result);

/// What add_result() added. Members that are missing keep their default. Throws
/// nlohmann::json::exception when one is of another type.
run::SheetResult parse_result(const nlohmann::ordered_json& object);

}  // namespace mezzo::report
