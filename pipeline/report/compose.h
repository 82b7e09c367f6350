// Inks over each other, as a screen shows them: for a look, not for a proof.
#pragma once

#include <string_view>
#include <vector>

#include "pipeline/report/image.h"
#include "stages/preview.h"

namespace mezzo::report {

/// The colour of solid ink: cyan, magenta, yellow and black are their own, any other is grey.
Rgb ink_colour(std::string_view name);

/// Each ink takes of the light what its colour takes, in proportion to its coverage; a lone ink
/// that is none of the four is shown as black. `which` is PreviewImages::Ink::contone or ::plate.
ColourImage compose(const std::vector<PreviewImages::Ink>& inks,
                    InkImage PreviewImages::Ink::*which);

/// The dots, exactly: a colour for each set of the first eight inks that is there.
IndexedImage compose_dots(const std::vector<PreviewImages::Ink>& inks);

/// Every second row and column, averaged in fours; the sides halved, rounded up.
ColourImage halved(const ColourImage& image);

}  // namespace mezzo::report
