// The values of states in the channels of colour direct binary search (colour_dbs.h), and what a page
// asks for. For the CPU and GPUs.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/base/host_device.h"
#include "kernels/search/colour/colour_dbs.h"
#include "kernels/together/ink_colours.h"

namespace mezzo::search::colour {

inline constexpr int kColourChannels = 3;
inline constexpr int kMostChannels = kColourChannels + static_cast<int>(kMostInks);
inline constexpr int kMostStates = 1 << kMostInks;
/// Of Y and Y - Z beside X - Y, in 1024ths. The roots of the channels' weights.
inline constexpr int kWeight = 640;
/// Of an ink by itself.
inline constexpr int kInkValue = 200;

/// The tone from which an ink is loose, 5 %.
inline constexpr int kLeastLoose = 205;

struct Channels {
  explicit Channels(const together::InkColours& colours);

  int count() const { return kColourChannels + inks; }
  int states() const { return 1 << inks; }
  /// The eye of a channel: 0 luminance, 1 chrominance.
  static MZ_HD constexpr int eye(int channel) { return channel == 0 ? 0 : 1; }

  int inks;
  int16_t values[kMostChannels][kMostStates] = {};  ///< V
};

/// T of channels 0 to 2 of a pixel with these tones.
MZ_HD inline int32_t colour_target(const int16_t* values, int inks, const uint16_t* tones) {
  int32_t areas[kMostStates];
  for (int s = 0; s < 1 << inks; ++s) areas[s] = 256 * values[s];
  for (int k = 0; k < inks; ++k) {
    const int tone = tones[k];
    for (int s = 0; s < 1 << (inks - k - 1); ++s) {
      areas[s] = (areas[2 * s] * (4096 - tone) + areas[2 * s + 1] * tone + 2048) >> 12;
    }
  }
  return (areas[0] + 8) >> 4;
}

/// T of an ink's own channel.
MZ_HD inline int32_t ink_target(int tone) {
  return (kInkValue * tone + 128) >> 8;
}

/// The inks of a pixel that changes may alter: in the low byte the free ones, in the high byte those of
/// them that are loose.
MZ_HD inline uint16_t freedom_of(const uint16_t* tones, int inks) {
  uint32_t freedom = 0;
  for (int k = 0; k < inks; ++k) {
    const int tone = tones[k];
    if (tone > 0 && tone < 4096) freedom |= 1U << k;
    if (tone >= kLeastLoose && tone <= 4096 - kLeastLoose) freedom |= 1U << (8 + k);
  }
  return static_cast<uint16_t>(freedom);
}
MZ_HD inline uint32_t free_inks(uint32_t freedom) {
  return freedom & 0xFF;
}
MZ_HD inline uint32_t loose_inks(uint32_t freedom) {
  return freedom >> 8;
}

}  // namespace mezzo::search::colour
