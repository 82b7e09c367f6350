// The PPF file of a page and its table of ink zones.
//
// Both hold nominal tones: those of the page after inks are mixed and before curves and dots, as consoles
// have curves of their own. The page is read once more, through its chain without scaling, and averaged
// exactly. Its line work is printed into it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/band/team.h"
#include "pipeline/plan/job_plan.h"

namespace mezzo::run {

struct PpfMade {
  uint32_t width_px = 0, height_px = 0;
  uint64_t file_bytes = 0;
  std::vector<std::string> notes = {};  ///< what people should know of the zones
};

/// Makes the file at `path` and plan::zones_path() of it, each whole or not at all. `go_on` is called
/// between bands and may throw. Throws Error.
PpfMade make_ppf(const plan::SheetPlan& sheet,
                 size_t page,
                 const std::string& job,
                 const std::string& path,
                 Team& team,
                 files::FileSystem& files,
                 const std::function<void()>& go_on);

/// The mean tone of each zone, in percent: zones of `zone_mm` across the sheet, centred on it. What lies
/// beside the sheet counts as paper. `columns`: mean tone, 0 .. 1, of `column_mm` each.
std::vector<double> zone_means(const std::vector<double>& columns,
                               double column_mm,
                               uint32_t zones,
                               double zone_mm);

}  // namespace mezzo::run
