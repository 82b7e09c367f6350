// Limits of jobs on a command line.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "manifests/scalars.h"

namespace mezzo::cli {

/// For parsed(): reads the value of a key of `limits` in manifests, such as "memory", in bytes.
std::function<manifests::Parsed<uint64_t>(const std::string&)> limit_named(std::string_view key);

}  // namespace mezzo::cli
