// The part of the page of `mezzotint compare --html` about inks that are printed over each other.
#pragma once

#include <string>

#include "tools/compare/page_data.h"

namespace mezzo::compare {

/// A section of HTML; empty for a page without prints.
std::string print_section(const ComparePage& page);

/// The dots of a print, or the colours of its contone, of pictures of one size of its inks; on white
/// paper, sRGB.
report::ColourImage colour_dots(const proof::PrintColours& colours,
                                const std::vector<const report::GreyImage*>& inks);

}  // namespace mezzo::compare
