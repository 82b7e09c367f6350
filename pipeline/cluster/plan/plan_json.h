// A cluster's plan as JSON.
//
//   v (2), type ("plan"), id, program, made (UTC, ms), pictures
//   task    engine, threads, memory_bytes, gpus, tries, at_once, program, partition, begin, sbatch
//   jobs    [{name, manifest, folder, memory_bytes, device_memory_bytes, threads}]
//   sheets  [{job, input, pages (from 1), sha256, pixels, plates [{ink, path}], method, engine,
//           schedule, parameters {name: value}, settings {key: value} (settings_json.h),
//           inks [{ink, method, .., settings}], failure {kind, message}}]
//   units   [{first, count}]
//
// Any other member is refused, so that a damaged name does not become a setting left out. A setting with its usual
// value is left out, and so is what few sheets have. Plans of format 1 are read, too (plan_format_1.h).
#pragma once

#include <string>
#include <string_view>

#include "pipeline/cluster/plan/cluster_plan.h"

namespace mezzo::cluster {

/// The plan, which passes check_plan(), in one line. `made` is cut off at the ms; bytes of a
/// failure's message that are not UTF-8 are replaced.
std::string plan_text(const ClusterPlan& plan);

/// The plan of a text, `path` left empty. Throws Error(kData), with the place in the text, for any
/// text that plan_text() does not write, now or in format 1. The plan is not checked yet.
ClusterPlan parse_plan(std::string_view text);

}  // namespace mezzo::cluster
