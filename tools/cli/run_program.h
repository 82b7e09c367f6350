// A program from its words to its exit status: the one place where exceptions become a status.
#pragma once

#include <span>

#include "tools/cli/common_options.h"
#include "tools/cli/program.h"

namespace mezzo::cli {

/// -q, -v, --json and --log-json.
void add_common_options(Program& program, CommonOptions& common);

/// Runs the command line, and returns the exit status. Messages have the form set in `common`,
/// which add_common_options() has bound.
int run_program(Program& program, const CommonOptions& common, std::span<const char* const> words);

}  // namespace mezzo::cli
