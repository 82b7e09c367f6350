// The words of manifests, press, curve and folder files, from the tables that the parsers read.
#pragma once

#include <span>
#include <string_view>

namespace mezzo::fuzz {

/// All keys, choices, methods and parameters, and values as people write them.
std::span<const std::string_view> manifest_tokens();

}  // namespace mezzo::fuzz
