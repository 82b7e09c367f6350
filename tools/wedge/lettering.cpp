#include "tools/wedge/lettering.h"

#include <algorithm>
#include <iterator>

namespace mezzo::wedge {
namespace {

/// Its rows from the top, five bits each, the left dot in the highest.
struct Letter {
  char character;
  uint64_t dots;
};

// clang-format off
constexpr Letter kLetters[] = {
    {'A', 0x3a31fc631},
    {'B', 0x7a31f463e},
    {'C', 0x3a308422e},
    {'D', 0x7a318c63e},
    {'E', 0x7e10f421f},
    {'F', 0x7e10f4210},
    {'G', 0x3a30bc62f},
    {'H', 0x4631fc631},
    {'I', 0x38842108e},
    {'J', 0x1c4210a4c},
    {'K', 0x4654c5251},
    {'L', 0x42108421f},
    {'M', 0x4775ac631},
    {'N', 0x47359c631},
    {'O', 0x3a318c62e},
    {'P', 0x7a31f4210},
    {'Q', 0x3a318d64d},
    {'R', 0x7a31f5251},
    {'S', 0x3e107043e},
    {'T', 0x7c8421084},
    {'U', 0x46318c62e},
    {'V', 0x46318a944},
    {'W', 0x4631ad771},
    {'X', 0x454421151},
    {'Y', 0x462a21084},
    {'Z', 0x7c222221f},
    {'0', 0x3a33ae62e},
    {'1', 0x11842108e},
    {'2', 0x3a213221f},
    {'3', 0x78217043e},
    {'4', 0x08ca97c42},
    {'5', 0x7e1e0862e},
    {'6', 0x1910f462e},
    {'7', 0x7c2222108},
    {'8', 0x3a317462e},
    {'9', 0x3a317844c},
    {'.', 0x00000018c},
    {',', 0x000001888},
    {':', 0x018c03180},
    {'-', 0x0000f8000},
    {'_', 0x00000001f},
    {'+', 0x0084f9080},
    {'=', 0x001f07c00},
    {'/', 0x042222210},
    {'%', 0x674222173},
    {'(', 0x088842082},
    {')', 0x208210888},
};
// clang-format on

char capital(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

}  // namespace

bool is_ink(std::string_view text, uint32_t column, uint32_t row) {
  const size_t place = column / kLetterPitch;
  const uint32_t inside = column % kLetterPitch;
  if (place >= text.size() || inside >= kLetterColumns || row >= kLetterRows) return false;
  const auto* const letter = std::ranges::find(kLetters, capital(text[place]), &Letter::character);
  if (letter == std::end(kLetters)) return false;
  const uint32_t bit = (kLetterRows - 1 - row) * kLetterColumns + (kLetterColumns - 1 - inside);
  return (letter->dots >> bit & 1) != 0;
}

}  // namespace mezzo::wedge
