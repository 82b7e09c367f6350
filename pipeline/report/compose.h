// Inks over each other, as a screen shows them: for a look, not for a proof.
#pragma once

#include <string_view>
#include <vector>

#include "pipeline/report/image.h"
#include "stages/preview.h"

namespace mezzo::report {

/// The colour of solid ink: cyan, magenta, yellow and black are their own, any other is grey.
Rgb ink_colour(std::string_view ink);

/// Each ink filters the light by its colour, in proportion to its coverage; a single ink that is
/// none of the four is shown as black. `which` is PreviewImages::Ink::contone or ::plate.
ColourImage compose(const std::vector<PreviewImages::Ink>& inks,
                    InkImage PreviewImages::Ink::*which);

/// The dots, exactly: a colour for each combination of the first eight inks that occurs.
IndexedImage compose_dots(const std::vector<PreviewImages::Ink>& inks);

/// Every second row and column, averaged in fours; the sides halved, rounded up.
ColourImage halved(const ColourImage& image);

}  // namespace mezzo::report
