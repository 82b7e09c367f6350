// The status page's answers to requests, apart from the network.
//
//   GET  /               the page            /page.css /page.js /parts.js /icon.svg
//   GET  /view.json      the view (view_json.h)
//   POST /request        to WatchControl::request(), as JSON; guarded (request_guard.h), and with
//                        the token (page_token.h) in X-Mezzotint-Token
//   GET  /reports/ID     report.html of a finished job
//   GET  /thumbnails/ID  thumbnail.jpg beside it
//   GET  /metrics        watch_metrics.h
//   GET  /healthz        200 while the watcher's loop goes round, else 503
//   GET  /readyz         200 when every folder was looked at and the watcher is not stopping
//
// A GET changes nothing. A HEAD is a GET without its body.
#pragma once

#include <chrono>
#include <memory>
#include <semaphore>
#include <string>
#include <vector>

#include "pipeline/watch/machine/clock.h"
#include "pipeline/watch/status/request_guard.h"
#include "pipeline/watch/status/watch_metrics.h"
#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

struct StatusReply {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string policy = "default-src 'none'; frame-ancestors 'none'";  ///< Content-Security-Policy
  std::string body{};
  std::string allow{};           ///< of a 405
  std::shared_ptr<void> hold{};  ///< keep it until the body is sent
};

/// Answers requests, from any number of threads. `control`, `metrics` and `clock` must outlive it.
class StatusRoutes {
 public:
  static constexpr size_t kLargestBody = 4096;  ///< bytes of a POST

  /// `names`: of this machine, beside localhost and addresses in numbers. `patience`: how long a request
  /// waits for others that use the same view, report or picture.
  StatusRoutes(WatchControl& control,
               const WatchMetrics& metrics,
               std::vector<std::string> names,
               std::string token,
               const Clock& clock = Clock::system(),
               std::chrono::milliseconds patience = std::chrono::seconds(2));

  StatusReply answer(const StatusRequest& request);

 private:
  struct Seen;
  using View = std::shared_ptr<Seen>;

  /// A std::timed_mutex, in the form that ThreadSanitizer understands.
  class TimedMutex {
   public:
    bool try_lock_for(std::chrono::milliseconds patience) {
      return turn_.try_acquire_for(patience);
    }
    void unlock() { turn_.release(); }

   private:
    std::binary_semaphore turn_{1};
  };

  StatusReply get(const StatusRequest& request);
  StatusReply post(const StatusRequest& request);
  StatusReply report(const JobView& job);
  StatusReply thumbnail(const JobView& job);
  View view();

  const Clock& clock_;
  const std::chrono::milliseconds patience_;
  WatchControl& control_;
  const WatchMetrics& metrics_;
  const std::vector<std::string> names_;
  const std::string token_;

  // One thread at a time calls the watcher, and others wait a while for it: if the watcher hangs,
  // at most one thread waits for it without end.
  TimedMutex view_mutex_;
  View view_;
  SteadyTime view_time_;
  TimedMutex request_mutex_;

  std::counting_semaphore<> report_slots_{2};  ///< reports are large
  std::counting_semaphore<> picture_slots_{3};
};

}  // namespace mezzo::watch
