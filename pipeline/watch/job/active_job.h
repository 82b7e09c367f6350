// One job that this watcher holds, from its claim until its files are out of .work again.
//
//   digest -> resting <-> running -> finishing
//
// It rests until its time has come and a worker is free, runs as a process of its own, and is
// finished as often as it takes. advance() never blocks for longer than a rename takes.
#pragma once

#include <poll.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/process/worker_process.h"
#include "pipeline/watch/folder/watched_folder.h"
#include "pipeline/watch/job/content_digest.h"
#include "pipeline/watch/job/gpu_trust.h"
#include "pipeline/watch/job/job_store.h"
#include "pipeline/watch/job/worker_report.h"

namespace mezzo::watch {

/// What happens, for whoever counts it. Called by the thread of the main loop.
class WatchListener {
 public:
  virtual ~WatchListener() = default;
  virtual void sheet_ended(const SheetNews&) {}
  virtual void job_ended(JobState) {}  ///< kDone, kFailed, kCancelled
  virtual void worker_restarted() {}
};

/// What all jobs of a watcher share.
struct JobSurroundings {
  std::vector<std::string> worker_command;        ///< the words before those of the job
  std::string journals;                           ///< folder for the journals of workers
  std::chrono::milliseconds grace{0};             ///< between SIGTERM and SIGKILL
  std::vector<std::chrono::milliseconds> pauses;  ///< before the second try, the third, ...
  JobStore* store = nullptr;                      ///< may be null: no history
  WatchListener* listener = nullptr;
  GpuTrust* gpus = nullptr;    ///< may be null: they are trusted
  std::function<void()> wake;  ///< of the main loop, from any thread
};

class ActiveJob {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Phase { kDigest, kResting, kRunning, kFinishing, kOver };

  /// `folder` and `around` must outlive it.
  ActiveJob(WatchedFolder& folder, ClaimedJob claim, const JobSurroundings& around);
  ~ActiveJob();
  ActiveJob(const ActiveJob&) = delete;
  ActiveJob& operator=(const ActiveJob&) = delete;

  Phase phase() const { return phase_; }
  WatchedFolder& folder() const { return folder_; }
  const std::string& id() const { return claim_.id; }
  const std::string& name() const { return claim_.name; }
  /// It has a worker, or is about to get one.
  bool is_working() const { return phase_ == Phase::kDigest || phase_ == Phase::kRunning; }
  /// It rests, and its time has come: start() it when a worker is free.
  bool is_due(Clock::time_point now) const { return phase_ == Phase::kResting && due_ <= now; }

  /// It rests because the last start() got no process.
  bool lacks_process() const { return phase_ == Phase::kResting && lacks_process_; }

  /// Begins a try, unless the same content was printed already: then the job is over.
  void start(Clock::time_point now);

  /// Takes in what its worker has said and done, and what time has brought about.
  void advance(Clock::time_point now);

  /// Asks for the end: what is finished by then is done, what is not is cancelled.
  void cancel(Clock::time_point now);

  /// Asks for the end, to go on another day: the job stays in .work.
  void put_off(Clock::time_point now);

  /// Kills the worker, if it has one.
  void kill();

  /// Once over: how it ended; nothing when it was put off.
  const std::optional<JobView>& ended() const { return ended_; }

  void add_polls(std::vector<pollfd>& polls) const;
  std::optional<Clock::time_point> next_time() const;
  JobView view(Clock::time_point now) const;

 private:
  enum class Stop { kNone, kCancel, kPutOff, kStall };

  std::vector<std::string> command() const;
  std::string journal() const;
  std::string report_folder() const;
  void begin_digest();
  bool was_printed();
  void wait_for_folder(Clock::time_point now);
  void take_results(Clock::time_point now);
  void take_messages();
  void log_message(std::string_view line);
  void log_held_messages();
  std::string as_dropped(std::string text) const;
  void watch_over(Clock::time_point now);
  void worker_ended(const process::WorkerEnd& end, Clock::time_point now);
  void judge(Verdict verdict, Clock::time_point now);
  void forget_try();
  void conclude(JobState state, const std::string& message, Clock::time_point now);
  void finish(Clock::time_point now);
  void finish_later(const std::string& problem, Clock::time_point now);
  std::string error_text() const;
  void enter(const std::vector<MovedFile>& files);
  void log_end() const;
  void to(Phase phase, JobState state);
  void terminate(Stop why, Clock::time_point now);

  WatchedFolder& folder_;
  ClaimedJob claim_;
  const JobSurroundings& around_;
  Phase phase_ = Phase::kDigest;
  JobState state_ = JobState::kRunning;
  WallTime since_ = std::chrono::system_clock::now();
  std::string message_;
  std::string advice_;  ///< what may help when it failed
  std::unique_ptr<DigestTask> digest_task_;
  std::string digest_;
  std::unique_ptr<process::WorkerProcess> worker_;
  std::optional<process::WorkerEnd> worker_end_;
  WorkerReport report_;
  Stop stop_ = Stop::kNone;
  Clock::time_point due_{};       ///< of the next try, or of the next attempt to finish
  Clock::time_point begun_{};     ///< this try
  Clock::time_point heard_{};     ///< when the worker last told something
  Clock::time_point ended_at_{};  ///< when its process had ended
  std::optional<Clock::time_point> kill_at_;
  double seconds_ = 0;  ///< of all tries that ended
  size_t messages_ = 0;
  std::vector<std::string> held_;  ///< messages that results may have told, too
  size_t odd_lines_ = 0;
  bool putting_off_ = false;
  bool lacks_process_ = false;
  bool lacks_digest_ = false;       ///< its folder was away
  bool forgets_try_ = false;        ///< likewise, in the last try
  std::string problem_;             ///< why the files cannot leave .work
  std::optional<JobView> entered_;  ///< as an earlier watcher entered it, before it died
  std::optional<JobView> ended_;
};

}  // namespace mezzo::watch
