// A user's own array of thresholds as a screen: the file is read by others (HalftoneSettings::tile).
//
// Every ink that is given the file has this very screen, from the corner of its page on: inks that
// shall not lie on each other are given a file each.
#pragma once

#include <array>
#include <string>

#include "kernels/screen/tile_halftoner.h"
#include "kernels/screen/tile_values.h"

namespace mezzo::screen {

struct UserTile {
  static constexpr std::string_view kName = "tile";
  static constexpr std::string_view kSummary = "an array of thresholds from a file of your own";
  static constexpr bool kTakesTile = true;
  static constexpr std::string_view kValues[] = {"thresholds", "ranks"};
  static constexpr std::array<ParameterInfo, 2> kParameters = {{
      {.name = "shift",
       .summary = "px to the right of each strip of tiles against the one above it; left out: as "
                  "the file says, which is 0 for most",
       .minimum = 0,
       .maximum = kMostTile - 1,
       .default_value = 0,
       .integer = true},
      choice_parameter(
          "values",
          "the file's values: thresholds of coverage, or ranks, whose order counts alone",
          kValues),
  }};

  /// Empty, or the mistake. A file that is named and not yet read is none.
  static std::string check(const HalftoneSettings& settings);

  /// Throws Error(kUsage) without values.
  static InkScreens screens(const HalftoneSettings& settings);
};

/// The thresholds of these settings, which are complete and have a tile's values.
ThresholdTile tile_of(const HalftoneSettings& settings);

}  // namespace mezzo::screen
