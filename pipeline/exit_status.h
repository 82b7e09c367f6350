// What the program's exit status says, after sysexits(3). Documented in README.md; anything else is
// a failure too.
#pragma once

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

}  // namespace mezzo
