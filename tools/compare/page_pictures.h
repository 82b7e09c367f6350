// The pictures of a page that lies in a file.
#pragma once

#include "stages/tiff/read/reader.h"
#include "tools/compare/page_images.h"

namespace mezzo::compare {

/// Reads plane `plane` of page `page_index`, contone or bilevel, from top to bottom and in bands.
/// Beside what the reader needs it takes about 20 MiB, however large the page. Throws Error as
/// PageReader does.
PageImages read_page_images(const tiff::TiffFile& file,
                            uint32_t page_index,
                            uint32_t plane,
                            Team& team);

}  // namespace mezzo::compare
