// Takes samples that lie pixel by pixel apart, into planes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace mezzo::prepress {

/// Samples of some pixels, those of a pixel side by side.
struct InterleavedSamples {
  const std::byte* data = nullptr;
  uint32_t bytes_per_sample = 1;  ///< 1 or 2, host byte order; aligned to that
  size_t samples_per_pixel = 1;   ///< at least 1
  size_t pixels = 0;
};

/// Writes sample p of each pixel to planes[p], whose memory is that of no other; pixels may have more
/// samples than there are planes. From plane `first_inverted` on, `max_sample` less the sample is
/// written; samples are at most that.
void deinterleave(const InterleavedSamples& from,
                  std::span<std::byte* const> planes,
                  size_t first_inverted,
                  uint32_t max_sample);

}  // namespace mezzo::prepress
