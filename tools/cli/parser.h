// Reads the words of a command line into the variables of its options; all of CLI11 is in
// parser.cpp.
#pragma once

#include <span>

#include "tools/cli/options.h"

namespace mezzo::cli {

enum class Wish { kRun, kHelp, kVersion };

struct Choice {
  const Command* command;  ///< the innermost that the words name
  Wish wish;
};

/// Flags are set as they are met, also when this throws; other options after all words were read.
/// Throws Error(kUsage), which names the word that is wrong.
Choice parse_words(const Command& program, std::span<const char* const> words);

}  // namespace mezzo::cli
