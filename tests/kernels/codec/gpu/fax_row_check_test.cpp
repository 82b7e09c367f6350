// Rows that GPUs decode to check them, one after another on the host: strips of libtiff pass, and those
// with another bit only where they decode to the same rows.

#include "kernels/codec/gpu/fax_row_check.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "kernels/codec/fax_decode.h"
#include "tests/kernels/codec/bit_pages.h"
#include "tests/support/libtiff_strip.h"

namespace mezzo::test::fax_row_check_test {
namespace {

using codec::CodedBits;
using codec::kFaxCheckTables;
using codec::RowPair;
using codec::RowPlace;

constexpr uint32_t kEndBits = 24;

/// Rows in words of their own.
class WordRows {
 public:
  explicit WordRows(const BitBand& rows)
      : width_(rows.width_px),
        row_words_((rows.width_px + 31) / 32),
        words_(row_words_ * rows.rows) {
    for (uint32_t y = 0; y < rows.rows; ++y) {
      std::memcpy(&words_[row_words_ * y], rows.row(y), bit_row_bytes(width_));
    }
  }

  RowPair pair(uint32_t y, const RowPlace& place) const {
    const uint32_t* row = &words_[row_words_ * y];
    const uint32_t* above = y == 0 ? nullptr : row - row_words_;
    return {{row, width_, false, place.next()}, {above, width_, y == 0, place.next()}, width_};
  }

