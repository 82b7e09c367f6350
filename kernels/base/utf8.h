// Characters of UTF-8 text that comes from outside: names in files, manifests, command lines.
#pragma once

#include <cstddef>
#include <string_view>

namespace mezzo {

/// True for a character that is not allowed in a name or a manifest: controls, line separators, the
/// marks that reverse the direction of writing, noncharacters.
bool is_control(char32_t character);

/// The first character of a text and its length in bytes; length 0 when the bytes are not UTF-8.
struct Utf8Character {
  char32_t value = 0;
  size_t bytes = 0;
};
Utf8Character first_character(std::string_view text);

/// True when the text is UTF-8 without control characters, and so fit for a message or a path.
bool is_clean_text(std::string_view text);

}  // namespace mezzo
