#include "pipeline/plan/resolution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mezzo::plan {
namespace {

constexpr double kSame = 0.0005;

}  // namespace

bool agree(double dpi, double other) {
  return std::abs(dpi - other) <= kSame * std::max(dpi, other);
}

bool agree(Resolution a, Resolution b) {
  return agree(a.x_dpi, b.x_dpi) && agree(a.y_dpi, b.y_dpi);
}

std::string resolution_text(Resolution resolution) {
  const std::string x = fmt::format("{:.6g}", resolution.x_dpi);
  const std::string y = fmt::format("{:.6g}", resolution.y_dpi);
  return x == y ? x + " dpi" : x + " x " + y + " dpi";
}

std::optional<DpiFraction> as_fraction(double dpi) {
  const double whole = std::round(dpi);
  if (std::abs(dpi - whole) <= kSame * dpi) return DpiFraction{static_cast<uint64_t>(whole), 1};
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
