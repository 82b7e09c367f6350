// One sheet, from its input file to its published plates.
#pragma once

#include <atomic>
#include <functional>

#include "pipeline/journal.h"
#include "pipeline/page_run.h"
#include "pipeline/plan.h"
#include "pipeline/result.h"

namespace mezzo {

/// What a sheet needs of the job around it.
struct SheetContext {
  Executor& executor;
  bool verify = false;
  Journal* journal = nullptr;  ///< where its plates are entered before they get their names
  std::function<void(uint64_t)> on_pixels;  ///< pixels halftoned; may throw to stop the sheet
  /// A round of a search is over; may throw likewise.
  std::function<void(const std::string& ink, const RoundReport& report)> on_round;
};

/// Runs the sheet and publishes its plates. Throws Error; nothing is published then.
SheetResult run_sheet(const SheetPlan& sheet, const SheetContext& context);

}  // namespace mezzo
