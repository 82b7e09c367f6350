// Planes in memory, and scaling of them in bands, for tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/prepress/scale.h"
#include "tests/support/thread_team.h"

namespace mezzo::test {

/// Rows of ink15 samples in memory.
struct Plane {
  Plane(uint32_t width, uint32_t height) : width_px(width), height_px(height) {
    samples.resize(size_t{width} * height);
  }

  MutableSampleBand rows(uint32_t first, uint32_t count) {
    return {.data = reinterpret_cast<std::byte*>(samples.data() + size_t{first} * width_px),
            .width_px = width_px,
            .rows = count,
            .stride_bytes = 2 * size_t{width_px},
            .first_row = first,
            .bytes_per_sample = 2};
  }
  uint16_t at(int64_t x, int64_t y) const {
    const int64_t column = std::clamp<int64_t>(x, 0, width_px - 1);
    const int64_t row = std::clamp<int64_t>(y, 0, height_px - 1);
    return samples[static_cast<size_t>(row * width_px + column)];
  }

  uint32_t width_px, height_px;
  std::vector<uint16_t> samples;
};

/// Scales the planes of a page band by band, each from the rows that it needs and no others.
inline std::vector<Plane> scaled_in_bands(const std::vector<Plane>& page,
                                          const prepress::Scaler& scaler,
                                          uint32_t band_rows,
                                          uint32_t threads) {
  const uint32_t plate_height = scaler.plate_height_px();
  std::vector<Plane> plates(page.size(), Plane(scaler.plate_width_px(), plate_height));
  ThreadTeam team(threads);
  for (uint32_t y = 0; y < plate_height; y += band_rows) {
    const uint32_t rows = std::min(band_rows, plate_height - y);
    const prepress::SampleRange needed = scaler.rows_needed(y, rows);
    std::vector<Plane> pieces(page.size(), Plane(page.front().width_px, needed.count));
    std::vector<SampleBand> from;
    std::vector<MutableSampleBand> to;
    for (size_t i = 0; i < page.size(); ++i) {
      const auto* samples = page[i].samples.data() + size_t{needed.first} * page[i].width_px;
      std::copy_n(samples, pieces[i].samples.size(), pieces[i].samples.data());
      MutableSampleBand band = pieces[i].rows(0, needed.count);
      band.first_row = needed.first;
      from.push_back(band);
      to.push_back(plates[i].rows(y, rows));
    }
    scaler.run(from, to, team);
  }
  return plates;
}
inline Plane scaled_in_bands(const Plane& page,
                             const prepress::Scaler& scaler,
                             uint32_t band_rows,
                             uint32_t threads) {
  return scaled_in_bands(std::vector<Plane>{page}, scaler, band_rows, threads).front();
}
inline Plane scaled_in_bands(const Plane& page,
                             const prepress::Scaling& scaling,
                             uint32_t band_rows,
                             uint32_t threads) {
  const auto scaler = prepress::make_scaler(page.width_px, page.height_px, scaling);
  return scaled_in_bands(page, *scaler, band_rows, threads);
}

}  // namespace mezzo::test
