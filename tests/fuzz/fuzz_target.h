// What a target of fuzzing defines: libFuzzer calls it where the compiler is clang, driver.cpp else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mezzo::fuzz {

using Bytes = std::vector<std::byte>;

/// Inputs to begin with.
std::vector<Bytes> seeds();

/// Mends what would end every run at once, such as a sum over all bytes.
void mend(Bytes& input);

/// One run; false where the input was refused. It throws nothing.
bool run(const Bytes& input);

}  // namespace mezzo::fuzz
