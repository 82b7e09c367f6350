#include "manifests/settings/manifest_text.h"

#include <charconv>

#include "kernels/base/error.h"

namespace mezzo::manifests {

std::string number_text(double value) {
  char text[400];  // the longest of all has 309 before the point
  const auto [end, error] =
      std::to_chars(text, text + sizeof text, value, std::chars_format::fixed);
  MZ_ASSERT(error == std::errc());
  return std::string(text, end);
}

std::string percent_text(double value) {
  return number_text(value) + (value > 0 && value <= 1 ? "%" : "");
}

std::string line(int depth, std::string_view key, const std::string& value) {
  return std::string(static_cast<size_t>(depth) * 2, ' ') + std::string(key) + ":" +
         (value.empty() ? "" : " " + value) + "\n";
}

std::string block(int depth, std::string_view key, const std::string& inside) {
  return inside.empty() ? "" : line(depth, key, "") + inside;
}

}  // namespace mezzo::manifests
