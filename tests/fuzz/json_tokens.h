// Changes of JSON that keep it JSON more often than changes of lines do.
#pragma once

#include <span>
#include <string_view>

#include "tests/fuzz/fuzz_target.h"

namespace mezzo::fuzz {

/// Puts other values in, takes members and items out or doubles them, and puts tokens in anywhere.
void change_json(Bytes& input, Random& random, std::span<const std::string_view> tokens);

}  // namespace mezzo::fuzz
