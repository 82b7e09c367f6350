// Plans and results on standard output: a table for people, or one JSON object a line for programs.
#pragma once

#include <string>
#include <vector>

#include "kernels/core/error.h"
#include "pipeline/plan.h"
#include "pipeline/result.h"

namespace mezzo {

/// What the job will do: sheets, plates, memory, disk, time. `explain` adds schedules and bands.
void print_plan(const JobPlan& plan, bool explain);

/// What became of it: counts, rate, and the sheets that failed.
void print_summary(const JobPlan& plan, const JobResult& result);

/// Where the time of the job went, by stage.
void print_stages(const JobPlan& plan, const JobResult& result);

/// The same as JSON lines; every object has "v": 1 and "type".
void print_plan_json(const JobPlan& plan);
void print_result_json(const JobPlan& plan, const JobResult& result);
void print_diagnostics_json(const std::vector<Diagnostic>& diagnostics);

void print_error_json(ErrorKind kind, const std::string& message);

/// Diagnostics on standard error: as a compiler prints them, or as messages of a log that is not
/// for people.
void print_diagnostics(const std::vector<Diagnostic>& diagnostics);

}  // namespace mezzo
