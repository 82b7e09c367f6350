// The progress and outcome of a job as its worker reports them: JSON lines on its standard output,
// and its exit status. None of it is trusted, as the worker has read untrusted files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/process/worker_process.h"
#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

enum class RunOutcome {
  kGood,
  kBad,         ///< the input is wrong: every try would fail
  kTryAgain,    ///< it died, or lacked space, memory or a GPU
  kNeverBegan,  ///< its program could not be run for want of descriptors or memory
};

/// The outcome of a worker's run for its job.
struct Outcome {
  RunOutcome kind = RunOutcome::kTryAgain;
  std::string reason;  ///< one line for people; empty when good
  std::string advice;  ///< one line on a failure; empty when the worker gives none
};

class WorkerReport {
 public:
  /// `has_manifest`: somebody wrote one for the job, and can correct it.
  explicit WorkerReport(bool has_manifest = true) : has_manifest_(has_manifest) {}

  enum class Line { kNotOurs, kProgress, kSheet };

  /// Takes one line in. kProgress: the job has advanced. kSheet: last_sheet() is new.
  Line add(std::string_view line);

  const SheetEvent& last_sheet() const { return last_sheet_; }
  /// Of all sheets that have begun; grows as they do.
  uint64_t pixels() const { return pixels_; }
  uint64_t pixels_done() const { return pixels_done_; }
  static constexpr size_t kPlatesKept = 1000;
  const std::vector<PlateView>& plates() const { return plates_; }  ///< the first kPlatesKept
  size_t plate_count() const { return plate_count_; }

  /// The wait of the worker for space; nothing when it does not wait.
  struct Pause {
    std::string reason;         ///< never empty
    std::string folder;         ///< whose disk lacks space; empty when not known
    uint64_t wanted_bytes = 0;  ///< that are to be free there
  };
  const std::optional<Pause>& paused() const { return paused_; }

  size_t sheets_begun() const { return sheets_begun_; }

  /// Whether the message is among the first three failures, which are the reason that outcome()
  /// gives.
  bool reports(std::string_view message) const;

  /// After the worker's end. `messages` are the last lines of its standard error.
  Outcome outcome(const process::WorkerEnd& end, const std::deque<std::string>& messages) const;

 private:
  void add_diagnostic(const std::string& place, const std::string& text);
  void add_failure(const std::string& kind, std::string message, const std::string& hint);
  void add_plate(PlateView plate);
  std::string failures_text() const;
  std::string reason_for(const process::WorkerEnd& end,
                         const std::deque<std::string>& messages) const;

  bool has_manifest_;
  uint64_t pixels_ = 0;
  uint64_t pixels_done_ = 0;
  uint64_t sheets_done_pixels_ = 0;
  std::vector<PlateView> plates_;
  size_t plate_count_ = 0;
  SheetEvent last_sheet_;
  std::optional<Pause> paused_;
  size_t sheets_begun_ = 0;
  std::vector<std::string> failures_;  ///< the first three
  std::string advice_;                 ///< of the first failure that has advice
  size_t failure_count_ = 0;
  bool has_diagnostics_ = false;
  bool may_pass_ = false;  ///< one of the failures is of a kind that may pass
  bool ended_ = false;     ///< the last line has come
  bool ok_ = false;
};

}  // namespace mezzo::watch
