// Decides how far a sheet's planes go on a GPU: from samples to strips (kernels/device_chain), or for
// halftoning alone.
#pragma once

#include <string>

#include "pipeline/plan/job_plan.h"

namespace mezzo::plan {

struct GpuWay {
  /// All planes: what comes down are strips, unless no GPU has room for them, or the bands of a search
  /// do not fit the strips (run/device_page.h).
  bool to_strips = false;
  std::string text;  ///< for people, one line; empty where no GPU takes part
};

/// Of a sheet whose engines and schedules are chosen.
GpuWay gpu_way(const SheetPlan& sheet);

}  // namespace mezzo::plan
