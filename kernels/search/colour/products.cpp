#include "kernels/search/colour/products.h"

#include "kernels/search/colour/colour_eyes.h"

namespace mezzo::search::colour {

Products::Products(const Channels& channels)
    : rows_(static_cast<size_t>(2 * (2 * kReach + 1)) * kRow),
      costs_(static_cast<size_t>(kMostStates * kMostStates)) {
  const Square of_eye[2] = {autocorrelation(eye_of(kLuminanceEye)),
                            autocorrelation(eye_of(kChrominanceEye))};
  for (int eye = 0; eye < 2; ++eye) {
    for (int dy = -kReach; dy <= kReach; ++dy) {
      for (int dx = -kReach; dx <= kReach; ++dx) {
        rows_[index(eye, dy) + static_cast<size_t>(dx + kReach)] = of_eye[eye].at(dy, dx);
      }
    }
  }
  for (int s = 0; s < channels.states(); ++s) {
    for (int s1 = 0; s1 < channels.states(); ++s1) {
      int64_t sum = 0;
      for (int channel = 0; channel < channels.count(); ++channel) {
        const int64_t v = channels.values[channel][s1] - channels.values[channel][s];
        sum += v * v * at(Channels::eye(channel), 0, 0);
      }
      costs_[static_cast<size_t>(s * kMostStates + s1)] = sum;
    }
  }
}

}  // namespace mezzo::search::colour
