// dE of changes in colour direct binary search (colour_dbs.h), part by part. For the CPU and GPUs, which
// keep the fixed numbers in ways of their own: `Numbers` has
//
//     int value(int channel, uint32_t state) const               V
//     int32_t product(int eye, int dy, int dx) const             C(d)
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/base/host_device.h"
#include "kernels/search/colour/channels.h"

namespace mezzo::search::colour {

/// c of a pixel, channel by channel.
struct PixelC {
  const int32_t* first;
  ptrdiff_t stride;

  MZ_HD int32_t operator[](int channel) const { return first[channel * stride]; }
};

MZ_HD inline int64_t times(int a, int b) {
  return int64_t{a} * b;
}

/// v^2 C(0) + 2 v c of a channel.
template <typename Numbers>
MZ_HD int64_t by_itself(const Numbers& numbers, int eye, int v, int32_t c) {
  return times(v, v * numbers.product(eye, 0, 0)) + 2 * times(v, c);
}

/// Of the ink's own channel, where that ink of state s changes.
template <typename Numbers>
MZ_HD int64_t of_ink(const Numbers& numbers, const PixelC& c, uint32_t s, int ink) {
  const int v = (s >> ink & 1) != 0 ? -kInkValue : kInkValue;
  return by_itself(numbers, Channels::eye(kColourChannels), v, c[kColourChannels + ink]);
}

/// The rest of it where a neighbour changes the other way.
template <typename Numbers>
MZ_HD int64_t between_inks(const Numbers& numbers, int dy, int dx) {
  return -2 * times(kInkValue * kInkValue, numbers.product(Channels::eye(kColourChannels), dy, dx));
}

/// Of the channels of light, where s becomes s1.
template <typename Numbers>
MZ_HD int64_t of_light(const Numbers& numbers, const PixelC& c, uint32_t s, uint32_t s1) {
  int64_t gain = 0;
  for (int channel = 0; channel < kColourChannels; ++channel) {
    const int v = numbers.value(channel, s1) - numbers.value(channel, s);
    gain += by_itself(numbers, Channels::eye(channel), v, c[channel]);
  }
  return gain;
}

/// Likewise, where a pixel and the neighbour at d from it change `inks`.
template <typename Numbers>
MZ_HD int64_t of_light_of_both(const Numbers& numbers,
                               const PixelC& c,
                               const PixelC& other,
                               int dy,
                               int dx,
                               uint32_t s,
                               uint32_t q,
                               uint32_t inks) {
  int64_t gain = 0;
  for (int channel = 0; channel < kColourChannels; ++channel) {
    const int eye = Channels::eye(channel);
    const int v = numbers.value(channel, s ^ inks) - numbers.value(channel, s);
    const int u = numbers.value(channel, q ^ inks) - numbers.value(channel, q);
    gain += by_itself(numbers, eye, v, c[channel]) + by_itself(numbers, eye, u, other[channel]) +
            2 * times(u, v * numbers.product(eye, dy, dx));
  }
  return gain;
}

}  // namespace mezzo::search::colour
