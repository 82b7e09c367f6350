#include "kernels/proof/nominal_tone.h"

#include <algorithm>
#include <cmath>

#include "kernels/band/coverage.h"

namespace mezzo::proof {
namespace {

constexpr uint32_t kSamples = 65535;

ToneCurve curve_of(ToneSettings settings) {
  settings.invert = false;
  return {kSamples, Polarity::kMaxIsInk, settings};
}

}  // namespace

NominalTone::NominalTone(ToneSettings settings) : tones_(kSolid + 1, -1) {
  const ToneCurve curve = curve_of(std::move(settings));
  const auto table = curve.table();
  for (uint32_t tone = 0; tone <= kSolid; ++tone) {
    const auto alike = std::ranges::equal_range(table, static_cast<uint16_t>(tone));
    if (alike.empty()) continue;
    const auto first = static_cast<double>(alike.begin() - table.begin());
    tones_[tone] = first + static_cast<double>(alike.size() - 1) / 2;
  }
  tones_.front() = 0;
  tones_.back() = kSamples;
  // Coverages that no tone has lie on a line between those that have one.
  for (size_t i = 0, next = 1; next < tones_.size(); ++next) {
    if (tones_[next] < 0) continue;
    for (size_t gap = i + 1; gap < next; ++gap) {
      const double part = static_cast<double>(gap - i) / static_cast<double>(next - i);
      tones_[gap] = tones_[i] + part * (tones_[next] - tones_[i]);
    }
    i = next;
  }
}

uint16_t NominalTone::operator()(double coverage) const {
  const double at = std::clamp(coverage, 0.0, 1.0) * kSolid;
  const auto i = std::min(static_cast<size_t>(at), size_t{kSolid} - 1);
  const double tone = tones_[i] + (at - static_cast<double>(i)) * (tones_[i + 1] - tones_[i]);
  return static_cast<uint16_t>(std::lround(tone));
}

}  // namespace mezzo::proof
