// Inks over each other, as a screen shows them: in the colours that the press gives them, on white.
#pragma once

#include <vector>

#include "kernels/proof/neugebauer.h"
#include "pipeline/report/image.h"
#include "stages/preview.h"

namespace mezzo::report {

/// The colours of the inks as pictures show them: on white paper, and an ink that nothing is known of,
/// when it is alone, as black.
proof::PrintColours shown_colours(const proof::PrintColours& colours,
                                  const std::vector<std::string>& unknown);

/// Dots of the inks lie as they may (Neugebauer, Demichel). `which` is PreviewImages::Ink::contone or
/// ::plate; `colours` has as many solids as there are inks.
ColourImage compose(const std::vector<PreviewImages::Ink>& inks,
                    InkImage PreviewImages::Ink::*which,
                    const proof::PrintColours& colours);

/// The dots, exactly: a colour for each combination of the first eight inks that occurs.
IndexedImage compose_dots(const std::vector<PreviewImages::Ink>& inks,
                          const proof::PrintColours& colours);

/// Every second row and column, averaged in fours; the sides halved, rounded up.
ColourImage halved(const ColourImage& image);

}  // namespace mezzo::report
