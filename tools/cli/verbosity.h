// How much a program says on standard error.
#pragma once

namespace mezzo::cli {

enum class Verbosity { kQuiet, kNormal, kVerbose };

}  // namespace mezzo::cli
