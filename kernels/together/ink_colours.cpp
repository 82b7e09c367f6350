#include "kernels/together/ink_colours.h"

#include <algorithm>
#include <cmath>

#include "kernels/base/error.h"

namespace mezzo::together {

InkColours InkColours::of(const proof::PrintColours& print) {
  const size_t inks = print.solids.size();
  MZ_ASSERT(inks >= 1 && inks <= kMostInks);
  const std::vector<proof::Xyz> light = proof::light_of_sets(print);
  InkColours colours{static_cast<uint32_t>(inks), {}};
  for (const proof::Xyz& set : light) {
    std::array<int, 3> roots = {};
    for (size_t c = 0; c < 3; ++c) {
      // A black paper has no light to compare with: everything is as bright.
      const double ratio = light[0][c] > 0 ? set[c] / light[0][c] : 1;
      roots[c] =
          static_cast<int>(std::floor(std::sqrt(std::clamp(ratio, 0.0, 1.0)) * kPaper + 0.5));
    }
    const auto [x, y, z] = roots;
    colours.states.push_back(
        {static_cast<int16_t>(y), static_cast<int16_t>(x - y), static_cast<int16_t>(y - z)});
  }
  return colours;
}

}  // namespace mezzo::together
