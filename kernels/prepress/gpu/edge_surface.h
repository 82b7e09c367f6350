// The surface of cubic scaling on a page pixel, and the cut through it, for scaling by edges (edge_tile.h has the
// words), by one thread of a GPU. The CPU compiles it for tests.
//
// `Ink` gives the ink of the pixels around: at(right, down), -2 .. 2.
#pragma once

#include <cstdint>

#include "kernels/band/ink15.h"
#include "kernels/base/host_device.h"
#include "kernels/prepress/scale_axis.h"

namespace mezzo::prepress {

constexpr int kEdgeSolid = static_cast<int>(kInk15);

MZ_HD constexpr int least_of(int a, int b) {
  return a < b ? a : b;
}
MZ_HD constexpr int most_of(int a, int b) {
  return a > b ? a : b;
}
MZ_HD constexpr int clamp_to(int value, int from, int to) {
  return least_of(most_of(value, from), to);
}

/// The extremes of some inks.
struct InkRange {
  int low = kEdgeSolid, high = 0;
  MZ_HD void add(int ink) {
    low = least_of(low, ink);
    high = most_of(high, ink);
  }
  MZ_HD void add(const InkRange& other) {
    low = least_of(low, other.low);
    high = most_of(high, other.high);
  }
  MZ_HD int contrast() const { return high - low; }
};

template <typename Ink>
MZ_HD InkRange range_of_3x3(const Ink& ink) {
  InkRange range;
  for (int down = -1; down <= 1; ++down) {
    for (int right = -1; right <= 1; ++right) range.add(ink.at(right, down));
  }
  return range;
}

template <int kA, int kB, int kC, int kD>
MZ_HD int mix_of(int a, int b, int c, int d) {
  return level_of_sum(kA * a + kB * b + kC * c + kD * d);
}

/// The four samples of cubic scaling by 4/1 on the third of five pixels.
struct Quarters {
  int at[4];
  MZ_HD Quarters(int a, int b, int c, int d, int e)
      : at{mix_of<-720, 6384, 11920, -1200>(a, b, c, d),
           mix_of<-112, 1488, 15792, -784>(a, b, c, d),
           mix_of<-784, 15792, 1488, -112>(b, c, d, e),
           mix_of<-1200, 11920, 6384, -720>(b, c, d, e)} {}
};

/// 16 samples of the surface of cubic scaling on a page pixel.
struct EdgeSurface {
  int samples[16];

  template <typename Ink>
  MZ_HD explicit EdgeSurface(const Ink& ink) {
    int rows[4][5];
    for (int down = -2; down <= 2; ++down) {
      const Quarters of_row(
          ink.at(-2, down), ink.at(-1, down), ink.at(0, down), ink.at(1, down), ink.at(2, down));
      for (int i = 0; i < 4; ++i) rows[i][down + 2] = of_row.at[i];
    }
    for (int i = 0; i < 4; ++i) {
      const Quarters of_column(rows[i][0], rows[i][1], rows[i][2], rows[i][3], rows[i][4]);
      for (int j = 0; j < 4; ++j) samples[4 * j + i] = of_column.at[j];
    }
  }

  MZ_HD InkRange range() const {
    InkRange range;
    for (const int sample : samples) range.add(sample);
    return range;
  }

  /// The most ink first. Indices that are known when it is compiled keep the samples in registers.
  MZ_HD void sort() {
    for (int round = 0; round < 16; ++round) {
      for (int i = 0; i < 8; ++i) {
        const int at = 2 * i + round % 2;
        if (at == 15) continue;
        const int a = samples[at], b = samples[at + 1];
        samples[at] = most_of(a, b);
        samples[at + 1] = least_of(a, b);
      }
    }
  }

  /// The height above which `share` of the pixel lies, in 1/4096. Sorted samples are 256 apart.
  MZ_HD int height_above(int share) const {
    EdgeSurface sorted = *this;
    sorted.sort();
    const int place = share - 128;
    const int k = clamp_to(place >> 8, 0, 14);
    const int a = sorted.at(k), b = sorted.at(k + 1);
    return a + ((b - a) * (place - k * 256) >> 8);
  }

 private:
  MZ_HD int at(int k) const {
    int found = 0;
    for (int i = 0; i < 16; ++i) found = i == k ? samples[i] : found;
    return found;
  }
};

/// The two levels of a border. `high` may be the smaller one in a plane that follows another.
struct EdgeInks {
  int low, high;
};

/// The cut at a height of the surface, in 1/256 of high - low.
MZ_HD inline int16_t edge_cut(int height, const EdgeInks& levels) {
  const int cut = (height - levels.low) * 256 / (levels.high - levels.low);
  return static_cast<int16_t>(clamp_to(cut, -128, 384));
}

}  // namespace mezzo::prepress
