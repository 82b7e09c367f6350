// What `mezzotint help TOPIC` tells about beside the commands.
#pragma once

#include "tools/cli/program.h"

namespace mezzo::commands {

/// methods, engines, manifest, exit-status and environment.
void add_help_topics(cli::Program& program);

}  // namespace mezzo::commands
