// The progress of a plan's sheets, judged by plates and records, never by the engine's queue.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/cluster/plan/cluster_plan.h"
#include "pipeline/cluster/records/attempt.h"
#include "pipeline/run/result.h"

namespace mezzo::cluster {

enum class SheetState {
  kDone,    ///< each plate is there, with the digest of a record of this submission
  kFailed,  ///< the page is wrong, as its plan or an attempt says, or had all its tries
  kOpen,    ///< to be made
};

struct SheetStatus {
  SheetState state = SheetState::kOpen;
  run::SheetResult result;  ///< of a sheet that is done, by the attempt whose plates are there
  std::string node;         ///< that made it, or on which it failed last
  std::string engine, schedule, schedule_reason;  ///< likewise; empty where no record says
  std::optional<WallTime> began;                  ///< likewise
  std::optional<run::Failure> failure;            ///< the last, also of a sheet that is open
  uint32_t tries = 0;    ///< attempts that began it, were not asked to stop, and did not make it
  bool may_run = false;  ///< failed, but its last try has no end yet and may still run
  std::vector<std::string> warnings;  ///< two attempts sealed different files for one plate, or a
                                      ///< plate cannot be read, and so counts as not there
};

/// How closely to check plates.
enum class VerifyMode {
  kDigest,  ///< read each
  kSize,    ///< compare the size with a record's: enough for a progress line
};

/// One a sheet of the plan, or of `unit`. An attempt without an end counts as a try unless its name
/// is `running` (this process's own).
std::vector<SheetStatus> evaluate_sheets(const ClusterPlan& plan,
                                         const std::vector<Attempt>& attempts,
                                         VerifyMode mode,
                                         std::optional<uint32_t> unit = {},
                                         const std::string& running = {});

/// Counts of sheets by standing.
struct Tally {
  size_t done = 0, failed = 0, open = 0;
  size_t settled() const { return done + failed; }
};
Tally tally(const std::vector<SheetStatus>& statuses);

/// "37 of 60 sheets made, 1 failed".
std::string progress_text(const Tally& tally);

/// Makes sheets that `may_run` open again, of units that are still queued or running.
void reopen(const ClusterPlan& plan,
            const std::function<bool(uint32_t unit)>& is_in_hand,
            std::vector<SheetStatus>& statuses);

/// Whether a failure of this kind would be the same on any node and at any time.
bool is_final(ErrorKind kind);

}  // namespace mezzo::cluster
