// Small pages of every kind that the reader takes.
#pragma once

#include "tests/fuzz/fuzz_target.h"

namespace mezzo::fuzz {

std::vector<Bytes> tiff_seeds();

}  // namespace mezzo::fuzz
