#include "pipeline/watch/job/next_step.h"

#include <algorithm>

namespace mezzo::watch {
namespace {

using Stop = WorkerRun::Stop;

struct Rule {
  bool (*applies)(const EndedRun& run);
  Decision decision;
};

/// The first rule that applies counts.
constexpr Rule kRules[] = {
    // The result is of files that no longer exist, or of a mixture that never did.
    {[](const EndedRun& run) {
       return run.files_changed && (run.outcome == RunOutcome::kGood || run.stop != Stop::kCancel);
     },
     {NextStep::kAwaitFiles, true}},
    {[](const EndedRun& run) { return run.outcome == RunOutcome::kGood; }, {NextStep::kDone}},
    {[](const EndedRun& run) { return run.stop == Stop::kCancel; }, {NextStep::kCancelled}},
    // The failure may not be the job's. Its tries are counted in the folder, so this one is forgotten when
    // the folder is back.
    {[](const EndedRun& run) { return run.is_away; }, {NextStep::kAwaitFolder}},
    {[](const EndedRun& run) {
       return run.outcome == RunOutcome::kNeverBegan && run.stop == Stop::kNone;
     },
     {NextStep::kAwaitProcess, true}},
    {[](const EndedRun& run) { return run.outcome == RunOutcome::kBad; }, {NextStep::kFailed}},
    // A watcher that is stopped often must not use up the tries of a long job.
    {[](const EndedRun& run) { return run.stop == Stop::kSuspend; }, {NextStep::kLeave, true}},
    {[](const EndedRun& run) { return !run.has_tries; }, {NextStep::kGiveUp}},
    {[](const EndedRun&) { return true; }, {NextStep::kTryAgain}},
};

}  // namespace

Decision decide(const EndedRun& run) {
  Decision next =
      std::ranges::find_if(kRules, [&](const Rule& rule) { return rule.applies(run); })->decision;
  const bool is_over = next.step < NextStep::kLeave;
  // The suspension was asked for before the run ended, perhaps while its worker was being killed.
  if (run.suspends && !is_over) next.step = NextStep::kLeave;
  return next;
}

}  // namespace mezzo::watch