 private:
  uint32_t width_;
  size_t row_words_;
  std::vector<uint32_t> words_;
};

/// Whether row y decodes: at once, and in the smallest parts, with a new start for each.
bool row_decodes(const WordRows& rows, uint32_t y, uint32_t width, CodedBits& bits) {
  CodedBits in_parts = bits;
  RowPlace place, of_parts;
  const bool is_right = skip_codes(kFaxCheckTables, bits, UINT64_MAX, rows.pair(y, place), place) &&
                        place == RowPlace{place.bits, width, false};
  bool parts_are_right = true;
  while (parts_are_right && of_parts.column < width) {
    const RowPlace before = of_parts;
    const CodedBits at = in_parts;
    const uint64_t next = in_parts.position() + 1;
    parts_are_right = skip_codes(kFaxCheckTables, in_parts, next, rows.pair(y, of_parts), of_parts);
    if (of_parts.column < width || !of_parts.is_between_runs) continue;
    of_parts = before;  // both runs of the last code belong to one part
    in_parts = at;
    parts_are_right =
        skip_codes(kFaxCheckTables, in_parts, UINT64_MAX, rows.pair(y, of_parts), of_parts);
  }
  parts_are_right &= of_parts == RowPlace{of_parts.bits, width, false};
  EXPECT_EQ(parts_are_right, is_right);
  EXPECT_TRUE(!is_right || of_parts == place);
  return is_right;
}

/// Whether the strip decodes to the rows.
bool decodes(const std::vector<uint8_t>& strip, const BitBand& rows) {
  std::vector<uint32_t> words((strip.size() + 3) / 4);
  std::memcpy(words.data(), strip.data(), strip.size());
  const WordRows pixels(rows);
  CodedBits bits(words.data(), words.size(), 0);
  for (uint32_t y = 0; y < rows.rows; ++y) {
    if (!row_decodes(pixels, y, rows.width_px, bits)) return false;
  }
  return bits.peek() >> (32 - kEndBits) == 0x001001 &&
         strip.size() == (bits.position() + kEndBits + 7) / 8;
}

/// Bits of the strip but for those that fill its last byte.
uint64_t code_bits(const std::vector<uint8_t>& strip) {
  uint64_t bits = 8 * strip.size();
  while ((strip[(bits - 1) / 8] >> (7 - (bits - 1) % 8) & 1) == 0) --bits;
  return bits;
}

bool is_decoded_to(const std::vector<uint8_t>& strip, const BitBand& rows) {
  BitPlane decoded(rows.width_px, rows.rows);
  codec::FaxStrip of_decoder{std::as_bytes(std::span(strip)), decoded.band};
  codec::decode_fax(std::span(&of_decoder, 1), codec::FaxCoding::kG4);
  return of_decoder.right_rows == rows.rows && same_bits(decoded.band, rows);
}

/// Flips a bit, and back.
::testing::AssertionResult is_right_with_bit(std::vector<uint8_t>& strip,
                                             uint64_t bit,
                                             const BitBand& rows,
                                             uint32_t& refused) {
  const auto flip = [&] { strip[bit / 8] ^= static_cast<uint8_t>(0x80U >> bit % 8); };
  flip();
  const bool passes = decodes(strip, rows), is_equal = is_decoded_to(strip, rows);
  flip();
  if (!passes) ++refused;
  if (!passes || is_equal) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "bit " << bit << " of " << rows.width_px << " x " << rows.rows << " px";
}

TEST(FaxRowCheck, PassesEveryPairOfNarrowRowsAndNoOther) {
  uint32_t flips = 0, refused = 0;
  for (uint32_t width = 1; width <= 6; ++width) {
    for (uint32_t pixels = 0; pixels < 1U << 2 * width; ++pixels) {
      BitPlane plane(width, 2);
      clear(plane);
      for (uint32_t i = 0; i < 2 * width; ++i) {
        set_ink(plane.band, i % width, i / width, (pixels >> i & 1) != 0);
      }
      std::vector<uint8_t> strip = libtiff_strip(plane.band, COMPRESSION_CCITTFAX4);
      ASSERT_TRUE(decodes(strip, plane.band)) << "pixels " << pixels;
      for (uint64_t bit = 0; bit < code_bits(strip); ++bit, ++flips) {
        ASSERT_TRUE(is_right_with_bit(strip, bit, plane.band, refused)) << "pixels " << pixels;
      }
      set_ink(plane.band, pixels % width, 1, !plane.band.ink(pixels % width, 1));
      ASSERT_FALSE(decodes(strip, plane.band)) << "pixels " << pixels;
    }
  }
  EXPECT_GT(refused, flips - flips / 20) << "few rows have two codes so close";
}

TEST(FaxRowCheck, PassesRandomRowsAndNoOther) {
  constexpr uint32_t kPages = 600, kFlips = 40;
  uint32_t refused = 0;
  std::mt19937 random(5);
  for (uint32_t i = 0; i < kPages; ++i) {
    const uint32_t most = i % 3 == 0 ? 70 : i % 3 == 1 ? 2100 : 9000;
    const auto width = static_cast<uint32_t>(1 + random() % most);
    BitPlane plane(width, static_cast<uint32_t>(1 + random() % 9));
    clear(plane);
    fill_with_runs(plane.band, random);
    std::vector<uint8_t> strip = libtiff_strip(plane.band, COMPRESSION_CCITTFAX4);
    ASSERT_TRUE(decodes(strip, plane.band)) << "page " << i;
    for (uint32_t flip = 0; flip < kFlips; ++flip) {
      ASSERT_TRUE(is_right_with_bit(strip, random() % code_bits(strip), plane.band, refused))
          << "page " << i;
    }
  }
  EXPECT_GT(refused, kPages * kFlips - kPages * kFlips / 20);
}

/// The last part of a row may begin between two runs, the second of one pixel.
TEST(FaxRowCheck, PassesALastPixelAlone) {
  for (const uint32_t width : {31U, 32U, 33U, 1023U, 1024U, 1025U, 4096U}) {
    for (const bool ink : {false, true}) {
      BitPlane plane(width, 2);
      clear(plane);
      for (uint32_t x = 0; x < width; ++x) {
        set_ink(plane.band, x, 0, ink);
        set_ink(plane.band, x, 1, (x + 1 < width) != ink);
      }
      ASSERT_TRUE(decodes(libtiff_strip(plane.band, COMPRESSION_CCITTFAX4), plane.band)) << width;
    }
  }
}

/// Runs on both sides of every number of the longest make-up codes.
TEST(FaxRowCheck, PassesLongRuns) {
  for (const uint32_t run : {63U, 64U, 2559U, 2560U, 2623U, 2624U, 2625U, 5183U, 5184U, 12800U}) {
    for (const uint32_t begin : {0U, 1U, 1023U}) {
      for (const bool ink : {false, true}) {
        BitPlane plane(begin + run + 40, 2);
        clear(plane);
        for (uint32_t x = 0; x < plane.band.width_px; ++x) {
          set_ink(plane.band, x, 0, (x >= begin && x < begin + run) == ink);
          set_ink(plane.band, x, 1, x % 2 == 0 && (x < begin || x >= begin + run));
        }
        ASSERT_TRUE(decodes(libtiff_strip(plane.band, COMPRESSION_CCITTFAX4), plane.band))
            << run << " from " << begin;
      }
    }
  }
}

}  // namespace
}  // namespace mezzo::test::fax_row_check_test
