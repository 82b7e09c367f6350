// Stochastic screens: masks of blue noise (blue_noise.h), or of cells that grow from one
// (clustered.h), another one for each ink.
//
// The dots of a tint lie evenly and without a pattern, so inks make no moire with each other, with
// the screens of other inks, or with what is on the page. Separately made masks are the ones that
// mean least for each other's dots: shifted against its neighbours on the press, an ink changes no
// colour. The parts of one mask, or one mask moved or turned, would resemble each other.
#pragma once

#include <array>
#include <string>

#include "kernels/screen/clustered.h"
#include "kernels/screen/tile_halftoner.h"

namespace mezzo::screen {

struct Fm {
  static constexpr std::string_view kName = "fm";
  static constexpr std::string_view kSummary =
      "stochastic screen: even dots without a pattern, from a mask of blue noise";
  static constexpr std::array<ParameterInfo, 3> kParameters = {{
      {.name = "size",
       .summary = "side of the mask, after which it repeats",
       .minimum = 64,
       .maximum = 512,
       .default_value = 256,
       .integer = true,
       .unit = "px"},
      {.name = "seed",
       .summary = "number of the masks: another seed, other masks",
       .minimum = 0,
       .maximum = 4294967295.0,
       .default_value = 1,
       .integer = true},
      {.name = "cluster",
       .summary = "experimental: dots that grow in cells of about this area; 0: single pixels",
       .minimum = 0,
       .maximum = kMostCluster,
       .default_value = 0,
       .integer = true,
       .unit = "px"},
  }};

  static InkScreens screens(const HalftoneSettings& settings);
  static std::string check(const HalftoneSettings& settings);
};

}  // namespace mezzo::screen
