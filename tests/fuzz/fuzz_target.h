// What a target of fuzzing defines: libFuzzer calls it where the compiler is clang, driver.cpp else.
//
// run() does more than survive: it calls found() where what came out of an input contradicts itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/fuzz/random.h"

namespace mezzo::fuzz {

using Bytes = std::vector<std::byte>;

/// Inputs to begin with, none of which is refused.
std::vector<Bytes> seeds();

/// Changes an input as its format allows: its tokens, its tags. Where this knows no better, bytes are
/// changed whatever they mean.
void change(Bytes& input, Random& random);

/// Mends what would end every run at once, such as a sum over all bytes.
void mend(Bytes& input);

/// One run; false where the input was refused. It throws nothing.
bool run(const Bytes& input);

}  // namespace mezzo::fuzz
