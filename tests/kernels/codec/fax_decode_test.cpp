// libtiff is the oracle: it codes rows and decodes damaged strips.
#include "kernels/codec/fax_decode.h"

#include <gtest/gtest.h>
#include <tiffio.h>

#include <algorithm>
#include <cstdarg>
#include <cstring>
#include <random>
#include <span>
#include <vector>

#include "tests/support/libtiff_strip.h"
#include "tests/support/shared_oracle.h"
#include "tests/support/simd_target.h"

namespace mezzo::codec::fax_decode_test {
namespace {

using Bytes = std::vector<uint8_t>;

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  uint32_t operator()() { return static_cast<uint32_t>(engine_()); }

 private:
  std::mt19937 engine_;
};

uint16_t tiff_number(FaxCoding coding) {
  return coding == FaxCoding::kG3 ? COMPRESSION_CCITTFAX3 : COMPRESSION_CCITTFAX4;
}

/// Rows that own their memory, without gaps.
struct Rows {
  Rows(uint32_t width, uint32_t count, uint8_t fill = 0)
      : width_px(width), rows(count), bits(bit_row_bytes(width) * count, fill) {}
  BitBand band() { return {bits.data(), width_px, rows, bit_row_bytes(width_px)}; }

  void ink(uint32_t x, uint32_t y) {
    uint8_t& byte = bits[y * bit_row_bytes(width_px) + x / 8];
    byte = static_cast<uint8_t>(byte | 0x80U >> x % 8);
  }

  uint32_t width_px;
  uint32_t rows;
  Bytes bits;
};

/// Runs of ink and paper of 1 to `most` px; with `moves`, most changes are near one of the row above.
Rows random_rows(Random& random, uint32_t width, uint32_t count, uint32_t most, bool moves) {
  Rows rows(width, count);
  std::vector<uint32_t> changes;
  for (uint32_t y = 0; y < count; ++y) {
    std::vector<uint32_t> row;
    if (moves && !changes.empty()) {
      for (const uint32_t x : changes) {
        const int64_t to = int64_t{x} + static_cast<int64_t>(random() % 9) - 4;
        if (random() % 16 != 0 && to >= 0 && to < width) row.push_back(static_cast<uint32_t>(to));
      }
      std::sort(row.begin(), row.end());
      row.erase(std::unique(row.begin(), row.end()), row.end());
    } else {
      for (uint32_t x = random() % 2 * (random() % most); x < width; x += 1 + random() % most) {
        row.push_back(x);
      }
    }
    for (size_t i = 0; i < row.size(); i += 2) {
      const uint32_t end = i + 1 < row.size() ? row[i + 1] : width;
      for (uint32_t x = row[i]; x < end; ++x) rows.ink(x, y);
    }
    changes = random() % 32 == 0 ? std::vector<uint32_t>{} : row;
  }
  return rows;
}

/// Rows of all kinds, as strips of one width.
std::vector<Rows> all_kinds(Random& random, uint32_t width, uint32_t count) {
  std::vector<Rows> kinds;
  kinds.emplace_back(width, count);
  Rows& solid = kinds.emplace_back(width, count);
  for (uint32_t y = 0; y < count; ++y) {
    for (uint32_t x = 0; x < width; ++x) solid.ink(x, y);
  }
  Rows& checks = kinds.emplace_back(width, count);
  for (uint32_t y = 0; y < count; ++y) {
    for (uint32_t x = y % 2; x < width; x += 2) checks.ink(x, y);
  }
  Rows& ends = kinds.emplace_back(width, count);  // first or last pixels alone
  for (uint32_t y = 0; y < count; ++y) {
    if (y % 3 != 0) ends.ink(0, y);
    if (y % 5 > 1) ends.ink(width - 1, y);
  }
  for (const uint32_t most : {1U, 2U, 4U, 9U, 30U, 200U, 3000U}) {
    kinds.push_back(random_rows(random, width, count, most, false));
    kinds.push_back(random_rows(random, width, count, most, true));
  }
  return kinds;
}

/// What decode_fax() makes of coded strips, all in one call.
std::vector<FaxStrip> decode(const std::vector<Bytes>& coded,
                             std::vector<Rows>& decoded,
                             FaxCoding coding) {
  std::vector<FaxStrip> strips(coded.size());
  for (size_t i = 0; i < strips.size(); ++i) {
    strips[i].coded = std::as_bytes(std::span(coded[i]));
    strips[i].rows = decoded[i].band();
  }
  decode_fax(strips, coding);
  return strips;
}

std::vector<Bytes> coded_by_libtiff(std::vector<Rows>& rows, FaxCoding coding) {
  std::vector<Bytes> coded;
  for (Rows& strip : rows) coded.push_back(test::libtiff_strip(strip.band(), tiff_number(coding)));
  return coded;
}

void expect_decoded(const std::vector<Bytes>& coded,
                    const std::vector<Rows>& rows,
                    FaxCoding coding) {
  std::vector<Rows> decoded;
  for (const Rows& strip : rows) decoded.emplace_back(strip.width_px, strip.rows, uint8_t{0xA5});
  const std::vector<FaxStrip> strips = decode(coded, decoded, coding);
  for (size_t i = 0; i < rows.size(); ++i) {
    ASSERT_EQ(strips[i].right_rows, rows[i].rows) << "strip " << i << " " << rows[i].width_px;
    ASSERT_EQ(decoded[i].bits, rows[i].bits)
        << "strip " << i << " of " << rows[i].width_px << " px";
  }
}

/// On each target. Those with AVX-512 decode strips side by side, the others code by code.
class FaxDecode : public test::OnTarget {
 protected:
  void expect_decoded(std::vector<Rows>& rows, FaxCoding coding) {
    const auto code = [&] { return coded_by_libtiff(rows, coding); };
    fax_decode_test::expect_decoded(libtiff_.next(code), rows, coding);
  }

