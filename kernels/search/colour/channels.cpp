#include "kernels/search/colour/channels.h"

#include "kernels/base/error.h"

namespace mezzo::search::colour {
namespace {

int16_t weighed(int value) {
  return static_cast<int16_t>((kWeight * value + 512) >> 10);
}

}  // namespace

Channels::Channels(const together::InkColours& colours) : inks(static_cast<int>(colours.inks)) {
  MZ_ASSERT(colours.inks >= 1 && colours.inks <= kMostInks);
  MZ_ASSERT(colours.states.size() == size_t{1} << colours.inks);
  for (int s = 0; s < states(); ++s) {
    const auto& [y, xy, yz] = colours.states[static_cast<size_t>(s)];
    values[0][s] = weighed(y);
    values[1][s] = xy;
    values[2][s] = weighed(yz);
    for (int k = 0; k < inks; ++k) {
      values[kColourChannels + k][s] = static_cast<int16_t>((s >> k & 1) * kInkValue);
    }
  }
}

}  // namespace mezzo::search::colour
