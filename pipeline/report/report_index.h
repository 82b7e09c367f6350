// index.html over the reports of a run of several manifests: a row for each of them, with a link.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/wall_time.h"

namespace mezzo::report {

/// The job as a whole, from its report.json.
struct ReportSummary {
  std::string outcome;                           ///< as in report.json
  double seconds = 0;                            ///< of the last run that made plates
  uint64_t good = 0, failed = 0, not_begun = 0;  ///< sheets
  uint64_t plates = 0;
  uint64_t warnings = 0, notes = 0;
  uint64_t made_before = 0;  ///< good sheets whose plates an earlier run made
  std::string problem = {};  ///< why the job did not start, or why its first failed sheet did
};

/// Nothing when there is no report in `folder`, or one of a run that ended before `begin`, or one
/// that cannot be understood.
std::optional<ReportSummary> read_summary(const std::string& folder, WallTime begin);

/// A manifest of the run.
struct IndexEntry {
  enum class State { kWaiting, kRunning, kRefused, kEnded };

  std::string job;       ///< its name; empty for a manifest that was refused
  std::string manifest;  ///< path
  std::string folder;    ///< of its report, from that of the index
  State state = State::kWaiting;
  std::string problem = {};  ///< why it was refused, or ended before its report
  std::optional<ReportSummary> summary = {};
};

/// The page, which stands alone but for its links. `time`: when it is written.
std::string index_page(const std::vector<IndexEntry>& entries, WallTime time);

}  // namespace mezzo::report
