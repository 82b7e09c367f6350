#include "pipeline/text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace mezzo {

std::string counted(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string bytes_text(uint64_t bytes) {
  constexpr std::array kUnits = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  while (value >= 999.5 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  const int decimals = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  std::string number = fmt::format("{:.{}f}", value, decimals);
  if (number.find('.') != std::string::npos) {
    number.erase(number.find_last_not_of('0') + 1);
    if (number.back() == '.') number.pop_back();
  }
  return fmt::format("{} {}", number, kUnits[unit]);
}

std::string duration_text(double seconds) {
  if (seconds < 0.0995) return fmt::format("{:.0f} ms", seconds * 1000);
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string rate_text(double pixels_per_second) {
  const double mega = pixels_per_second / 1e6;
  return mega < 9.5 ? fmt::format("{:.1g} Mpx/s", mega) : fmt::format("{:.0f} Mpx/s", mega);
}

}  // namespace mezzo
