// The commands that write about a program: `completion SHELL`, and for scripts and the build the hidden
// `complete -- WORD...` and `words FOLDER`.
#pragma once

#include "tools/cli/program.h"

namespace mezzo::words {

/// `program` outlives their actions.
void add_words_commands(cli::Program& program);

}  // namespace mezzo::words
