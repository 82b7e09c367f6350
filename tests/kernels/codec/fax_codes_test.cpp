// The tables of fax codes: no code begins with another, and libtiff codes every length of run and
// every mode alike.

#include "kernels/codec/fax_codes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/kernels/planes.h"
#include "tests/support/libtiff_strip.h"

namespace mezzo::test::fax_codes_test {
namespace {

using codec::FaxCode;
using codec::kRunCodes;

std::string text_of(const FaxCode& code) {
  std::string text;
  for (uint32_t i = code.length; i-- > 0;) text += (code.bits >> i & 1) != 0 ? '1' : '0';
  return text;
}

/// A run as the standard codes it.
std::string run_text(bool ink, uint32_t run) {
  std::string text;
  for (; run > codec::kLongestMakeup + 63; run -= codec::kLongestMakeup) {
    text += text_of(kRunCodes[ink].makeup[codec::kLongestMakeup / 64]);
  }
  return text + text_of(kRunCodes[ink].makeup[run / 64]) +
         text_of(kRunCodes[ink].terminating[run % 64]);
}

/// Bits as text, the first ones of bytes.
std::string first_bits(const std::vector<uint8_t>& bytes, size_t count) {
  std::string text;
  for (size_t i = 0; i < count && i / 8 < bytes.size(); ++i) {
    text += (bytes[i / 8] >> (7 - i % 8) & 1) != 0 ? '1' : '0';
  }
  return text;
}

/// Rows without ink.
struct Paper : BitPlane {
  Paper(uint32_t width_px, uint32_t rows) : BitPlane(width_px, rows) {
    std::fill(bytes.begin(), bytes.end(), uint8_t{0});
  }
};

/// Adds ink to row `y` from `begin` to before `end`.
void ink(Paper& plane, uint32_t y, uint32_t begin, uint32_t end) {
  for (uint32_t x = begin; x < end; ++x) {
    plane.band.row(y)[x / 8] |= static_cast<uint8_t>(0x80U >> x % 8);
  }
}

void expect_prefix_free(const std::vector<FaxCode>& codes) {
  for (size_t i = 0; i < codes.size(); ++i) {
    EXPECT_GT(codes[i].length, 0);
    for (size_t j = 0; j < codes.size(); ++j) {
      if (i == j) continue;
      EXPECT_FALSE(text_of(codes[j]).starts_with(text_of(codes[i])))
          << "code " << i << " is the beginning of code " << j;
    }
  }
}

TEST(FaxCodes, NoCodeBeginsWithAnother) {
  for (const codec::FaxRunCodes& colour : kRunCodes) {
    std::vector<FaxCode> codes(std::begin(colour.terminating), std::end(colour.terminating));
    codes.insert(codes.end(), std::begin(colour.makeup) + 1, std::end(colour.makeup));
    codes.push_back(codec::kEndOfLine);
    expect_prefix_free(codes);
    EXPECT_EQ(colour.makeup[0].length, 0);
  }
  std::vector<FaxCode> modes(std::begin(codec::kVerticalCodes), std::end(codec::kVerticalCodes));
  modes.insert(modes.end(), {codec::kPassCode, codec::kHorizontalCode, codec::kEndOfLine});
  expect_prefix_free(modes);
}

TEST(FaxCodes, RunsAreThoseOfLibtiff) {
  constexpr uint32_t kWidth = 6000;
  for (uint32_t white = 0; white <= kWidth; white += white < 2700 ? 1 : 97) {
    Paper row(kWidth, 1);
    ink(row, 0, white, kWidth);
    const std::string expected = text_of(codec::kEndOfLine) + run_text(false, white) +
                                 (white < kWidth ? run_text(true, kWidth - white) : "");
    const auto strip = libtiff_strip(row.band, COMPRESSION_CCITTFAX3);
    ASSERT_EQ(first_bits(strip, expected.size()), expected) << white << " white pixels";
    ASSERT_EQ(strip.size(), (expected.size() + 7) / 8);
  }
}

TEST(FaxCodes, RunsOfInkAreThoseOfLibtiff) {
  constexpr uint32_t kWidth = 6000;
  for (uint32_t black = 1; black <= kWidth; black += black < 2700 ? 1 : 97) {
    Paper row(kWidth, 1);
    ink(row, 0, 0, black);
    const std::string expected = text_of(codec::kEndOfLine) + run_text(false, 0) +
                                 run_text(true, black) +
                                 (black < kWidth ? run_text(false, kWidth - black) : "");
    ASSERT_EQ(first_bits(libtiff_strip(row.band, COMPRESSION_CCITTFAX3), expected.size()), expected)
        << black << " pixels of ink";
  }
}

TEST(FaxCodes, ModesAreThoseOfLibtiff) {
  const std::string end = text_of(codec::kVerticalCodes[3]);  // of a row, where the one above ends
  const std::string first = text_of(codec::kHorizontalCode) + run_text(false, 20) +
                            run_text(true, 10) + end;  // ink in 20 .. 29, below white
  for (int move = -3; move <= 3; ++move) {
    Paper plane(100, 2);
    ink(plane, 0, 20, 30);
    ink(plane, 1, static_cast<uint32_t>(20 + move), 30);
    const std::string expected = first + text_of(codec::kVerticalCodes[move + 3]) + end + end;
    EXPECT_EQ(first_bits(libtiff_strip(plane.band, COMPRESSION_CCITTFAX4), expected.size()),
              expected)
        << "the left edge moves by " << move;
  }
  Paper plane(100, 2);
  ink(plane, 0, 20, 30);
  const std::string passed = first + text_of(codec::kPassCode) + end;
  const std::string all = passed + text_of(codec::kEndOfLine) + text_of(codec::kEndOfLine);
  EXPECT_EQ(first_bits(libtiff_strip(plane.band, COMPRESSION_CCITTFAX4), all.size()), all);
}

}  // namespace
}  // namespace mezzo::test::fax_codes_test