 private:
  test::SharedOracle<std::vector<Bytes>> libtiff_;
};

constexpr FaxCoding kCodings[] = {FaxCoding::kG3, FaxCoding::kG4};

TEST_P(FaxDecode, DecodesWhatLibtiffCodes) {
  Random random(1);
  for (uint32_t width = 1; width <= 600; width += width < 140 ? 1 : 23) {
    std::vector<Rows> rows = all_kinds(random, width, 1 + random() % 20);
    for (const FaxCoding coding : kCodings) expect_decoded(rows, coding);
  }
}

TEST_P(FaxDecode, DecodesWideRows) {
  Random random(2);
  for (const uint32_t width : {4096U, 30'007U}) {
    std::vector<Rows> rows = all_kinds(random, width, 8);
    for (const FaxCoding coding : kCodings) expect_decoded(rows, coding);
  }
}

TEST_P(FaxDecode, DecodesAStripByItself) {
  Random random(3);
  for (const uint32_t most : {2U, 12U, 500U}) {
    std::vector<Rows> rows;
    rows.push_back(random_rows(random, 777, 50, most, true));
    for (const FaxCoding coding : kCodings) expect_decoded(rows, coding);
  }
}

TEST_P(FaxDecode, DecodesStripsOfDifferentSizesTogether) {
  Random random(4);
  std::vector<Rows> rows;
  for (uint32_t i = 0; i < 60; ++i) {
    const uint32_t width = 1 + random() % 3000;
    rows.push_back(random_rows(random, width, 1 + random() % 40, 1 + random() % 9, i % 2 == 0));
  }
  for (const FaxCoding coding : kCodings) expect_decoded(rows, coding);
}

/// Every row of 7 px below every other.
TEST_P(FaxDecode, DecodesAllPairsOfNarrowRows) {
  std::vector<Rows> rows(9, Rows(7, 2 * 128 * 128));
  for (Rows& strip : rows) {
    for (uint32_t pair = 0; pair < 128 * 128; ++pair) {
      strip.bits[2 * pair] = static_cast<uint8_t>(pair / 128 << 1);
      strip.bits[2 * pair + 1] = static_cast<uint8_t>(pair % 128 << 1);
    }
  }
  for (const FaxCoding coding : kCodings) expect_decoded(rows, coding);
}

void expect_gaps_left(FaxCoding coding) {
  Random random(5);
  std::vector<Rows> rows;
  std::vector<Bytes> coded, memory;
  for (uint32_t i = 0; i < 9; ++i) {
    rows.push_back(random_rows(random, 333, 20, 3, true));
    coded.push_back(test::libtiff_strip(rows.back().band(), tiff_number(coding)));
    memory.emplace_back(100 * 20 - 58, uint8_t{0xA5});  // no gap behind the last row
  }
  std::vector<FaxStrip> strips(coded.size());
  for (size_t i = 0; i < strips.size(); ++i) {
    strips[i].coded = std::as_bytes(std::span(coded[i]));
    strips[i].rows = {memory[i].data(), 333, 20, 100};
  }
  decode_fax(strips, coding);
  for (size_t i = 0; i < strips.size(); ++i) {
    ASSERT_EQ(strips[i].right_rows, 20U);
    for (uint32_t y = 0; y < 20; ++y) {
      const uint8_t* row = strips[i].rows.row(y);
      ASSERT_EQ(std::memcmp(row, rows[i].band().row(y), 42), 0);
      for (uint32_t k = 42; y < 19 && k < 100; ++k) ASSERT_EQ(row[k], 0xA5);
    }
  }
}

TEST_P(FaxDecode, LeavesGapsBetweenRowsAlone) {
  for (const FaxCoding coding : kCodings) expect_gaps_left(coding);
}

int faults = 0;  // that libtiff told
bool has_no_room =
    false;  // for the runs of a row: libtiff takes fewer than G3 may have, a pixel each

/// Counts what libtiff tells, and is silent.
class CountFaults {
 public:
  CountFaults() : warning_(TIFFSetWarningHandler(count)), error_(TIFFSetErrorHandler(count)) {}
  ~CountFaults() {
    TIFFSetWarningHandler(warning_);
    TIFFSetErrorHandler(error_);
  }

 private:
  static void count(const char*, const char* text, va_list) {
    ++faults;
    has_no_room = has_no_room || std::strncmp(text, "Buffer overflow", 15) == 0;
  }
  TIFFErrorHandler warning_, error_;
};

/// What libtiff makes of a coded strip; nothing when it finds a fault.
Bytes libtiff_rows(const Bytes& coded, uint32_t width, uint32_t rows, FaxCoding coding) {
  test::MemoryTiff file;
  TIFF* tiff = file.open("wm");
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, rows);
  TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, rows);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 1);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISWHITE);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, tiff_number(coding));
  Bytes copy = coded;
  TIFFWriteRawStrip(tiff, 0, copy.data(), static_cast<tmsize_t>(copy.size()));
  TIFFClose(tiff);
  Bytes bits(bit_row_bytes(width) * rows);
  faults = 0;
  has_no_room = false;
  tiff = file.open("rm");
  const auto bytes = static_cast<tmsize_t>(bits.size());
  if (TIFFReadEncodedStrip(tiff, 0, bits.data(), bytes) != bytes) ++faults;
  TIFFClose(tiff);
  return faults == 0 ? bits : Bytes();
}

