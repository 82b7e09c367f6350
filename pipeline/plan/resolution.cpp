#include "pipeline/plan/resolution.h"

#include <cmath>

namespace mezzo::plan {

std::optional<DpiFraction> as_fraction(double dpi) {
  const double whole = std::round(dpi);
  if (std::abs(dpi - whole) <= 0.0005 * dpi) return DpiFraction{static_cast<uint64_t>(whole), 1};
  constexpr uint64_t kMostDenominator = 100;
  for (uint64_t d = 2; d <= kMostDenominator; ++d) {
    const double n = std::round(dpi * static_cast<double>(d));
    if (std::abs(dpi * static_cast<double>(d) - n) <= 1e-4) {
      return DpiFraction{static_cast<uint64_t>(n), d};
    }
  }
  return std::nullopt;
}

uint32_t pixels_of(uint64_t micrometres, double dpi) {
  const auto [n, d] =
      as_fraction(dpi).value_or(DpiFraction{static_cast<uint64_t>(std::llround(1000 * dpi)), 1000});
  constexpr uint64_t kMicrometresPerInch = 25'400;
  const uint64_t inch = d * kMicrometresPerInch;
  return static_cast<uint32_t>((2 * micrometres * n + inch) / (2 * inch));
}

}  // namespace mezzo::plan
