// Names of inks as people write them: 'Black', 'K' and 'Process Black' are one ink.
//
// Names compare without upper and lower case, without spaces and in any form of Unicode, as
// kernels/prepress/folded_name.h has it; the table of aliases in ink_key.cpp holds the other names of the
// process inks.
#pragma once

#include <string>
#include <string_view>

namespace mezzo::prepress {

/// Equal for two names of one ink: "black" for "K" and "Process Black", "pantone185c" for
/// "PANTONE 185 C". For comparing only; it is no name to show.
std::string ink_key(std::string_view name);

bool is_same_ink(std::string_view a, std::string_view b);

/// Whether it is cyan, magenta, yellow or black, under any of their names.
bool is_process_ink(std::string_view name);

}  // namespace mezzo::prepress
