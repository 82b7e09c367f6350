// The angles that inks usually have in a set of screens.
#pragma once

#include <string_view>

namespace mezzo::screen {

/// The angle of an ink that is given none, in degrees: cyan 15, magenta 75, yellow 0, black 45; orange
/// and red, which hardly meet cyan, have its angle, green has that of magenta, and blue and violet that
/// of yellow; all others have 45.
double usual_angle(std::string_view ink);

/// Whether the inks hardly meet on paper, as orange and cyan, so that they may have one angle.
bool may_share_angle(std::string_view a, std::string_view b);

}  // namespace mezzo::screen
