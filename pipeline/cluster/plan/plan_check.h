// The check of a cluster's plan before it is used.
#pragma once

#include "kernels/method_info.h"
#include "pipeline/cluster/plan/cluster_plan.h"

namespace mezzo::cluster {

/// Throws Error(kData) for a plan that contradicts itself or that cannot be run: units that are not
/// all sheets in order, each of one job; sheets of no job, of more than one sheet, or, when they
/// have no failure, without pages or plates; settings that make_halftoner() refuses wherever it
/// runs, unknown tone curves and compressions; two plates of one name, or one whose name is not the
/// template's; paths that are not absolute; texts that are not UTF-8 or hold control characters.
void check_plan(const ClusterPlan& plan);

/// The first schedule, on any machine, that fits the settings; null when there is none, or no such
/// method.
const ScheduleInfo* first_schedule(const HalftoneSettings& halftone);

/// Whether the settings name an engine or a schedule of a GPU. Those that name nothing run anywhere.
bool needs_gpu(const HalftoneSettings& halftone);

}  // namespace mezzo::cluster
