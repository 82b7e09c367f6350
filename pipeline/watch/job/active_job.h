// One job that this watcher holds, from its claim until its files are out of .work again.
//
//   digest -> resting <-> running -> finishing
//
// It rests until a worker is free for its next try, runs as a process of its own, and then its
// files are moved out of .work, with retries. Should they have changed meanwhile, it rests until
// they hold still, and is begun anew. advance() blocks no longer than a rename takes.
#pragma once

#include <poll.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/steady_time.h"
#include "pipeline/wall_time.h"
#include "pipeline/watch/folder/hot_folder.h"
#include "pipeline/watch/job/content_digest.h"
#include "pipeline/watch/job/job_context.h"
#include "pipeline/watch/job/job_end.h"
#include "pipeline/watch/job/job_files.h"
#include "pipeline/watch/job/worker_report.h"
#include "pipeline/watch/job/worker_run.h"

namespace mezzo::watch {

class ActiveJob {
 public:
  enum class Phase { kDigest, kResting, kRunning, kFinishing, kOver };

  /// `folder` and `context` must outlive it.
  ActiveJob(HotFolder& folder, ClaimedJob claim, const JobContext& context, const Moment& now);
  ~ActiveJob();
  ActiveJob(const ActiveJob&) = delete;
  ActiveJob& operator=(const ActiveJob&) = delete;

  Phase phase() const { return phase_; }
  HotFolder& folder() const { return folder_; }
  const std::string& id() const { return claim_.id; }
  const std::string& name() const { return claim_.name; }
  /// It has a worker, or is about to get one.
  bool is_working() const {
    return phase_ == Phase::kDigest || (phase_ == Phase::kRunning && !yields());
  }
  /// Its worker stands still, as other jobs have their turn: go_on() when a worker's place is free.
  bool yields() const { return phase_ == Phase::kRunning && run_->stands_still(); }
  bool can_yield() const {
    return phase_ == Phase::kRunning && !yields() && run_->stop() == WorkerRun::Stop::kNone;
  }
  /// It rests, and its time has come: start() it when a worker is free.
  bool is_due(SteadyTime now) const {
    return phase_ == Phase::kResting && !files_.are_awaited() && next_try_.due <= now;
  }

  /// It rests because its last worker could not be started.
  bool lacks_process() const { return phase_ == Phase::kResting && next_try_.lacks_process; }

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
  void excuse(const Moment& now);

  /// Kills the worker, if it has one.
  void kill();

  /// Once over: how it ended; nothing when it was suspended.
  std::optional<JobView> ended() const;

  void add_polls(std::vector<pollfd>& polls) const;
  std::optional<SteadyTime> next_time() const;
  JobView view(const Moment& now) const;

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
  struct NextTry {
    SteadyTime due{};  ///< or of the next look at its files, or attempt to finish
    bool lacks_process = false;
    bool forgets_last = false;  ///< the folder was away in the last try
  };

  std::vector<std::string> command() const;
  void keep_press() const;
  std::string digest_on_press(const std::string& digest) const;
  std::string report_folder() const;
  std::string label() const { return folder_.path() + ": " + name(); }
  void begin_digest(const Moment& now);
  void await_digest(const Moment& now);
  void take_digest(const Moment& now);
  std::string digest_text() const;
  bool end_if_printed(const Moment& now);
  void wait_for_process(const std::string& why, const Moment& now);
  void wait_for_folder(const Moment& now);
  void wait_for_files(const Moment& now);
  void look_at_wanted_disk(const Moment& now);
  void run_ended(const process::WorkerEnd& end, const Moment& now);
  void decide(WorkerRun::Stop stop, Outcome outcome, const Moment& now);
  std::string trouble_of_disks() const;
  void record_attempt();
  void forget_attempt();
  void rest(SteadyTime until, const Moment& now);
  void set_phase(Phase phase, JobState state, const Moment& now);
  void end(JobState state, const std::string& message, const Moment& now);
  void end(JobEnd::Result result, const Moment& now);
  const WorkerReport& report() const { return run_ ? run_->report() : report_; }

  HotFolder& folder_;
  ClaimedJob claim_;
  const JobContext& context_;
  JobFiles files_{folder_, claim_};
  Phase phase_ = Phase::kDigest;
  JobState state_ = JobState::kRunning;
  WallTime since_;  ///< of its state
  std::string message_;
  std::string note_;  ///< its message once it is done
  Content content_;
  NextTry next_try_;
  std::unique_ptr<WorkerRun> run_;
  WorkerReport report_;    ///< of the last run that ended
  std::string advice_;     ///< likewise
  double seconds_ = 0;     ///< of all runs that ended
  bool suspends_ = false;  ///< the job is to be suspended
  std::optional<DiskView> wanted_disk_;
  SteadyTime wanted_disk_due_{};  ///< when it is to be looked at again
  std::optional<JobEnd> end_;
};

}  // namespace mezzo::watch
