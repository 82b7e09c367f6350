// The methods of the program.
#pragma once

#include <span>

#include "kernels/method_info.h"

namespace mezzo {

/// kMethods of methods.h. In a source of its own, so that a test program may link a table with more
/// in its place (tests/support/extra_method.h).
std::span<const MethodInfo> method_table();

}  // namespace mezzo
