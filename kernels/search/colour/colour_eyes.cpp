#include "kernels/search/colour/colour_eyes.h"

#include <cstdlib>

namespace mezzo::search::colour {

Square eye_of(const EyeQuarter& quarter) {
  Square eye(kEyeRadius);
  for (int dy = -kEyeRadius; dy <= kEyeRadius; ++dy) {
    for (int dx = -kEyeRadius; dx <= kEyeRadius; ++dx) {
      eye.at(dy, dx) = quarter[std::abs(dy)][std::abs(dx)];
    }
  }
  return eye;
}

}  // namespace mezzo::search::colour
