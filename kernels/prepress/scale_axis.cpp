#include "kernels/prepress/scale_axis.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "kernels/base/error.h"

namespace mezzo::prepress {
namespace {

constexpr uint32_t kMostTaps = 4;

/// n / d, rounded to the next integer, a half away from 0; 0 < d.
int64_t rounded(int64_t n, int64_t d) {
  return n < 0 ? -((-2 * n + d) / (2 * d)) : (2 * n + d) / (2 * d);
}

uint32_t taps_of(ScaleFilter filter) {
  switch (filter) {
    case ScaleFilter::kNearest:
      return 1;
    case ScaleFilter::kLinear:
      return 2;
    default:
      return kMostTaps;
  }
}

/// The weights of a centre that lies n / d after its place, 0 <= n < d. Those of kCubic are Keys'
/// polynomials with a = -1/2, times 2 d^3: with d <= 2^13 all products fit 63 bits.
std::array<int16_t, kMostTaps> weights_at(int64_t n, int64_t d, ScaleFilter filter) {
  std::array<int64_t, kMostTaps> exact{};
  int64_t unit = 1;
  switch (filter) {
    case ScaleFilter::kNearest:
      exact = {1};
      break;
    case ScaleFilter::kLinear:
      exact = {d - n, n};
      unit = d;
      break;
    default:
      exact = {n * (-n * n + 2 * n * d - d * d),
               3 * n * n * n - 5 * n * n * d + 2 * d * d * d,
               n * (-3 * n * n + 4 * n * d + d * d),
               n * n * (n - d)};
      unit = 2 * d * d * d;
  }
  std::array<int64_t, kMostTaps> weights{};
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = rounded(kWholeWeight * exact[i], unit);
  *std::ranges::max_element(weights) +=
      kWholeWeight - std::accumulate(weights.begin(), weights.end(), int64_t{0});
  std::array<int16_t, kMostTaps> narrow{};
  std::ranges::transform(
      weights, narrow.begin(), [](int64_t weight) { return static_cast<int16_t>(weight); });
  return narrow;
}

}  // namespace

bool Ratio::is_possible() const {
  return p > 0 && q > 0 && p <= kMostTerm && q <= kMostTerm && std::gcd(p, q) == 1 &&
         p <= uint64_t{kMostUp} * q && q <= uint64_t{kMostDown} * p;
}

uint32_t scaled_size(uint32_t samples, Ratio ratio) {
  const uint64_t size = (uint64_t{samples} * ratio.p + ratio.q / 2) / ratio.q;
  return static_cast<uint32_t>(std::max<uint64_t>(size, 1));
}

PointAxis::PointAxis(uint32_t page_samples, Ratio ratio, ScaleFilter filter)
    : page_samples_(page_samples),
      plate_samples_(scaled_size(page_samples, ratio)),
      ratio_(ratio),
      taps_(taps_of(filter)) {
  MZ_ASSERT(ratio.is_possible() && page_samples > 0);
  MZ_ASSERT(filter != ScaleFilter::kArea && filter != ScaleFilter::kEdges);
  const int64_t p = ratio.p, q = ratio.q;
  for (int64_t x = 0; x < p; ++x) {
    // The sample under the centre, or the place and the phase, from a centre that is not negative.
    const int64_t centre = filter == ScaleFilter::kNearest ? (2 * x + 1) * q : (2 * x + 1) * q + p;
    const int64_t place = centre / (2 * p) - (filter == ScaleFilter::kNearest ? 0 : 1);
    const int64_t before = taps_ == kMostTaps ? 1 : 0;
    first_taps_.push_back(static_cast<int32_t>(place - before));
    const auto weights = weights_at(centre % (2 * p), 2 * p, filter);
    weights_.insert(weights_.end(), weights.begin(), weights.begin() + taps_);
  }
}

SampleRange PointAxis::needed(uint32_t first, uint32_t count) const {
  const int64_t last_sample = int64_t{page_samples_} - 1;
  const int64_t from = std::clamp<int64_t>(first_tap(first), 0, last_sample);
  const int64_t to = std::clamp<int64_t>(first_tap(first + count - 1) + taps_ - 1, 0, last_sample);
  return {static_cast<uint32_t>(from), static_cast<uint32_t>(to - from + 1)};
}

AreaAxis::AreaAxis(uint32_t page_samples, Ratio ratio)
    : page_samples_(page_samples), plate_samples_(scaled_size(page_samples, ratio)), ratio_(ratio) {
  MZ_ASSERT(ratio.is_possible() && page_samples > 0);
}

SampleRange AreaAxis::needed(uint32_t first, uint32_t count) const {
  const uint64_t last_sample = uint64_t{page_samples_} - 1;
  const uint64_t from = std::min(uint64_t{first} * ratio_.q / ratio_.p, last_sample);
  const uint64_t end = (uint64_t{first} + count) * ratio_.q;
  const uint64_t to = std::min((end - 1) / ratio_.p, last_sample);
  return {static_cast<uint32_t>(from), static_cast<uint32_t>(to - from + 1)};
}

}  // namespace mezzo::prepress
