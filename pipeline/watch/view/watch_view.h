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
  std::string report{};  ///< path of its report.html; empty when there is none
};

struct FolderView {
  std::string path{};
  bool paused = false;
  bool up = false;        ///< it is watched, though it may have other troubles
  std::string trouble{};  ///< why it is not watched, or its other troubles; empty: none
  size_t arriving = 0;
  size_t waiting = 0;
  size_t running = 0;
};

struct WatchView {
  WallTime started;
  bool ready = false;  ///< every folder was looked at once
  bool stopping = false;
  std::vector<FolderView> folders;
  std::vector<JobView> running;   ///< and those that will be tried again
  std::vector<JobView> waiting;   ///< the first 200
  std::vector<JobView> finished;  ///< the last 200, and those that failed; newest first
  uint64_t jobs_done = 0;         ///< since the start
  uint64_t jobs_failed = 0;       ///< in `finished`: until they are dismissed or tried again

  /// When the main loop last ran, which it does at least every 30 s even when idle; the clock's
  /// epoch when not kept.
  SteadyTime turned;
};

/// The watcher, for servers of requests on threads of their own. Safe for any thread.
class WatchControl {
 public:
  virtual ~WatchControl() = default;

  virtual WatchView view() = 0;

  /// One request and its reply, as JSON text: {"verb": "list" | "pause" | "resume" | "retry" |
  /// "again" | "dismiss" | "cancel" | "page", "folder": PATH, "job": ID}. The reply has "ok", and
  /// "message" when that is false; that of "page" has "url".
  virtual std::string request(const std::string& json) = 0;
};

}  // namespace mezzo::watch
