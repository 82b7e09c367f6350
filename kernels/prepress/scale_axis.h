// One direction of scaling: the samples of the page that a sample of the plate is made of, and
// their weights, in integers.
//
// The ratio is p / q, plate over page, in lowest terms. The samples of the page have their centres
// at 0, 1, 2 ...; the centre of sample x of the plate lies at ((2x + 1) q - p) / 2p among them. Its
// whole part is the place, the rest the phase. There are p phases: they come again after p samples
// of the plate, and q of the page. Weights are in units of 1 / 2^14 and sum to 1 exactly, so that
// a flat area keeps its tone. All of it is arithmetic of integers: the same tables on any machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/band/ink15.h"
#include "kernels/base/host_device.h"
#include "kernels/prepress/sample_range.h"

namespace mezzo::prepress {

enum class ScaleFilter {
  kNearest,
  kLinear,
  kCubic,  ///< Catmull and Rom's: a = -1/2 in R. Keys, Cubic convolution interpolation, 1981
  kEdges,  ///< kCubic, with sharp borders of type; no smaller plates
  kArea,   ///< the mean over the area of the sample
};

/// Plate over page, in lowest terms.
struct Ratio {
  uint32_t p = 1;
  uint32_t q = 1;

  static constexpr uint32_t kMostTerm = 4096;  ///< of p and q
  static constexpr uint32_t kMostUp = 32;      ///< p / q
  static constexpr uint32_t kMostDown = 16;    ///< q / p

  /// Whether scaling can have this ratio.
  bool is_possible() const;
  bool operator==(const Ratio&) const = default;
};

/// `samples` at another resolution, rounded to whole samples, half a one up; at least 1.
uint32_t scaled_size(uint32_t samples, Ratio ratio);

/// Weight 1, in the units of weights.
constexpr int kWeightBits = 14;
constexpr int32_t kWholeWeight = 1 << kWeightBits;

/// The filters that take a fixed number of samples around a centre: kNearest, kLinear and kCubic.
class PointAxis {
 public:
  /// `ratio` is possible, and the filter is one of these.
  PointAxis(uint32_t page_samples, Ratio ratio, ScaleFilter filter);

  uint32_t page_samples() const { return page_samples_; }
  uint32_t plate_samples() const { return plate_samples_; }
  Ratio ratio() const { return ratio_; }
  uint32_t taps() const { return taps_; }  ///< 1, 2 or 4

  /// The first sample of the page for sample x of the plate. It and those after it may lie beyond
  /// the page, where its first or last sample stands for them.
  int64_t first_tap(uint32_t x) const {
    return int64_t{x / ratio_.p} * ratio_.q + first_taps_[x % ratio_.p];
  }
  /// taps() weights for sample x of the plate.
  const int16_t* weights(uint32_t x) const { return &weights_[size_t{x % ratio_.p} * taps_]; }

  /// The samples of the page that samples [first, first + count) of the plate are made of.
  SampleRange needed(uint32_t first, uint32_t count) const;

 private:
  uint32_t page_samples_, plate_samples_;
  Ratio ratio_;
  uint32_t taps_;
  std::vector<int32_t> first_taps_;  ///< by phase
  std::vector<int16_t> weights_;     ///< taps_ of each phase
};

/// kArea. Sample x of the plate covers [x q, (x + 1) q) of a line on which sample i of the page
/// covers [i p, (i + 1) p); what they share is the weight of i, so the weights of x sum to q.
class AreaAxis {
 public:
  /// `ratio` is possible.
  AreaAxis(uint32_t page_samples, Ratio ratio);

  uint32_t page_samples() const { return page_samples_; }
  uint32_t plate_samples() const { return plate_samples_; }
  Ratio ratio() const { return ratio_; }
  uint32_t whole_weight() const { return ratio_.q; }

  /// Calls take(i, weight) for each sample i of the page under sample x of the plate, first to last.
  /// Where the plate is rounded up, its last sample ends beyond the page: the page's last sample
  /// fills it.
  template <typename Take>
  void for_each_part(uint32_t x, const Take& take) const {
    const uint64_t end = (uint64_t{x} + 1) * ratio_.q;
    for (uint64_t at = uint64_t{x} * ratio_.q; at < end;) {
      const uint64_t i = at / ratio_.p;
      const uint64_t next = i + 1 < page_samples_ ? (i + 1) * ratio_.p : end;
      const uint64_t stop = next < end ? next : end;
      take(static_cast<uint32_t>(i), static_cast<uint32_t>(stop - at));
      at = stop;
    }
  }

  SampleRange needed(uint32_t first, uint32_t count) const;

 private:
  uint32_t page_samples_, plate_samples_;
  Ratio ratio_;
};

/// A sum of weights times samples, in whole ink15.
MZ_HD inline int level_of_sum(int sum) {
  const int level = (sum + (1 << (kWeightBits - 1))) >> kWeightBits;
  return level < 0 ? 0 : level > static_cast<int>(kInk15) ? static_cast<int>(kInk15) : level;
}

}  // namespace mezzo::prepress
