// The places of a page's strips or tiles in its file.
#pragma once

#include <cstdint>

#include "stages/tiff/handle.h"
#include "stages/tiff/read/layout.h"

namespace mezzo::tiff {

/// Checks that all strips or tiles lie within the file and have plausible sizes; returns the
/// largest stored size. The directory of `layout` is the current one. Throws Error.
uint64_t check_blocks(Handle& handle, const PageLayout& layout, const PagePlace& place);

}  // namespace mezzo::tiff