/// Decodes strips that may be damaged. Where all rows are right, libtiff reads the same, without a word.
/// Returns the number of those strips.
uint32_t expect_libtiffs_rows(const std::vector<Bytes>& coded,
                              uint32_t width,
                              uint32_t rows,
                              FaxCoding coding) {
  const CountFaults silence;
  std::vector<Rows> decoded(coded.size(), Rows(width, rows, 0xA5));
  const std::vector<FaxStrip> strips = decode(coded, decoded, coding);
  uint32_t right = 0;
  for (size_t i = 0; i < coded.size(); ++i) {
    EXPECT_LE(strips[i].right_rows, rows);
    if (strips[i].right_rows < rows) continue;
    ++right;
    const Bytes expected = libtiff_rows(coded[i], width, rows, coding);
    if (!has_no_room) {
      EXPECT_EQ(decoded[i].bits, expected) << "strip " << i;
    }
  }
  return right;
}

void expect_libtiffs_rows_of_damaged_strips(FaxCoding coding) {
  Random random(6);
  uint32_t right = 0;
  for (int round = 0; round < 100; ++round) {
    const uint32_t width = 1 + random() % (round % 3 == 0 ? 70 : 1200);
    const uint32_t rows = 1 + random() % 12;
    const uint32_t most = 1U << random() % 8;
    std::vector<Bytes> coded;
    for (int i = 0; i < 24; ++i) {
      Rows strip = random_rows(random, width, rows, most, i % 2 == 0);
      Bytes bytes = test::libtiff_strip(strip.band(), tiff_number(coding));
      for (uint32_t flips = random() % 4; flips > 0; --flips) {
        uint8_t& byte = bytes[random() % bytes.size()];
        byte = static_cast<uint8_t>(byte ^ 1U << random() % 8);
      }
      coded.push_back(std::move(bytes));
    }
    right += expect_libtiffs_rows(coded, width, rows, coding);
    ASSERT_FALSE(::testing::Test::HasFailure());
  }
  EXPECT_GT(right, 450U);  // a quarter, 600, has no flip
  EXPECT_LT(right, 1800U);
}

