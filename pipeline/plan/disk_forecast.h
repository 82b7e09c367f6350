// The most room that plates and side files can take on their disk.
#pragma once

#include "pipeline/plan/job_plan.h"

namespace mezzo::plan {

/// Of all plates and side files of a sheet that has its pages and plates, for any bits. Plates of automatic
/// compression are never larger than raw.
uint64_t most_disk_bytes(const SheetPlan& sheet);

/// Of a plate of the sheet, as its settings name it.
tiff::Compression compression_of(const SheetPlan& sheet, const PlatePlan& plate);

/// Of one plate of the sheet, with any texts in its tags; of automatic compression as if it were coded
/// to its end. It decides between TIFF and BigTIFF, and so on the bytes of plates.
uint64_t most_plate_bytes(const SheetPlan& sheet, const PlatePlan& plate);

/// Of the plates of the sheet that are not compressed.
uint64_t uncompressed_bytes(const SheetPlan& sheet);

}  // namespace mezzo::plan
