// mezzotint-lab train: finds the numbers in kernels/*/tables.
#pragma once

#include "tools/cli/options.h"

namespace mezzo::train {

/// Adds the command.
void add_train_command(cli::Command& program);

}  // namespace mezzo::train
