// A sheet's result as members of a JSON object, the same in report.json, in the lines of --json and
// in records of a cluster's attempts:
//
//   input, pages (from 1), pixels, input_bytes, begin_seconds, seconds, stage_seconds {name: s},
//   verified (recomputed), verified_by (the level), already_done, notes, timeline [[stage, begin, end, busy]],
//   plates [{ink, path, compression, file_bytes, content_sum, coverage_percent}]
//           of packed levels also drops_px, pixels of each level, and volume_ml of all drops;
//           ink_cm2 and ink_ml, an estimate, where the plate says its resolution
//   side_files [{kind ("proof", "ppf"), path, page, file_bytes, width_px, height_px, dpi, colours,
//           zones_path, error (empty: it is there), already_done}], warnings, where there are any
//
// Times are rounded to the microsecond. The failure is not among them, as each user writes it in
// its own form.
#pragma once

#include "manifests/json/value.h"
#include "pipeline/run/result.h"

namespace mezzo::json {
class Members;
class Slot;
}  // namespace mezzo::json

namespace mezzo::run {

void describe(json::Members& members, SheetResult& result);

/// The digest of a plate's rows: content_sum, of 32 hexadecimal digits. Those that version 0.1 wrote
/// have content_xxh3 instead, of 16.
void describe_content(json::Members& members, std::string& sum);

/// A list of pages, which count from 0 here and from 1 there.
struct PageNumbers {
  std::vector<uint32_t>& pages;
};
void transfer(json::Slot& slot, PageNumbers numbers);
json::Value page_numbers(const std::vector<uint32_t>& pages);

/// {name: seconds}, all stages.
json::Value stage_seconds(const StageSeconds& stages);

/// To the microsecond.
double rounded(double seconds);

}  // namespace mezzo::run
