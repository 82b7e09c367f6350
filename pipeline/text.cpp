#include "pipeline/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/base/utf8.h"
#include "manifests/json/value.h"

namespace mezzo {

std::string counted(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
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

std::string one_line(std::string_view text, size_t max_bytes) {
  std::string whole = json::valid_utf8(text);
  std::string clean;
  for (std::string_view rest = whole; !rest.empty();) {
    const Utf8Character c = first_character(rest);
    const size_t bytes = std::max<size_t>(c.bytes, 1);
    // Also those that turn the direction of writing, or begin a command of the terminal in one.
    clean += c.bytes == 0 || is_control(c.value) ? " " : rest.substr(0, bytes);
    rest.remove_prefix(bytes);
  }
  whole = std::move(clean);
  if (whole.size() <= max_bytes) return whole;
  size_t end = max_bytes;
  while (end > 0 && (static_cast<unsigned char>(whole[end]) & 0xC0) == 0x80) --end;
  return whole.substr(0, end) + "...";
}

}  // namespace mezzo
