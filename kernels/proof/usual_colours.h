// Colours of the process inks on coated paper, for presses that do not give theirs.
//
// The aims of ISO 12647-2 for offset on coated paper, measured on white: what prints of most presses are
// near to. A proof with them is for a look at the work, and not for its colour.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/proof/neugebauer.h"

namespace mezzo::proof {

inline constexpr Lab kUsualPaper = {95, 0, -2};

/// For an ink whose colour is not known.
inline constexpr Lab kUnknownInk = {50, 0, 0};

/// That of the ink alone on the paper; nothing for others than cyan, magenta, yellow and black.
std::optional<Lab> usual_solid(std::string_view ink);

/// Those of the process inks over each other, with bits by the places in `inks`.
std::vector<Overprint> usual_overprints(std::span<const std::string> inks);

}  // namespace mezzo::proof
