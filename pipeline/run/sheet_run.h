// One sheet, from its input file to its published plates.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "kernels/gpu/context.h"
#include "pipeline/plan/plan.h"
#include "pipeline/run/gate.h"
#include "pipeline/run/page_run.h"
#include "pipeline/run/result.h"
#include "pipeline/run/sealed_sheet.h"
#include "stages/files/published_files.h"

namespace mezzo::run {

/// The parts of a job that a sheet uses.
struct SheetContext {
  Executor& executor;
  files::FileSystem& files;
  gpu::Context& gpu;                           ///< of the job
  Gate& planes_on_gpus;                        ///< of the job: for planes that go to strips there
  bool keep_others = false;                    ///< see RunOptions
  files::PublishedFiles* published = nullptr;  ///< of the job; may be null
  OnSealed on_sealed;                          ///< may be empty
  std::function<void(uint64_t)> on_pixels;     ///< pixels halftoned; may throw to stop the sheet
  /// A round of a search is over; may throw likewise.
  std::function<void(const std::string& ink, const RoundReport& report)> on_round;
  /// When set, called with pictures of page `page` of the sheet, when it is halftoned and before
  /// its plates are published.
  std::function<void(size_t page, PreviewImages pictures)> on_pictures;
  Timeline* timeline = nullptr;  ///< set: gets the times of the stages
};

/// Runs the sheet and publishes its plates. Throws Error; nothing is published then.
SheetResult run_sheet(const plan::SheetPlan& sheet, const SheetContext& context);

}  // namespace mezzo::run
