// The SIMD targets that kernels can choose from at run time, for `mezzotint info`. On x86, highway_targets.cpp detects
// them.
#pragma once

#include <string>
#include <vector>

namespace mezzo {

/// Targets that this build has and this processor can run, the one in use first: "AVX3", "AVX2",
/// ...
std::vector<std::string> simd_targets();

}  // namespace mezzo
