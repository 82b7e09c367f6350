// Memory and disk that the side files of a page take (side_files.h), known before they are made.
#pragma once

#include <cstdint>

#include "kernels/proof/box_axis.h"
#include "pipeline/plan/job_plan.h"
#include "stages/proof/plate_proof.h"

namespace mezzo::plan {

/// The resolution of the previews of a PPF file.
inline constexpr double kPpfDpi = 50.8;

/// One direction of a preview; `dpi`: of the page.
proof::BoxAxis ppf_axis(uint32_t side_px, double dpi);

/// Rows of a page that are averaged at a time: about 8 MiB, and whole strips or rows of tiles of up to
/// 4096 rows.
uint32_t ppf_band_rows(const PageInfo& page, uint32_t row_quantum);

/// The proof's resolution over that of the plates; 1 where that would be above, or no ratio of whole
/// numbers.
proof::ProofRatio proof_ratio(double dpi, double plate_dpi);

struct SideNeeds {
  uint64_t memory_bytes = 0;            ///< while the one that takes most is made, about
  SideKind largest = SideKind::kProof;  ///< the kind of that one
  uint64_t disk_bytes = 0;              ///< of all, at most
};

/// Of page `i` of a sheet that has its plates.
SideNeeds side_needs(const SheetPlan& sheet, size_t i, uint32_t threads);

}  // namespace mezzo::plan
