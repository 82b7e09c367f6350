// Decides what a job does next when the run of its worker has ended.
#pragma once

#include "pipeline/watch/job/worker_report.h"
#include "pipeline/watch/job/worker_run.h"

namespace mezzo::watch {

/// How a run ended, and the state of its job at that time.
struct EndedRun {
  RunOutcome outcome = RunOutcome::kTryAgain;
  WorkerRun::Stop stop = WorkerRun::Stop::kNone;
  bool files_changed = false;  ///< since the run began, or somebody is still writing them
  bool is_away = false;        ///< the job's folder is gone or not mounted
  bool has_tries = true;       ///< the settings allow another try
  bool suspends = false;       ///< the job is to be left to a later watcher
};

/// Those before kLeave end the job.
enum class NextStep {
  kDone,
  kCancelled,
  kFailed,
  kGiveUp,        ///< it failed too often
  kLeave,         ///< in .work, for a later watcher
  kAwaitFiles,    ///< until they hold still
  kAwaitFolder,   ///< until it is back
  kAwaitProcess,  ///< until one can be started
  kTryAgain,      ///< after a pause
};

struct Decision {
  NextStep step;
  bool forgets_try = false;  ///< the run does not count as a try: its end was not the job's fault
};

/// Returns the step of the first rule in next_step.cpp that applies; kLeave in place of a step that does
/// not end the job when `run.suspends`.
Decision decide(const EndedRun& run);

}  // namespace mezzo::watch
