// The watcher: keeps hot folders printing, unattended.
//
// It does all its work in turns. The caller gives the time of each; in a process that is watch_loop.h.
// It never opens a page; workers do, one process a job. It never uses the disk of a hot folder either:
// each folder has a lane for that (machine/lane.h), since a network share may hang for hours. The queue
// is the folders themselves: a job is claimed when a worker is free for it, so that several watchers
// share folders, and after any end of this process the next one finds all there is.
//
// Each step leaves out the folders that are busy in their lanes. The steps are in these sources:
//
//   watcher.cpp           the turns, and the end
//   watcher_folders.cpp   looks at the folders
//   watcher_jobs.cpp      which job gets a worker
//   watcher_ended.cpp     the files of ended jobs
//   watcher_requests.cpp  the requests of an operator
//   watcher_view.cpp      the view
#pragma once

#include <poll.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/process/stopped_groups.h"
#include "pipeline/watch/folder/folder_events.h"
#include "pipeline/watch/job/job_context.h"
#include "pipeline/watch/job/pace.h"
#include "pipeline/watch/service/folder_slot.h"

namespace mezzo::watch {

struct WatcherOptions {
  std::vector<std::string> folders;
  std::string state;            ///< folder of the history and of the journals; on a local disk
  uint32_t jobs = 2;            ///< workers at once
  bool once = false;            ///< end when all jobs that are there have ended
  bool needs_settings = false;  ///< a folder without a folder.yaml takes nothing
  /// Runs a job: the words before `--journal FILE --within FOLDER ... MANIFEST`.
  std::vector<std::string> worker_command;
  WatchListener* listener = nullptr;
  std::chrono::milliseconds grace = std::chrono::seconds(30);  ///< of workers that are to stop
  std::vector<std::chrono::milliseconds> pauses = {
      std::chrono::seconds(1), std::chrono::seconds(5), std::chrono::seconds(30)};
  /// Between two tries to move the files of a job that has ended.
  std::chrono::milliseconds finish_pause = std::chrono::seconds(10);
  Machine* machine = &Machine::real();
};

/// The end of a watcher.
struct WatchEnd {
  uint64_t failed = 0;        ///< jobs, since it began
  size_t troubled = 0;        ///< folders that could not be watched at the end
  size_t short_of_space = 0;  ///< folders where pages wait for space on the disk
  int second_signal = 0;      ///< that ended it at once; 0: it ended by itself
  /// The disk of a folder does not answer: the Watcher cannot be destroyed before it does. Its process
  /// can end.
  bool is_held_up = false;
};

/// All methods must be called by one thread. Workers are its children, and get SIGTERM if it ends.
class Watcher {
 public:
  /// After that a busy folder counts as one whose disk does not answer: its workers, which hang with
  /// it, leave their places to others.
  static constexpr std::chrono::seconds kSilent{5};

  /// Opens the history. `wake` asks for another turn and must be thread-safe. Throws Error
  /// (kCannotCreate, kIo, kUsage).
  Watcher(WatcherOptions options, std::function<void()> wake);

  /// Does all that is due.
  void turn(const Moment& now);

  /// When the next turn is due after the one at `now`, unless a descriptor of add_polls() is ready or `wake`
  /// is called before; nothing when none is due.
  std::optional<SteadyTime> next_time(const Moment& now) const;
  void add_polls(const Moment& now, std::vector<pollfd>& polls) const;

  /// Begins to end in good order: no new jobs, workers stop, their jobs stay in .work.
  void stop(const Moment& now);
  bool is_stopping() const { return is_stopping_; }

  /// No further turn is needed: it was stopped and no job runs any longer, or with `once` there are no
  /// jobs, and no files that may become one.
  bool is_over(const Moment& now) const;

  /// Ends the watcher; may be called after any turn. `kills`: kills the workers at once.
  WatchEnd end(const Moment& now, bool kills = false);

  /// Every folder was looked at once.
  bool is_ready() const { return is_ready_; }

  /// The settings of all folders are read again in the next turn.
  void read_settings_again() {
    for (FolderSlot& slot : slots_) slot.is_hinted = true;
  }

  /// One line for `systemctl status`.
  std::string status_text();

  WatchView view(const Moment& now) const;

  /// Carries out the request (watch_view.h), and returns its reply. No request ends the watcher.
  std::string answer(const std::string& json, const Moment& now);

  /// The address of the status page with its buttons, for the verb "page".
  void set_page(std::string url) { page_ = std::move(url); }

 private:
  /// A job that may have a worker: one that has begun, or a new one of its folder.
  struct Candidate {
    FolderSlot* slot;
    ActiveJob* held;  ///< null: a new one
  };

  bool is_idle(const Moment& now) const;

  // The folders.
  void add_folder(const std::string& path);
  void begin_turn(const Moment& now);
  void look(const Moment& now);
  void keep_arrived(const Moment& now);
  void look_for_late_changes(const Moment& now);
  void look_at_ended(FolderSlot& slot, SteadyTime now);
  void take_again(FolderSlot& slot, StoredJob job);
  void search_work(const Moment& now);
  void take_orphan(FolderSlot& slot, const Moment& now);
  void clean_up(const Moment& now);
  FolderSlot* slot_of(const std::string& path);

  // The jobs.
  void advance(const Moment& now);
  void remove_ended(FolderSlot& slot);
  void dispatch(const Moment& now);
  void share_out(const Moment& now);
  std::optional<Candidate> next_candidate(const Moment& now);
  bool make_way(const Candidate& next, const Moment& now);
  void begin(const Candidate& next, const Moment& now);
  void start(FolderSlot& slot, ActiveJob& held, const Moment& now);
  void claim(FolderSlot& slot, size_t index, const Moment& now);
  ActiveJob& add_job(FolderSlot& slot, ClaimedJob job, const Moment& now);
  void suspend_all(const Moment& now);
  void note_stopped();
  size_t working();
  size_t job_count() const;

  // The requests. Each returns why it was refused, for people; empty when it was done.
  std::string change(const std::string& verb, const std::string& name, const Moment& now);
  std::string pause(const std::string& folder, bool paused);
  std::string drop_again_on_request(const std::string& id, bool is_done);
  std::string cancel(const std::string& id, const Moment& now);

  const WatcherOptions options_;
  const std::function<void()> wake_;
  const Moment begun_ = options_.machine->clock().now();
  Pace pace_{options_.listener, options_.machine->clock()};
  JobHistory history_{options_.state, &pace_};
  GpuBackoff gpus_;
  const JobContext context_;
  process::StoppedGroups stopped_{context_.journals + "/stopped"};
  FolderEvents events_;
  std::string page_;  ///< address of the status page; empty when there is none
  bool is_ready_ = false;
  bool is_stopping_ = false;

  SteadyTime orphans_due_{};
  bool took_orphan_ = false;     ///< in the last turn
  bool search_goes_on_ = false;  ///< for orphans, in the next turn
  SteadyTime clean_up_due_{};
  SteadyTime keep_due_{};  ///< keep_arrived()
  bool told_of_clock_ = false;

  std::atomic<uint64_t> claims_{0};  ///< so far
  std::optional<SteadyTime> shared_out_;
  std::vector<uint64_t> unable_;  ///< jobs for which no process was to be had in this turn
  bool awaits_place_ = false;     ///< a job of another folder may make way before its end
  std::list<FolderSlot> slots_;   ///< last, as its lanes use the others
};

}  // namespace mezzo::watch
