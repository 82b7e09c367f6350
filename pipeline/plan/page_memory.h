// The memory of a page: its reader with a share of it or with the least, its bands, and the refusal
// that names the limit that would do.
#pragma once

#include <cstdint>

#include "manifests/job.h"
#include "pipeline/plan/band_plan.h"
#include "pipeline/plan/job_plan.h"
#include "stages/chain/chain.h"
#include "stages/tiff/read/reader.h"

namespace mezzo::plan {

/// The most tiles of thresholds that a job of this memory makes at a time (kernels/screen/making.h).
uint32_t tile_makers(uint64_t memory_limit);

/// In little memory, has this process give large blocks back to the system when they are free, and
/// threads share heaps. Else each thread's heap may keep blocks of its own, as much as it ever had.
void keep_little(uint64_t memory_limit);

/// Throws Error(kLimit) for a limit in which no job runs.
void refuse_tiny_budget(const SheetPlan& sheet, uint64_t memory_limit);

/// Adds the needs of the page's reader to the sheet. Throws Error as TiffFile::open_page().
void add_reader_needs(const tiff::TiffFile& file,
                      uint32_t page,
                      const tiff::ReadAs& form,
                      const chain::Chain& chain,
                      uint64_t memory_limit,
                      uint32_t threads,
                      SheetPlan& sheet);

/// Bands for page `i` of the sheet, and its reader with its share of the memory, or with the least
/// where that alone fits; the files beside its plates count, which are made once these are.
/// `own_bytes` is what the plan takes of the memory. Throws Error(kLimit), with the limit that would do.
BandPlan bands_of_page(size_t i,
                       const PageHalftoners& halftoners,
                       const manifests::Job& job,
                       uint64_t own_bytes,
                       uint32_t threads,
                       const PlanOptions& options,
                       SheetPlan& sheet);

}  // namespace mezzo::plan
