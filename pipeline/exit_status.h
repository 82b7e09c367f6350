// The program's exit status, after sysexits(3). Documented in README.md; anything else is a failure
// too.
#pragma once

#include "kernels/base/error_kind.h"

namespace mezzo::run {
struct JobResult;
}  // namespace mezzo::run

namespace mezzo {

enum ExitStatus : int {
  kExitGood = 0,
  kExitSomeFailed = 1,    ///< the job finished, and some sheet failed
  kExitUsage = 64,        ///< the command line is wrong
  kExitData = 65,         ///< a manifest or an input file is wrong
  kExitMissing = 66,      ///< an input is not there
  kExitUnavailable = 69,  ///< an engine or device is not there
  kExitBug = 70,
  kExitDeviceLost = 71,  ///< a GPU failed for good: a new process may succeed
  kExitCannotCreate = 73,
  kExitIo = 74,
  kExitTryAgain = 75,  ///< no space, no memory, no time left: the same command may succeed later
  kExitInterrupted = 130,  ///< SIGINT; 143 after SIGTERM
};

/// The status for one failure. Settings that do not fit a page are a mistake of the command line, or
/// of the manifest that they stand in.
int status_of(ErrorKind kind, bool is_of_manifest = false);

/// The status for a job: good, interrupted, a GPU lost, worth another try for at least one sheet,
/// or some sheet failed.
int status_of(const run::JobResult& result);

/// The status for several jobs, or for manifests and the jobs of the good ones: any other failure
/// wins over "some failed", and "try again" wins over all.
int joined_status(int before, int next);

}  // namespace mezzo
