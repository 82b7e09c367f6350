#include "kernels/base/bytes_text.h"

#include <array>
#include <cstdio>

namespace mezzo {

std::string bytes_text(uint64_t bytes) {
  constexpr std::array kUnits = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  while (value >= 999.5 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  const int decimals = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  std::array<char, 32> digits{};
  std::snprintf(digits.data(), digits.size(), "%.*f", decimals, value);
  std::string number = digits.data();
  if (number.find('.') != std::string::npos) {
    number.erase(number.find_last_not_of('0') + 1);
    if (number.back() == '.') number.pop_back();
  }
  return number + " " + kUnits[unit];
}

std::string limit_text(uint64_t bytes) {
  return std::to_string((bytes + (1U << 20) - 1) >> 20) + " MiB";
}

std::string beyond_limit_text(uint64_t bytes, uint64_t limit) {
  const bool look_equal = bytes_text(bytes) == bytes_text(limit);
  const auto text = [look_equal](uint64_t number) {
    return look_equal ? std::to_string(number) + " bytes" : bytes_text(number);
  };
  return text(bytes) + ", the limit is " + text(limit);
}

}  // namespace mezzo
