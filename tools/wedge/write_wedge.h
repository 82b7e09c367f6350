// The files of a wedge: a contone page for each ink, and the description that curves are made with.
#pragma once

#include <string>
#include <vector>

#include "tools/wedge/layout.h"

namespace mezzo::wedge {

/// Writes the page of ink number `ink`: grey of 16 bits, paper but for the block of the ink. `head` is the
/// line above the block. Throws Error.
void write_page(
    const std::string& path, const Layout& layout, size_t ink, double dpi, const std::string& head);

/// How the wedge is printed.
struct Print {
  std::string press;
  std::string paper;
  double dpi = 0;
  std::string curves;                 ///< "none", "plate" or "all": the kinds that are on
  std::vector<std::string> inks;      ///< as the press has them
  std::vector<std::string> screens;   ///< screen_digest() of each
  std::vector<std::string> measured;  ///< the curves that each is printed with, for people
};

/// The description: CGATS with a line for each patch, its SAMPLE_ID, ink, nominal percentage, and the
/// place of its centre in mm.
std::string description(const Layout& layout, const Print& print, const std::string& software);

}  // namespace mezzo::wedge
