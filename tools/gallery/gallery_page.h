// The pictures of a gallery: a page of HTML that stands alone, and a sheet of them as PNG.
#pragma once

#include <ostream>

#include "tools/gallery/shown_method.h"

namespace mezzo::gallery {

struct Gallery {
  std::string title;  ///< the name of the page's file
  Piece piece;
  Conditions conditions;
  uint32_t threads = 1;
  report::ColourImage contone;
  std::vector<ShownMethod> methods;
};

/// Each method at 1:1 and its middle at 4:1, and a table of all numbers. Loads nothing from elsewhere.
void write_gallery_page(std::ostream& out, const Gallery& gallery);

/// All pictures at 1:1 in rows of `across`, each above its name.
report::ColourImage contact_sheet(const Gallery& gallery, uint32_t across);

}  // namespace mezzo::gallery
