// What follows when the run of a job's worker has ended.
#pragma once

#include "pipeline/watch/job/worker_report.h"
#include "pipeline/watch/job/worker_run.h"

namespace mezzo::watch {

/// The end of a run, and the state of its job by then.
struct EndedRun {
  RunOutcome outcome = RunOutcome::kTryAgain;
  WorkerRun::Stop stop = WorkerRun::Stop::kNone;
  bool files_changed = false;  ///< since it began, or somebody still writes them
  bool is_away = false;        ///< its folder
  bool has_tries = true;       ///< the settings allow another one
  bool suspends = false;       ///< the job is to be left to a later watcher
};

enum class NextStep {
  kDone,
  kCancelled,
  kFailed,
  kGiveUp,        ///< it failed too often
  kLeave,         ///< in .work, for a later watcher
  kAwaitFiles,    ///< until they hold still
  kAwaitFolder,   ///< until it is back
  kAwaitProcess,  ///< until one can be had
  kTryAgain,      ///< after a pause
};

struct Decision {
  NextStep step;
  bool forgets_try = false;  ///< the run was none of the job's tries, as its end was not its fault
};

Decision decide(const EndedRun& run);

}  // namespace mezzo::watch
