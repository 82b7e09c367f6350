// Runs a planned job: several sheets at once inside the memory budget, each from file to published
// plates. A sheet that fails leaves no files behind, and the others go on.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "kernels/gpu/context.h"
#include "kernels/halftoner_traits.h"
#include "pipeline/plan/plan.h"
#include "pipeline/run/result.h"
#include "pipeline/run/sealed_sheet.h"
#include "pipeline/run/side_files.h"
#include "stages/preview.h"

namespace mezzo::run {

/// A sheet that waits for space on the disk of its plates.
struct Pause {
  std::string reason;         ///< for people
  std::string folder;         ///< that its plates go to
  uint64_t wanted_bytes = 0;  ///< that are to be free there: an upper bound for compressed plates
};

/// The events of a job. Called from several threads, and must be quick.
class JobObserver {
 public:
  virtual ~JobObserver() = default;
  virtual void sheet_started(const plan::SheetPlan& /*sheet*/) {}
  virtual void pixels_done(uint64_t /*pixels*/) {}  ///< halftoned since the last call
  virtual void round_done(const plan::SheetPlan& /*sheet*/,
                          const std::string& /*ink*/,
                          const RoundReport& /*report*/) {}  ///< of a method that has rounds
  virtual void sheet_finished(const plan::SheetPlan& /*sheet*/, const SheetResult& /*result*/) {}
  virtual void paused(const Pause& /*pause*/) {}
  virtual void continued() {}  ///< a sheet goes on; perhaps others still wait
};

/// Receives pictures of the pages of a job, from several threads.
class PictureSink {
 public:
  virtual ~PictureSink() = default;
  /// Page `page` of the sheet is halftoned; its plates are not published yet, and may never be.
  virtual void page_seen(const plan::SheetPlan& sheet, size_t page, PreviewImages pictures) = 0;
};

struct RunOptions {
  bool simple = false;  ///< SimpleExecutor, one sheet at a time
  /// A sheet fails when a plate of it would replace one of another page, or another file.
  bool keep_others = false;
  std::optional<uint64_t> shuffle_seed{};  ///< see GraphExecutor::Options
  /// Of the job's planes; null: a context of its own, with the plan's limit.
  gpu::Context* gpu = nullptr;
  OnSealed on_sealed{};                  ///< resume::enter_into() a journal
  OnPublished on_published{};            ///< resume::note_published() in a journal
  DoneSheets done{};                     ///< these are not made again
  SideFileMemory* side_files = nullptr;  ///< of the files beside plates; may be null

  /// Bytes to leave free on the disk of the plates: with less, no sheet begins.
  uint64_t reserve_bytes = 0;
  /// A sheet without space on its disk waits for it, and is then made, from its start if it had
  /// begun; false: it fails.
  bool wait_for_space = false;
  /// No sheet begins from this time on.
  std::optional<std::chrono::system_clock::time_point> deadline{};
  /// The time that is compared with the deadline. Called from several threads.
  std::function<std::chrono::system_clock::time_point()> now = std::chrono::system_clock::now;
  PictureSink* pictures = nullptr;  ///< set: the result has timelines too
  bool is_guarded = false;          ///< by guard_memory(), for messages
};

/// Runs the sheets of the plan that are not done yet; returns when all are done or, soon after
/// `stop` becomes true, with the sheets in flight failed and the rest not begun. A GPU that fails
/// for good (kDeviceLost) gives the sheets on it back, and they are made on the other GPUs. When the last
/// GPU fails, its sheets fail; those on the CPU finish, and the rest is not begun. Failures of single sheets
/// are in the result, never thrown. Throws Error(kOutOfMemory) when there are too few threads.
JobResult run_job(const plan::JobPlan& plan,
                  const RunOptions& options,
                  JobObserver& observer,
                  const std::atomic<bool>& stop);

}  // namespace mezzo::run
