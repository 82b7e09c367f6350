#include "kernels/search/colour/products.h"

#include "kernels/search/colour/colour_eyes.h"

namespace mezzo::search::colour {

Products::Products() : rows_(static_cast<size_t>(2 * (2 * kReach + 1)) * kRow) {
  const Square of_eye[2] = {autocorrelation(eye_of(kLuminanceEye)),
                            autocorrelation(eye_of(kChrominanceEye))};
  for (int eye = 0; eye < 2; ++eye) {
    for (int dy = -kReach; dy <= kReach; ++dy) {
      for (int dx = -kReach; dx <= kReach; ++dx) {
        rows_[index(eye, dy) + static_cast<size_t>(dx + kReach)] = of_eye[eye].at(dy, dx);
      }
    }
  }
}

}  // namespace mezzo::search::colour
