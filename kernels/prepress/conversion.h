// How a page is converted to the inks of a press, but for the table that does it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mezzo::prepress {

struct Conversion {
  std::string digest = {};             ///< of the table (kernels/prepress/colour_table.h)
  std::vector<uint32_t> planes = {};   ///< of the page, one for each input of the table
  std::vector<std::string> inks = {};  ///< one for each of its outputs
  std::string text = {};               ///< for people: "sRGB to Board 2025, relative"
  bool is_inverted = false;            ///< the table takes the largest sample minus each sample
  bool is_lab = false;                 ///< the planes are L*, a*, b*, as tiff::ReadAs has them

  bool operator==(const Conversion&) const = default;
};

}  // namespace mezzo::prepress
