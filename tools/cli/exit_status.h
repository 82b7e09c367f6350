// Which exit status of the program a failure or a result has; see pipeline/exit_status.h.
#pragma once

#include "kernels/base/error_kind.h"
#include "pipeline/exit_status.h"
#include "pipeline/run/result.h"

namespace mezzo::cli {

/// The status for one failure.
int exit_status(ErrorKind kind);

/// The status for a job: good, interrupted, a GPU lost, worth another try for at least one sheet,
/// or some sheet failed.
int exit_status(const run::JobResult& result);

/// The status for several jobs, or for manifests and the jobs of those that are right: "some
/// failed" gives way to a status that says more, and everything to "try again".
int joined_status(int before, int next);

}  // namespace mezzo::cli
