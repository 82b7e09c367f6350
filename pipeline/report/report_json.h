// report.json: a job and its results, for programs.
//
// One object. "v" is 2 and grows when a member changes its meaning or goes; members may be added.
// With v 1 plates have content_xxh3, 16 hexadecimal digits, in place of content_sum.
//
//   v, type ("report"), program, job
//   finished      UTC; of a job with open sheets, when it was looked at
//   outcome       "good", "failed" (some sheet), "interrupted", "device-lost", "out-of-time",
//                 "not-started", "open" (some sheet is)
//   error         {kind, message, advice}, when the job did not start
//   seconds, threads, memory_bytes, pixels, plates, plate_bytes, good, failed, not_begun
//   open          sheets that are still to be made; only of a cluster's plan, where threads and
//                 memory_bytes are those of a task, and seconds run from the first sheet's begin
//                 to the last one's end
//   made          {finished, seconds, pixels}: the last run that made plates, where this one found
//                 all of them unchanged, and knows by the report that it replaces. The times of
//                 sheets that are already done are those of the run that made them, likewise
//   stages        names of the stages, in the order of their work; see pipeline/run/stage_times.h
//   stage_seconds {name: seconds of the threads that lead it}
//   ink_use       [{ink, cm2, ml, ml_is ("estimate")}] of all good sheets, where plates say their resolution;
//                 ink_use.csv beside it has the same as a table
//   sheets        in the order of the manifest, each with
//     name        of the input in the job's folder, where `input` has that folder too: in a hot
//                 folder, the name under which it was dropped
//     input, pages (from 1), outcome ("good", "failed", "not-begun", "open")
//     error       {kind, message, advice}; of an open sheet its last failure
//     warnings    texts, where there are any
//     node        of a cluster, that it was made on
//     width_px, height_px, x_dpi, y_dpi, format      of its first page
//     mirror      true of a mirrored plate
//     negative    true of a negative plate
//     press       {name, xxh3 of its file}, of a job that names one
//     levels      of ink, where the job has several: "0 7 14 21 pl, overlap 100, packed"
//     method, parameters {name: value}, tone, engine, schedule, schedule_reason, compression
//     pixels, input_bytes, begin_seconds (after the job's), seconds, stage_seconds,
//     verified (true: recomputed), verified_by ("bytes", "decode", "recompute"), already_done, notes
//     timeline    [stage, begin, end, busy]: index into `stages`, seconds after the sheet's begin,
//                 and seconds of work of all threads in that time
//     plates      {ink, path, compression, file_bytes, content_sum, coverage_percent}
//                 and of packed levels {drops_px [of each level], volume_ml}; ink_cm2 and ink_ml, an
//                 estimate, where the plate says its resolution
//     side_files  of a sheet with a proof or a PPF file; see pipeline/run/result_json.h
#pragma once

#include <string>

#include "pipeline/report/report_data.h"

namespace mezzo::json {
class Members;
}  // namespace mezzo::json

namespace mezzo::report {

inline constexpr uint64_t kReportVersion = 2;

void describe(json::Members& members, MadeBefore& made);

/// UTF-8; bytes of names that are not become U+FFFD.
std::string report_json(const ReportData& data);

}  // namespace mezzo::report
