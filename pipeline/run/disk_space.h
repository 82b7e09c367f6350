// The space that plates need on their disks, before they are made.
#pragma once

#include <cstdint>
#include <optional>

#include "pipeline/plan/job_plan.h"
#include "pipeline/run/result.h"

namespace mezzo::run {

/// Fails the sheets whose uncompressed plates need more than their disk has free, but for those
/// that are `done`. The size of compressed plates is not known before; they fail when the disk is
/// full.
void refuse_full_disk(plan::JobPlan& plan, const DoneSheets& done);

/// Why the sheet cannot start: too little free space on the disk of its plates. `reserve_bytes`
/// stay free there.
std::optional<plan::Failure> shortage(const plan::JobPlan& plan,
                                      const plan::SheetPlan& sheet,
                                      uint64_t reserve_bytes);

}  // namespace mezzo::run
