// The completion scripts of this folder, as the build put them into the program.
#pragma once

#include <string_view>

namespace mezzo::words {

extern const std::string_view kBashScript, kZshScript, kFishScript;

}  // namespace mezzo::words
