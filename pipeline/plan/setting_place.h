// Finds where the setting that made a sheet fail is written.
#pragma once

#include <string>

#include "manifests/job.h"
#include "pipeline/plan/failure.h"

namespace mezzo::plan {

/// Returns the place of Failure::setting, "job.yaml:3:12". Where a method's parameter has its built-in value,
/// this is the place of the method. A job without a manifest has the option, "--ruling". Empty if the place
/// is not known.
std::string place_of_setting(const manifests::Job& job,
                             const manifests::JobPage& page,
                             const Failure& failure);

}  // namespace mezzo::plan
