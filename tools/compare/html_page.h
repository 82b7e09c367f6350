// The page of `mezzotint compare --html`: the metrics and the looks of some halftones of one
// contone page.
//
// A single HTML file: pictures are data URIs, style and scripts are inside, and its
// Content-Security-Policy forbids every request. Without scripts only the charts are missing, and
// their numbers are in tables. Templates are in tools/compare/page/.
#pragma once

#include <ostream>

#include "tools/compare/page_data.h"

namespace mezzo::compare {

/// Writes the whole page. The caller checks the state of the stream.
void write_compare_page(std::ostream& out, const ComparePage& page);

/// The pictures of `images`, with all its rows, for a page that shows `place`.
PagePictures pictures_of(const PageImages& images, size_t place);

}  // namespace mezzo::compare
