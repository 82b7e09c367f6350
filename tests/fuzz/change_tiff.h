// Changes of TIFF files that know their directories.
#pragma once

#include "tests/fuzz/fuzz_target.h"

namespace mezzo::fuzz {

/// Changes tags, types, counts, values, places of strips and links of directories, in the file's own order
/// of bytes, classic or BigTIFF. Bytes without a directory are changed whatever they mean.
void change_tiff(Bytes& input, Random& random);

}  // namespace mezzo::fuzz
