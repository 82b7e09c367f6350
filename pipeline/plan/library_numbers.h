// The numbers of a plate that the C library's pow(), exp() and log() decide: where another library rounds
// one of them otherwise, a plate gets other bits.
//
// A plate is made by one machine from its own numbers, and tells nothing of them. Where several machines
// share a job, its plan has their digests, and a machine with others makes none of its plates. The cells
// of AM screens need none: they are planned once, as whole numbers (screens.h).
#pragma once

#include <string>

#include "pipeline/plan/job_plan.h"

namespace mezzo::plan {

struct LibraryNumbers {
  std::string
      tones;  ///< XXH3 of the tables from sample to tone; empty without gamma and measured curves
  std::string method;  ///< of MethodInfo::library_numbers; empty without any
  bool operator==(const LibraryNumbers&) const = default;
};

/// Of a plate of a sheet whose pages are described; both digests have 32 hexadecimal digits.
LibraryNumbers library_numbers(const SheetPlan& sheet, const PlatePlan& plate);

}  // namespace mezzo::plan
