#include "pipeline/watch/job/next_step.h"

#include <algorithm>

namespace mezzo::watch {
namespace {

using Stop = WorkerRun::Stop;

struct Rule {
  bool (*applies)(const EndedRun& run);
  Decision decision;
};

/// The first one that applies counts.
constexpr Rule kRules[] = {
    // A result of files that are gone by now, or never were, is none.
    {[](const EndedRun& run) {
       return run.files_changed && (run.outcome == RunOutcome::kGood || run.stop != Stop::kCancel);
     },
     {NextStep::kAwaitFiles, true}},
    {[](const EndedRun& run) { return run.outcome == RunOutcome::kGood; }, {NextStep::kDone}},
    {[](const EndedRun& run) { return run.stop == Stop::kCancel; }, {NextStep::kCancelled}},
    // The failure need not be the job's; its tries are counted in the folder, which is away.
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
  // Asked for before the run ended, perhaps while its worker was being killed.
  if (run.suspends && !is_over) next.step = NextStep::kLeave;
  return next;
}

}  // namespace mezzo::watch
