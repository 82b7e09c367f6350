// Where the setting was written that a sheet failed for.
#pragma once

#include <string>

#include "manifests/job.h"
#include "pipeline/plan/failure.h"

namespace mezzo::plan {

/// "job.yaml:3:12" by Failure::setting: the place of the setting, or of the nearest one that made it
/// count. Of a job without a manifest the option, "--ruling". Empty where neither is known.
std::string place_of_setting(const manifests::Job& job,
                             const manifests::JobPage& page,
                             const Failure& failure);

}  // namespace mezzo::plan
