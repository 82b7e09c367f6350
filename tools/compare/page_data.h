// The contents of the page of `mezzotint compare --html`.
#pragma once

#include <string>
#include <vector>

#include "kernels/quality/quality.h"
#include "tools/compare/images.h"
#include "tools/compare/prints.h"

namespace mezzo::compare {

/// The pictures of one plane; PageImages makes them.
struct PagePictures {
  report::GreyImage preview;
  report::GreyImage dots;    ///< at full size, of ComparePage::dots
  report::GreyImage corner;  ///< at full size, top left
};

struct ComparePage {
  /// A plane of the contone that halftones are compared with.
  struct Contone {
    std::string name;  ///< names are any text; they are escaped here
    PagePictures pictures;
  };
  struct Halftone {
    std::string name;
    size_t contone = 0;  ///< index of its contone
    quality::Viewing viewing;
    quality::Report report;
    PagePictures pictures;
  };

  std::string title;  ///< the name of the contone's file
  uint32_t width_px = 0, height_px = 0;
  uint32_t preview_scale = 1;       ///< plate pixels along a side of a preview pixel
  Rect dots;                        ///< the same place on every plane
  std::vector<Contone> contones;    ///< at least one
  std::vector<Halftone> halftones;  ///< at least one
  std::vector<NamedPrint> prints;   ///< of these halftones
};

}  // namespace mezzo::compare
