// Black alone, from one device to another: the curve that keeps the lightness of its tints.
#pragma once

#include <cstdint>
#include <vector>

#include "stages/icc/profile.h"

namespace mezzo::icc {

/// Ink15 of the press's channel `black` for equally spaced samples: of the ink black of CMYK, of grey, or of R =
/// G = B, which fall. Tints become those of equal L*; where `black_point`, of equal place between the
/// lightness of paper and that of a solid. Both ends are paper and solid exactly, and what lies between
/// never turns back. Throws Error: kUnsupported for a press that does not say what its black looks
/// like, kData for errors of lcms2.
std::vector<uint16_t> black_curve(const Profile& input,
                                  const Profile& press,
                                  uint32_t black,
                                  bool black_point);

}  // namespace mezzo::icc
