// AM: dots on a grid, of a size that follows the tone: the screen of offset, flexo and screen printing.
//
// How fine the grid is in pixels depends on the resolution of the plate, which complete() (kernels/complete.h)
// fills in as `dpi`. Inks are told apart by their angles; a texture (ink_texture.h) moves nothing, so that the
// rosette of a set of inks is the same on every page.
#pragma once

#include <array>
#include <string>

#include "kernels/screen/am_tile.h"
#include "kernels/screen/tile_halftoner.h"

namespace mezzo::screen {

inline constexpr std::string_view kMoireChoices[] = {"refuse", "accept"};

struct Am {
  static constexpr std::string_view kName = "am";
  static constexpr std::string_view kSummary =
      "dots on a grid that grow with the tone, by ruling and angle";
  static constexpr auto kParameters = std::to_array<ParameterInfo>({
      {.name = "ruling",
       .summary = "lines of dots an inch",
       .minimum = kLeastRuling,
       .maximum = 1000,
       .default_value = 150,
       .unit = "lpi"},
      {.name = "angle",
       .summary =
           "angle of the grid, clockwise from the horizontal; left out, it is that of the ink",
       .minimum = 0,
       .maximum = 180,
       .default_value = 45,
       .unit = "degrees",
       .source = ParameterInfo::Source::kInk},
      choice_parameter("dot", "shape", kDots, static_cast<uint32_t>(Dot::kEuclidean)),
      {.name = "minimum_dot",
       .summary = "pixels of the smallest dot, and of the smallest hole",
       .minimum = 1,
       .maximum = 10'000,
       .default_value = 1,
       .integer = true,
       .unit = "px"},
      {.name = "moire",
       .summary = "what becomes of a set of inks whose moire has a period below 300 mm",
       .minimum = 0,
       .maximum = 1,
       .default_value = 0,
       .integer = true,
       .tuning = true,
       .choices = kMoireChoices,
       .source = ParameterInfo::Source::kSheet},
      {.name = "dpi",
       .summary = "resolution of the plate; 0: that of the page",
       .minimum = 0,
       .maximum = 20'000,
       .default_value = 0,
       .unit = "dpi",
       .source = ParameterInfo::Source::kPlate},
      {.name = "cell_repeats",
       .summary = "cells after which the grid meets the pixels again; 0: chosen",
       .minimum = 0,
       .maximum = kMostRepeats,
       .default_value = 0,
       .integer = true},
      {.name = "cell_m",
       .summary = "pixels to the right of so many cells; 0: chosen",
       .minimum = -512,
       .maximum = 512,
       .default_value = 0,
       .integer = true},
      {.name = "cell_n",
       .summary = "pixels down of so many cells; 0: chosen",
       .minimum = -512,
       .maximum = 512,
       .default_value = 0,
       .integer = true},
  });

  /// The screen of complete settings: that of their cell, else one chosen for their resolution. Throws
  /// Error(kUsage) for a resolution or a cell that does not fit the rest.
  static AmScreen screen(const HalftoneSettings& settings);

  /// Why a screen() cannot be. Settings without a resolution are checked at one that is high enough for
  /// any ruling and dot.
  static std::string check(const HalftoneSettings& settings);

  /// The tile is made when it is first asked for, and shared by all halftoners of its screen.
  static InkScreens screens(const HalftoneSettings& settings);
};

}  // namespace mezzo::screen
