// The watcher's events, for metrics. Called by any of its threads.
#pragma once

#include <cstdint>
#include <string>

#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

/// A sheet that ended.
struct SheetEvent {
  bool ok = false;
  double seconds = 0;
  uint64_t pixels = 0;
  uint64_t input_bytes = 0;  ///< 0 where the worker does not say
  uint64_t plate_bytes = 0;  ///< likewise
  std::string engine{};      ///< empty likewise
};

class WatchListener {
 public:
  virtual ~WatchListener() = default;
  virtual void sheet_ended(const SheetEvent&) {}
  virtual void job_ended(const JobView&) {}
  virtual void worker_restarted() {}
};

}  // namespace mezzo::watch
