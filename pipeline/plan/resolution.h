// Resolutions as fractions, so that what follows from them is exact.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "stages/page_info.h"

namespace mezzo::plan {

/// Pixels per inch.
struct DpiFraction {
  uint64_t numerator = 0;
  uint64_t denominator = 1;
};

/// Whether two resolutions are one, as far as the tags of files can tell: within 0.05 %, since 300 dpi
/// are 118.11 pixels per cm in other files. One that is not known agrees with its like alone.
bool agree(double dpi, double other);
bool agree(Resolution a, Resolution b);

/// "2400 dpi", or "600 x 300 dpi": across and down.
std::string resolution_text(Resolution resolution);

/// Whole dpi, where the resolution is within 0.05 % of that (118.11 pixels per cm are 299.9994 dpi),
/// else the fraction of a small denominator that it is, if any.
std::optional<DpiFraction> as_fraction(double dpi);

/// A length as pixels: length * dpi / 25.4 mm, rounded to the nearest, halves up. The resolution is
/// that of as_fraction(), else it is rounded to thousandths of a dpi. Up to a kilometre.
uint32_t pixels_of(uint64_t micrometres, double dpi);

}  // namespace mezzo::plan
