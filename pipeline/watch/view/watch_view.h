// The view of a watcher and the requests to it, as values: the status page, the metrics and the
// command line all go through these.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/steady_time.h"
#include "pipeline/wall_time.h"

namespace mezzo::watch {

enum class JobState { kWaiting, kRunning, kRetrying, kDone, kFailed, kCancelled };

struct PlateView {
  std::string ink;
  std::string path;
  double coverage_percent = 0;
};

struct JobView {
  std::string id{};  ///< empty while it waits in its folder
  std::string folder{};
  std::string name{};
  JobState state = JobState::kWaiting;
  uint32_t tries = 0;
  std::string message{};  ///< why it failed, waits or pauses; one line for people
  WallTime since{};       ///< of its state
  double seconds = 0;     ///< running so far, or in all
  uint64_t pixels = 0;    ///< 0 while not known
  uint64_t pixels_done = 0;
  std::vector<PlateView> plates{};
  std::string report{};              ///< path of its report.html; empty when there is none
  uint64_t bytes = 0;                ///< of its files; 0 while not known
  size_t sheets = 0;                 ///< that have begun
  std::string advice{};              ///< on a failure: the next step; may be empty
  std::vector<std::string> files{};  ///< paths of its files, of a job that has ended
  bool can_retry = true;             ///< of a failed job: another try may end in another way
};

struct FolderView {
  std::string path{};
  bool paused = false;
  bool up = false;        ///< it is watched, though it may have other troubles
  bool silent = false;    ///< its disk does not answer
  std::string trouble{};  ///< why it is not watched, or its other troubles; empty: none
  size_t arriving = 0;
  size_t waiting = 0;
  size_t running = 0;
  WallTime oldest{};     ///< since when the first of its jobs waits; the epoch: none does
  size_t stuck = 0;      ///< sets, tickets and pages that wait for files
  size_t not_taken = 0;  ///< files and folders that are no job, and stay where they are
};

/// Files in a hot folder that are no job: they wait for others, or are left where they are.
struct StuckView {
  std::string folder{};
  std::string name{};
  std::string message{};               ///< what they wait for, or why they are left; one line
  std::vector<std::string> missing{};  ///< inks or files
  WallTime since{};
  WallTime until{};  ///< when they are given up as incomplete; the epoch: they stay
};

/// A disk that hot folders or their plates are on.
struct DiskView {
  std::string path{};  ///< where it is mounted
  uint64_t free_bytes = 0;
  uint64_t total_bytes = 0;
  uint64_t missing_bytes = 0;  ///< for what waits for space; 0: there is enough
  std::string folder{};        ///< in which space is missing
};

struct WatchView {
  WallTime started;
  bool ready = false;  ///< every folder was looked at once
  bool stopping = false;
  std::vector<FolderView> folders{};
  std::vector<JobView> running{};   ///< and those that will be tried again
  std::vector<JobView> waiting{};   ///< the first 200; those that wait for space have an ID
  std::vector<JobView> finished{};  ///< the last 200, and those that failed; newest first
  uint64_t jobs_done = 0;           ///< since the start
  uint64_t jobs_failed = 0;         ///< in `finished`: until they are dismissed or tried again
  std::vector<StuckView> stuck{};   ///< the first 200, as are those not taken
  std::vector<StuckView> not_taken{};
  std::vector<DiskView> disks{};
  uint64_t sheets_an_hour = 0;  ///< in the last hour
  double seconds_left = 0;      ///< until the queue is empty, by the pace of now; 0: not known
};

/// A sheet that ended.
struct SheetEvent {
  bool ok = false;
  double seconds = 0;
  uint64_t pixels = 0;
  uint64_t input_bytes = 0;  ///< 0: not known
  uint64_t plate_bytes = 0;  ///< 0: not known
  std::string engine{};      ///< empty: not known
};

/// Takes the events of a watcher, for metrics. Called by any of its threads.
class WatchListener {
 public:
  virtual ~WatchListener() = default;
  virtual void sheet_ended(const SheetEvent&) {}
  virtual void job_ended(const JobView&) {}
  virtual void worker_restarted() {}
};

/// The watcher, for servers of requests on threads of their own. Safe for any thread.
class WatchControl {
 public:
  virtual ~WatchControl() = default;

  virtual WatchView view() = 0;

  /// When the main loop last ran, which it does at least every 30 s even when idle; the clock's
  /// epoch when not kept. Does not wait for it.
  virtual SteadyTime turned() const = 0;

  /// One request and its reply, as JSON text: {"verb": "list" | "pause" | "resume" | "retry" |
  /// "again" | "dismiss" | "cancel" | "page", "folder": PATH, "job": ID}. The reply has "ok", and
  /// "message" when that is false; that of "page" has "url".
  virtual std::string request(const std::string& json) = 0;
};

}  // namespace mezzo::watch
