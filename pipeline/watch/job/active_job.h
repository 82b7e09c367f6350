// One job that this watcher holds, from its claim until its files are out of .work again.
//
//   digest -> resting <-> running -> finishing -> over
//
//   running <-> standing still
//   resting or running -> awaiting files -> resting
//
// It rests until a worker is free for its next try, runs as a separate process, and then its files are
// moved out of .work, with retries. If they changed meanwhile, it waits until they hold still, and starts
// over. A table in active_job.cpp says what it does in each state; its end is in job_end.cpp. advance() blocks
// no longer than a rename takes.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/watch/folder/hot_folder.h"
#include "pipeline/watch/folder/stillness.h"
#include "pipeline/watch/job/content_digest.h"
#include "pipeline/watch/job/job_context.h"
#include "pipeline/watch/job/worker_report.h"
#include "pipeline/watch/job/worker_run.h"

namespace mezzo::watch {

class ActiveJob {
 public:
  enum class Phase {
    kDigest,         ///< its content is compared with that of earlier jobs
    kResting,        ///< until its next try
    kAwaitingFiles,  ///< its files have changed: until they hold still, then kResting
    kRunning,
    kStandingStill,  ///< its worker is stopped (SIGSTOP) while other jobs have their turn
    kFinishing,      ///< its files are to be moved out of .work
    kOver,
  };

  /// `folder` and `context` must outlive it.
  ActiveJob(HotFolder& folder, ClaimedJob claim, const JobContext& context, const Moment& now);
  ActiveJob(const ActiveJob&) = delete;
  ActiveJob& operator=(const ActiveJob&) = delete;

  uint64_t number = 0;  ///< the watcher's, in the order of claims

  Phase phase() const { return phase_; }
  const std::string& id() const { return claim_.id; }
  const std::string& name() const { return claim_.name; }

  /// It has a worker, or is about to get one.
  bool is_working() const { return phase_ == Phase::kDigest || phase_ == Phase::kRunning; }
  /// go_on() when a worker's place is free.
  bool yields() const { return phase_ == Phase::kStandingStill; }
  bool can_yield() const {
    return phase_ == Phase::kRunning && run_->stop() == WorkerRun::Stop::kNone;
  }
  /// It rests, and its time has come: start() it when a worker is free.
  bool is_due(SteadyTime now) const { return phase_ == Phase::kResting && due_ <= now; }

  /// It rests because its last worker could not be started.
  bool lacks_process() const { return phase_ == Phase::kResting && lacks_process_; }

  /// Begins a try, unless the same content was printed already: then the job is over.
  void start(const Moment& now);

  pid_t worker() const { return run_ ? run_->pid() : 0; }
  void yield(const Moment& now);
  void go_on(const Moment& now);

  /// Reads the worker's output, and takes the steps that are due.
  void advance(const Moment& now);

  /// Cancels the job: sheets that are finished by then stay, the others are cancelled.
  void cancel(const Moment& now);

  /// Ends the try and leaves the job in .work, for a later watcher to continue.
  void suspend(const Moment& now);

  /// Its folder has not answered until now: the time does not count as its standstill.
  void excuse(SteadyTime now);

  /// Kills the worker, if it has one.
  void kill();

  /// Once over: how it ended; nothing when it was suspended.
  std::optional<JobView> ended() const;

  void add_polls(std::vector<pollfd>& polls) const;
  std::optional<SteadyTime> next_time() const;
  JobView view(SteadyTime now) const;

  /// The disk on which its worker waited for space at the last advance(); nothing when it did not.
  const std::optional<DiskView>& wanted_disk() const { return wanted_disk_; }

 private:
  /// The digest of the job's content, by which a second drop is known.
  struct Content {
    std::unique_ptr<DigestTask> task;
    StallWatch watch{SteadyTime()};  ///< of the task
    std::string digest;
    FileDigests files;    ///< those of its files
    bool is_due = false;  ///< the folder was away, or the files changed: it is to be taken
  };
  /// Its files as they were when it was begun. A result is one of these only when they are still the same at
  /// its end, and nobody has one of them open for writing.
  struct Files {
    std::optional<TreeStat> state;  ///< nothing: they could not be looked at
    std::vector<files::FileMark> marks;
    Stillness still;  ///< while they are awaited
  };
  struct State;
  const State& state() const;

  // What the states do.
  void await_digest(const Moment& now);
  void look_at_files(const Moment& now);
  void advance_run(const Moment& now);
  void finish(const Moment& now);
  void cancel_at_once(const Moment& now);
  void cancel_run(const Moment& now);
  void leave(const Moment& now);
  void suspend_run(const Moment& now);
  void finish_soon(const Moment& now) { due_ = now; }
  void stay(const Moment&) {}
  std::optional<SteadyTime> digest_stalls() const;
  std::optional<SteadyTime> run_is_due() const;
  std::optional<SteadyTime> is_due_then() const { return due_; }
  std::optional<SteadyTime> never() const { return std::nullopt; }

  std::string label() const { return folder_.path() + ": " + name(); }
  void begin_digest(const Moment& now);
  void take_digest(const Moment& now);
  std::string digest_text() const;
  bool end_if_printed(const Moment& now);
  void await_process(const std::string& why, const Moment& now);
  void await_folder(const Moment& now);
  void await_files(const Moment& now);
  void look_at_wanted_disk(SteadyTime now);
  std::optional<TreeStat> state_of_files(std::vector<files::FileMark>& marks) const;
  bool have_files_changed() const;
  bool are_files_written() const;
  void end_run(const process::WorkerEnd& end, const Moment& now);
  void take_next_step(WorkerRun::Stop stop, Outcome outcome, const Moment& now);
  void try_again(const std::string& why, const Moment& now);
  std::string trouble_of_disks() const;
  void count_try(bool begins);
  void rest(SteadyTime until, const Moment& now);
  void enter(Phase phase, JobState shown, const Moment& now);
  void end(JobState shown, const std::string& message, const Moment& now);
  bool move_files();
  std::string error_text() const;
  void set_problem(const std::string& problem);
  void log_end() const;
  const WorkerReport& report() const { return run_ ? run_->report() : report_; }

  HotFolder& folder_;
  ClaimedJob claim_;
  const JobContext& context_;
  Files files_;
  Phase phase_ = Phase::kDigest;
  JobState shown_ = JobState::kRunning;
  WallTime since_;  ///< when `shown_` last changed
  std::string message_;
  std::string note_;  ///< its message once it is done
  Content content_;
  SteadyTime due_{};            ///< of the next try, look at its files, or attempt to finish
  bool lacks_process_ = false;  ///< no process could be started for the last try
  bool forgets_last_ = false;   ///< the folder was away in the last try
  std::unique_ptr<WorkerRun> run_;
  WorkerReport report_;    ///< of the last run that ended
  std::string advice_;     ///< of the last run that ended
  double seconds_ = 0;     ///< of all runs that ended
  bool suspends_ = false;  ///< the job is to be suspended
  std::optional<DiskView> wanted_disk_;
  SteadyTime wanted_disk_due_{};  ///< when it is to be looked at again
  std::optional<StoredJob> end_;  ///< as the job is shown and entered once it has ended
  std::string problem_;           ///< why its files cannot be moved
  bool is_finished_ = false;
};

}  // namespace mezzo::watch
