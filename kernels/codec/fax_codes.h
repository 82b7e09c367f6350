// The codes of fax: runs of white and black pixels (ITU-T T.4, tables 2 and 3) and the modes of
// two-dimensional coding (T.6, table 1). Constants alone, also for CUDA sources, which copy those
// that kernels index into __constant__ memory.
#pragma once

#include <cstdint>

namespace mezzo::codec {

/// Its last `length` bits are written, the highest of them first. Made of the text of a table.
struct FaxCode {
  uint16_t bits = 0;
  uint16_t length = 0;

  constexpr FaxCode() = default;
  constexpr FaxCode(const char* text) {  // NOLINT(google-explicit-constructor): tables are text
    for (; *text != '\0'; ++text, ++length) {
      bits = static_cast<uint16_t>(bits << 1 | (*text == '1' ? 1 : 0));
    }
  }

  constexpr bool operator==(const FaxCode&) const = default;
};

/// A run of r pixels: 2560 px as often as more than 2623 are left, makeup[r / 64] unless that is 0,
/// and in any case terminating[r % 64].
struct FaxRunCodes {
  FaxCode terminating[64];  ///< 0 .. 63 px
  FaxCode makeup[41];       ///< [n]: 64 n px; makeup[0] is empty
};

inline constexpr uint32_t kLongestMakeup = 2560;  // px

// clang-format off
/// All codes of a colour: its own, and those from 1792 px on, which both colours share.
constexpr FaxRunCodes run_codes(const FaxCode (&terminating)[64], const FaxCode (&makeup)[27]) {
  constexpr FaxCode kShared[13] = {
      "00000001000",  "00000001100",  "00000001101",  "000000010010", "000000010011",
      "000000010100", "000000010101", "000000010110", "000000010111", "000000011100",
      "000000011101", "000000011110", "000000011111"};
  FaxRunCodes codes = {};
  for (uint32_t i = 0; i < 64; ++i) codes.terminating[i] = terminating[i];
  for (uint32_t i = 0; i < 27; ++i) codes.makeup[1 + i] = makeup[i];
  for (uint32_t i = 0; i < 13; ++i) codes.makeup[28 + i] = kShared[i];
  return codes;
}

/// Of white runs and of black ones: [ink].
inline constexpr FaxRunCodes kRunCodes[2] = {
    run_codes(
        {"00110101", "000111",   "0111",     "1000",     "1011",     "1100",     "1110",     "1111",
         "10011",    "10100",    "00111",    "01000",    "001000",   "000011",   "110100",   "110101",
         "101010",   "101011",   "0100111",  "0001100",  "0001000",  "0010111",  "0000011",  "0000100",
         "0101000",  "0101011",  "0010011",  "0100100",  "0011000",  "00000010", "00000011", "00011010",
         "00011011", "00010010", "00010011", "00010100", "00010101", "00010110", "00010111", "00101000",
         "00101001", "00101010", "00101011", "00101100", "00101101", "00000100", "00000101", "00001010",
         "00001011", "01010010", "01010011", "01010100", "01010101", "00100100", "00100101", "01011000",
         "01011001", "01011010", "01011011", "01001010", "01001011", "00110010", "00110011", "00110100"},
        {"11011",     "10010",     "010111",    "0110111",   "00110110",  "00110111",  "01100100",
         "01100101",  "01101000",  "01100111",  "011001100", "011001101", "011010010", "011010011",
         "011010100", "011010101", "011010110", "011010111", "011011000", "011011001", "011011010",
         "011011011", "010011000", "010011001", "010011010", "011000",    "010011011"}),
    run_codes(
        {"0000110111",   "010",          "11",           "10",           "011",          "0011",
         "0010",         "00011",        "000101",       "000100",       "0000100",      "0000101",
         "0000111",      "00000100",     "00000111",     "000011000",    "0000010111",   "0000011000",
         "0000001000",   "00001100111",  "00001101000",  "00001101100",  "00000110111",  "00000101000",
         "00000010111",  "00000011000",  "000011001010", "000011001011", "000011001100", "000011001101",
         "000001101000", "000001101001", "000001101010", "000001101011", "000011010010", "000011010011",
         "000011010100", "000011010101", "000011010110", "000011010111", "000001101100", "000001101101",
         "000011011010", "000011011011", "000001010100", "000001010101", "000001010110", "000001010111",
         "000001100100", "000001100101", "000001010010", "000001010011", "000000100100", "000000110111",
         "000000111000", "000000100111", "000000101000", "000001011000", "000001011001", "000000101011",
         "000000101100", "000001011010", "000001100110", "000001100111"},
        {"0000001111",    "000011001000",  "000011001001",  "000001011011",  "000000110011",
         "000000110100",  "000000110101",  "0000001101100", "0000001101101", "0000001001010",
         "0000001001011", "0000001001100", "0000001001101", "0000001110010", "0000001110011",
         "0000001110100", "0000001110101", "0000001110110", "0000001110111", "0000001010010",
         "0000001010011", "0000001010100", "0000001010101", "0000001011010", "0000001011011",
         "0000001100100", "0000001100101"}),
};

/// The vertical modes, [a1 - b1 + 3]: VL(3) .. VL(1), V(0), VR(1) .. VR(3).
inline constexpr FaxCode kVerticalCodes[7] = {
    "0000010", "000010", "010", "1", "011", "000011", "0000011"};
// clang-format on

inline constexpr FaxCode kPassCode = "0001";
inline constexpr FaxCode kHorizontalCode = "001";  // two runs follow it
inline constexpr FaxCode kEndOfLine = "000000000001";

}  // namespace mezzo::codec
