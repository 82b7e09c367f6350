// What a worker tells of its job: JSON lines on its standard output, and how it ended. Nothing in
// it is trusted: the worker has read files that anybody may have made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/process/worker_process.h"
#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

/// What a run of a worker means for its job.
enum class RunOutcome {
  kGood,
  kBad,       ///< the input is wrong: it would end like this every time
  kTryAgain,  ///< it died, or the machine was short of something
};

struct Verdict {
  RunOutcome outcome = RunOutcome::kTryAgain;
  std::string reason;  ///< one line for people; empty when good
  std::string advice;  ///< what may help, likewise; empty when the worker has none
};

/// A sheet that ended in this run.
struct SheetNews {
  bool ok = false;
  double seconds = 0;
  uint64_t pixels = 0;
  uint64_t input_bytes = 0;  ///< 0 where the worker does not say
  std::string engine;        ///< likewise empty
};

class WorkerReport {
 public:
  enum class Line { kNotOurs, kNews, kSheet };

  /// Takes one line in. kNews: the job has come along. kSheet: last_sheet() is new.
  Line add(std::string_view line);

  const SheetNews& last_sheet() const { return last_sheet_; }
  /// Of all sheets that have begun; grows as they do.
  uint64_t pixels() const { return pixels_; }
  uint64_t pixels_done() const { return pixels_done_; }
  const std::vector<PlateView>& plates() const { return plates_; }  ///< the first 1,000
  size_t plate_count() const { return plate_count_; }

  /// Why the worker waits; empty when it does not.
  const std::string& paused() const { return paused_; }

  /// Whether the first three failures, which judge() gives as the reason, say what the message
  /// does.
  bool tells(std::string_view message) const;

  /// What it all means. `messages` are the last lines of standard error.
  Verdict judge(const process::WorkerEnd& end, const std::deque<std::string>& messages) const;

 private:
  void add_failure(std::string kind, std::string message, const std::string& hint);
  std::string failures_text() const;
  std::string reason_for(const process::WorkerEnd& end,
                         const std::deque<std::string>& messages) const;

  uint64_t pixels_ = 0;
  uint64_t pixels_done_ = 0;
  uint64_t sheets_done_pixels_ = 0;
  std::vector<PlateView> plates_;
  size_t plate_count_ = 0;
  SheetNews last_sheet_;
  std::string paused_;
  std::vector<std::string> failures_;  ///< the first three
  std::string advice_;                 ///< for the first that comes with some
  size_t failure_count_ = 0;
  bool has_diagnostics_ = false;
  bool may_pass_ = false;  ///< one of the failures is of a kind that another try may get over
  bool ended_ = false;     ///< the last line has come
  bool ok_ = false;
};

}  // namespace mezzo::watch