TEST_P(FaxDecode, AcceptsOfDamagedStripsOnlyWhatLibtiffReads) {
  for (const FaxCoding coding : kCodings) expect_libtiffs_rows_of_damaged_strips(coding);
}

void expect_libtiffs_rows_of_random_bytes(FaxCoding coding) {
  Random random(7);
  for (int round = 0; round < 100; ++round) {
    const uint32_t rows = 1 + random() % 8;
    std::vector<Bytes> coded;
    for (int i = 0; i < 24; ++i) {
      Bytes& bytes = coded.emplace_back(8 + random() % 400);
      for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
      // Many ones, which are vertical codes, and an end of line in front.
      for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(byte | (i % 2 == 0 ? random() : 0));
      if (coding == FaxCoding::kG3) bytes.insert(bytes.begin(), {0x00, 0x10});
    }
    expect_libtiffs_rows(coded, 1 + random() % 300, rows, coding);
    ASSERT_FALSE(::testing::Test::HasFailure());
  }
}

TEST_P(FaxDecode, AcceptsOfRandomBytesOnlyWhatLibtiffReads) {
  for (const FaxCoding coding : kCodings) expect_libtiffs_rows_of_random_bytes(coding);
}

void expect_end_at_the_cut(FaxCoding coding) {
  Random random(8);
  for (const uint32_t most : {1U, 3U, 20U}) {
    Rows rows = random_rows(random, 500, 12, most, true);
    const Bytes whole = test::libtiff_strip(rows.band(), tiff_number(coding));
    std::vector<Bytes> coded;
    for (size_t bytes = 0; bytes < whole.size(); ++bytes) {
      coded.emplace_back(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(bytes));
    }
    std::vector<Rows> decoded(coded.size(), Rows(500, 12));
    const std::vector<FaxStrip> strips = decode(coded, decoded, coding);
    uint32_t least = 0;
    for (size_t i = 0; i < coded.size(); ++i) {
      EXPECT_GE(strips[i].right_rows, least);
      least = strips[i].right_rows;
      EXPECT_EQ(std::memcmp(decoded[i].bits.data(), rows.bits.data(), least * size_t{63}), 0);
    }
    EXPECT_LT(strips[0].right_rows, 1U);
    EXPECT_GE(least, 11U);
  }
}

TEST_P(FaxDecode, EndsWhereAStripIsCutOff) {
  for (const FaxCoding coding : kCodings) expect_end_at_the_cut(coding);
}

/// A vertical code that goes back behind a0, below two changes close to each other.
/// Encoders write a vertical code there; libtiff reads it.
TEST_P(FaxDecode, TakesAPassThatEndsTheRow) {
  constexpr uint32_t kWidth = 32, kRows = 40;
  std::string text =
      "001"
      "00111"
      "00000110111"
      "0001";  // 10 of paper, 22 of ink; a pass
  text.resize(text.size() + 300, '1');
  Bytes coded((text.size() + 7) / 8);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '1') coded[i / 8] = static_cast<uint8_t>(coded[i / 8] | 0x80U >> i % 8);
  }
  for (const size_t together : {1U, 2U, 20U}) {
    std::vector<Rows> decoded(together, Rows(kWidth, kRows, 0xA5));
    const auto strips = decode(std::vector<Bytes>(together, coded), decoded, FaxCoding::kG4);
    for (size_t i = 0; i < together; ++i) {
      EXPECT_EQ(strips[i].right_rows, kRows) << together << " strips";
      EXPECT_EQ(decoded[i].bits, decoded[0].bits);
    }
  }
}

TEST(FaxDecodeG4, RefusesToGoBack) {
  // Row 1: horizontal, 10 px of paper, 1 of ink; the rest is paper. Row 2: V(0), then VL(3).
  //        001 00111 010 | 1 | 1 0000010 ...
  const Bytes coded = {0x27, 0x58, 0x2F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
  std::vector<Bytes> strips(9, coded);
  std::vector<Rows> decoded(9, Rows(100, 2));
  for (const FaxStrip& strip : decode(strips, decoded, FaxCoding::kG4)) {
    EXPECT_EQ(strip.right_rows, 1U);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets,
                         FaxDecode,
                         ::testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& test) { return hwy::TargetName(test.param); });

}  // namespace
}  // namespace mezzo::codec::fax_decode_test
