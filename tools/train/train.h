// mezzotint-lab train: finds the numbers that kernels/*/tables are made of.
#pragma once

#include "tools/cli/options.h"

namespace mezzo::train {

/// Adds the command.
void add_train_command(cli::Command& program);

}  // namespace mezzo::train
