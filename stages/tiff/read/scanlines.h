// Large compressed strips: decoded row by row from the top, so that no strip is ever held decoded.
#pragma once

#include <memory>

#include "stages/tiff/read/stored_rows.h"

namespace mezzo::tiff {

std::unique_ptr<StoredRows> make_scanline_rows(StoredPage page);

}  // namespace mezzo::tiff
