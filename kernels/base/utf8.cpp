#include "kernels/base/utf8.h"

namespace mezzo {

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x2028 || c == 0x2029 ||
         (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x200E ||
         c == 0x200F || c == 0xFEFF || (c >= 0xFDD0 && c <= 0xFDEF) || (c & 0xFFFE) == 0xFFFE;
}

Utf8Character first_character(std::string_view text) {
  if (text.empty()) return {};
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  char32_t value = lead & (0x7FU >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    value = value << 6 | (byte(i) & 0x3FU);
  }
  // Overlong forms, surrogates and what lies beyond Unicode.
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kLeast[bytes] || (value >= 0xD800 && value <= 0xDFFF) || value > 0x10FFFF) return {};
  return {value, bytes};
}

bool is_clean_text(std::string_view text) {
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    if (character.bytes == 0 || is_control(character.value)) return false;
    text.remove_prefix(character.bytes);
  }
  return true;
}

}  // namespace mezzo
