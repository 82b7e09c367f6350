// The main loop of a watcher; see watcher.h. Only the loop's thread is in here, but for what says
// otherwise.
#pragma once

#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/watch/folder/folder_events.h"
#include "pipeline/watch/service/control_server.h"
#include "pipeline/watch/service/wakeup.h"
#include "pipeline/watch/service/watcher.h"
#include "pipeline/watch/view/watch_requests.h"

namespace mezzo::watch {

inline constexpr size_t kFinishedShown = 200;

class Watcher::Loop {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Loop(WatcherOptions options);

  WatchEnd run();

  // For any thread.
  void ask_to_stop();
  WatchView view_for_others();
  std::string request_for_others(const std::string& json);

 private:
  struct Request {
    std::string json;
    std::string reply;
    bool answered = false;
  };

  void turn(Clock::time_point now);
  void open_store();
  void add_folder(const std::string& path);
  void look_at_folders(Clock::time_point now);
  void take_orphaned(Clock::time_point now);
  void clean_up(Clock::time_point now);
  void advance_jobs(Clock::time_point now);
  void drop_finished_jobs();
  void enter_refused(WatchedFolder& folder);
  void show_ended(const JobView& job);
  void dispatch(Clock::time_point now);
  bool start_rested(Clock::time_point now);
  bool claim_one(Clock::time_point now);
  const WaitingJob* next_of(WatchedFolder& folder);
  bool has_room(const WatchedFolder& folder) const;
  bool is_active(const WatchedFolder& folder, const std::string& name) const;
  void count_running();
  bool nothing_left();

  void read_signals(Clock::time_point now);
  void begin_stop(Clock::time_point now);
  void answer_others(Clock::time_point now);
  void tell_manager(Clock::time_point now);
  void sleep(Clock::time_point turn);

  WatchView view(Clock::time_point now);
  WatchVerbs verbs();
  std::string answer(const std::string& json);
  std::string pause(const std::string& folder, bool paused);
  void keep_pause(const WatchedFolder& folder);
  std::string retry(const std::string& job);
  std::string cancel(const std::string& job);

  WatcherOptions options_;
  std::shared_ptr<Wakeup> wakeup_ = std::make_shared<Wakeup>();
  std::unique_ptr<JobStore> store_;
  std::optional<ControlServer> control_;
  FolderEvents events_;
  GpuTrust gpus_;
  JobSurroundings around_;
  std::list<WatchedFolder> folders_;  // of fixed addresses, as jobs point to them
  std::list<ActiveJob> jobs_;
  std::deque<JobView> finished_;  ///< newest first
  WallTime started_ = std::chrono::system_clock::now();
  uint64_t jobs_done_ = 0;
  uint64_t jobs_failed_ = 0;
  uint64_t served_ = 0;
  bool ready_ = false;
  bool stopping_ = false;
  int second_signal_ = 0;
  std::optional<std::chrono::milliseconds> watchdog_;
  Clock::time_point orphans_due_{};
  Clock::time_point clean_up_due_{};
  Clock::time_point watchdog_due_{};
  std::string status_;  ///< that the manager was last told

  // Shared with other threads.
  std::mutex mutex_;
  std::condition_variable answered_;
  bool running_ = false;
  bool stop_asked_ = false;
  uint64_t views_asked_ = 0;
  uint64_t views_given_ = 0;
  WatchView last_view_;
  std::deque<std::shared_ptr<Request>> requests_;
};

}  // namespace mezzo::watch
