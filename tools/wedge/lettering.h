// The lettering of wedges: letters of 5 x 7 dots, solid, for plates.
#pragma once

#include <cstdint>
#include <string_view>

namespace mezzo::wedge {

inline constexpr uint32_t kLetterRows = 7;
inline constexpr uint32_t kLetterColumns = 5;
inline constexpr uint32_t kLetterPitch = 6;  ///< columns from a letter to the next

/// Columns of a line of text.
constexpr uint32_t text_columns(std::string_view text) {
  return static_cast<uint32_t>(text.size()) * kLetterPitch;
}

/// Whether the dot at this column and row of a line of text is ink. Capitals and small letters look the
/// same; a character without a letter is a space.
bool is_ink(std::string_view text, uint32_t column, uint32_t row);

}  // namespace mezzo::wedge
