// The options that every command takes.
#pragma once

#include "tools/cli/verbosity.h"

namespace mezzo::cli {

struct CommonOptions {
  bool quiet = false;
  bool verbose = false;
  bool json = false;
  bool log_json = false;

  Verbosity verbosity() const {
    return quiet ? Verbosity::kQuiet : verbose ? Verbosity::kVerbose : Verbosity::kNormal;
  }
};

}  // namespace mezzo::cli
