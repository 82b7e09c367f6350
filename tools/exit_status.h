// Which exit status of the program a failure or a result has; see pipeline/exit_status.h.
#pragma once

#include "kernels/core/error.h"
#include "pipeline/exit_status.h"
#include "pipeline/result.h"

namespace mezzo {

/// The status for one failure.
int exit_status(ErrorKind kind);

/// The status for a job: good, interrupted, a GPU lost, worth another try for at least one sheet,
/// or some sheet failed.
int exit_status(const JobResult& result);

}  // namespace mezzo
