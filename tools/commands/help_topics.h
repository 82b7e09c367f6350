// The topics of `mezzotint help TOPIC`.
#pragma once

#include "tools/cli/program.h"

namespace mezzo::commands {

/// methods, engines, manifest, exit-status and environment.
void add_help_topics(cli::Program& program);

}  // namespace mezzo::commands
