// Fax coding against libtiff and against a walk along each row as T.6 describes it, on every SIMD
// target.
#ifdef __OPTIMIZE__
#define HWY_WANT_AVX3_DL  // as in fax_encode.cpp
#endif

#include "kernels/codec/fax_encode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <vector>

#include "kernels/codec/fax_codes.h"
#include "tests/support/libtiff_strip.h"
#include "tests/support/simd_target.h"

namespace mezzo::test::fax_encode_test {
namespace {

using codec::Fax;
using codec::FaxCode;

/// Packed rows of ink, with a gap between them whose bits are set.
class Rows {
 public:
  Rows(uint32_t width_px, uint32_t rows)
      : width_px_(width_px), stride_(bit_row_bytes(width_px) + 1), bytes_(stride_ * rows) {
    for (uint32_t y = 0; y < rows; ++y) bytes_[stride_ * (y + 1) - 1] = 0xFF;
  }

  BitBand band() {
    const auto rows = static_cast<uint32_t>(bytes_.size() / stride_);
    return {bytes_.data(), width_px_, rows, stride_};
  }
  bool ink(int64_t x, uint32_t y) { return band().ink(static_cast<uint32_t>(x), y); }
  void set(uint32_t x, uint32_t y, bool ink) {
    const auto bit = static_cast<uint8_t>(0x80U >> x % 8);
    uint8_t& byte = bytes_[stride_ * y + x / 8];
    byte = static_cast<uint8_t>(ink ? byte | bit : byte & ~bit);
  }

 private:
  uint32_t width_px_;
  size_t stride_;
  std::vector<uint8_t> bytes_;
};

/// Each row in one of several ways by itself; most take something from the row above.
Rows mixed_rows(uint32_t width, uint32_t rows, uint64_t seed) {
  std::mt19937_64 random(seed);
  Rows made(width, rows);
  for (uint32_t y = 0; y < rows; ++y) {
    const auto way = static_cast<uint32_t>(random() % 9);
    const uint64_t apart = 1 + random() % (random() % 2 == 0 ? 8 : 300);
    const int64_t shift = static_cast<int64_t>(random() % 9) - 4;
    const bool paper = random() % 2 == 0;
    bool run = random() % 2 == 0;
    for (uint32_t x = 0; x < width; ++x) {
      const int64_t from = int64_t{x} + shift;
      const bool above = y > 0 && from >= 0 && from < width && made.ink(from, y - 1);
      if (random() % apart == 0) run = !run;
      const bool ways[] = {random() % 2 == 0,      // noise
                           random() % apart == 0,  // single pixels
                           run,                    // runs
                           above,                  // the row above, moved
                           above != (random() % apart == 0),
                           above || random() % apart == 0,
                           above && random() % apart != 0,
                           x % 2 == 0,
                           paper};
      made.set(x, y, ways[way]);
    }
  }
  return made;
}

std::vector<uint8_t> encoded(const BitBand& rows, Fax fax) {
  std::vector<uint8_t> coded(codec::most_fax_bytes(rows.width_px, rows.rows));
  coded.resize(codec::encode_fax(rows, fax, std::as_writable_bytes(std::span(coded))));
  return coded;
}

/// T.6 as the standard describes it: a walk from change to change, a bit of the result a bool.
class Walk {
 public:
  explicit Walk(Rows& rows) : rows_(rows), width_(rows.band().width_px) {}

  std::vector<uint8_t> coded() {
    for (uint32_t y = 0; y < rows_.band().rows; ++y) code_row(y);
    put(codec::kEndOfLine);
    put(codec::kEndOfLine);
    std::vector<uint8_t> bytes((bits_.size() + 7) / 8);
    for (size_t i = 0; i < bits_.size(); ++i) {
      if (bits_[i]) bytes[i / 8] |= static_cast<uint8_t>(0x80U >> i % 8);
    }
    return bytes;
  }

 private:
  /// The pixel of row `y`, which is paper left of the page and above it.
  bool ink(int64_t x, int64_t y) {
    return x >= 0 && y >= 0 && rows_.ink(x, static_cast<uint32_t>(y));
  }
  /// The first change right of `x`, or the end of the row.
  int64_t change_behind(int64_t x, int64_t y) {
    do ++x;
    while (x < width_ && ink(x, y) == ink(x - 1, y));
    return x;
  }
  void code_row(int64_t y) {
    bool colour = false;
    for (int64_t a0 = -1; a0 < width_;) {
      const int64_t a1 = change_behind(a0, y);
      int64_t b1 = change_behind(a0, y - 1);
      while (b1 < width_ && ink(b1, y - 1) == colour) b1 = change_behind(b1, y - 1);
      const int64_t b2 = b1 < width_ ? change_behind(b1, y - 1) : width_;
      if (b2 < a1) {
        put(codec::kPassCode);
        a0 = b2;
      } else if (std::abs(a1 - b1) <= 3) {
        put(codec::kVerticalCodes[a1 - b1 + 3]);
        a0 = a1;
        colour = !colour;
      } else {
        const int64_t a2 = a1 < width_ ? change_behind(a1, y) : width_;
        put(codec::kHorizontalCode);
        put_run(colour, a1 - std::max<int64_t>(a0, 0));
        put_run(!colour, a2 - a1);
        a0 = a2;
      }
    }
  }
  void put_run(bool ink, int64_t run) {
    for (; run >= 2624; run -= 2560) put(codec::kRunCodes[ink].makeup[40]);
    if (run >= 64) put(codec::kRunCodes[ink].makeup[run / 64]);
    put(codec::kRunCodes[ink].terminating[run % 64]);
  }
  void put(FaxCode code) {
    for (uint32_t i = code.length; i-- > 0;) bits_.push_back((code.bits >> i & 1) != 0);
  }

  Rows& rows_;
  int64_t width_;
  std::vector<bool> bits_;
};

/// Checks strips of `rows_each` rows against libtiff's, on every target.
void expect_libtiff_strips(const BitBand& rows, uint32_t rows_each, Fax fax) {
  const uint16_t number = fax == Fax::kT6 ? COMPRESSION_CCITTFAX4 : COMPRESSION_CCITTFAX3;
  const auto strips = libtiff_strips(rows, rows_each, number);
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const UseTarget use(target);
    for (uint32_t i = 0; i < strips.size(); ++i) {
      const uint32_t first = i * rows_each;
      const BitBand strip = rows.slice(first, std::min(rows_each, rows.rows - first));
      ASSERT_EQ(encoded(strip, fax), strips[i])
          << strip.rows << " rows of " << rows.width_px << " px on " << hwy::TargetName(target);
    }
  }
}

class FaxEncodeOnTarget : public OnTarget {};

TEST_P(FaxEncodeOnTarget, CodesAllPairsOfShortRowsAsTheStandardWalks) {
  for (uint32_t width = 1; width <= 8; ++width) {
    for (uint32_t pixels = 0; pixels < 1U << 2 * width; ++pixels) {
      Rows rows(width, 2);
      for (uint32_t i = 0; i < 2 * width; ++i) {
        rows.set(i % width, i / width, (pixels >> i & 1) != 0);
      }
      ASSERT_EQ(encoded(rows.band(), Fax::kT6), Walk(rows).coded())
          << "width " << width << ", pixels " << pixels;
    }
  }
}

TEST_P(FaxEncodeOnTarget, CodesMixedRowsAsTheStandardWalks) {
  std::mt19937_64 random(21);
  for (uint32_t round = 0; round < 500; ++round) {
    Rows rows = mixed_rows(static_cast<uint32_t>(1 + random() % 700), 4, random());
    ASSERT_EQ(encoded(rows.band(), Fax::kT6), Walk(rows).coded()) << "round " << round;
  }
}

TEST_P(FaxEncodeOnTarget, TouchesNothingBehindTheMostBytes) {
  for (uint32_t width : {1U, 7U, 64U, 65U, 511U, 512U, 513U, 5000U}) {
    for (uint32_t pattern : {0x00U, 0xFFU, 0x55U, 0x33U}) {
      std::vector<uint8_t> packed(3 * bit_row_bytes(width), static_cast<uint8_t>(pattern));
      const BitBand rows{packed.data(), width, 3, bit_row_bytes(width)};
      const size_t most = codec::most_fax_bytes(width, 3);
      std::vector<std::byte> coded(most + 64, std::byte{0x5A});
      for (const Fax fax : {Fax::kT4, Fax::kT6}) {
        EXPECT_LE(codec::encode_fax(rows, fax, std::span(coded).first(most)), most);
        for (size_t i = most; i < coded.size(); ++i) ASSERT_EQ(coded[i], std::byte{0x5A});
      }
    }
  }
}

MZ_ON_EVERY_TARGET(On, FaxEncodeOnTarget);

class FaxEncode : public ::testing::TestWithParam<Fax> {};

/// 40,000 rows; with --gtest_repeat, others each time.
TEST_P(FaxEncode, WritesTheBytesOfLibtiffAtEveryWidth) {
  constexpr uint32_t kStrips = 32;
  static uint64_t seed = 0;
  std::mt19937_64 random(++seed);
  uint64_t rows = 0;
  for (uint32_t round = 0; rows < 40'000; ++round) {
    const uint32_t width = 1 + round % 600;
    const auto rows_each = static_cast<uint32_t>(1 + random() % 8);
    Rows made = mixed_rows(width, kStrips * rows_each, random());
    ASSERT_NO_FATAL_FAILURE(expect_libtiff_strips(made.band(), rows_each, GetParam()));
    rows += kStrips * rows_each;
  }
}

TEST_P(FaxEncode, WritesTheBytesOfLibtiffForWideRows) {
  std::mt19937_64 random(20);
  for (uint32_t round = 0; round < 50; ++round) {
    Rows made = mixed_rows(static_cast<uint32_t>(600 + random() % 9000), 10, random());
    ASSERT_NO_FATAL_FAILURE(expect_libtiff_strips(made.band(), 5, GetParam()));
  }
}

/// The page at which the file stands, if it is bilevel and in strips. Rows that libtiff cannot read
/// are paper.
void add_bilevel_page(TIFF* tiff, std::vector<Rows>& pages) {
  uint32_t width = 0, height = 0;
  uint16_t bits = 1, samples = 1;
  TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
  const bool has_size = width > 0 && width < 100'000 && height > 0 && height < 100'000;
  if (bits != 1 || samples != 1 || !has_size || TIFFIsTiled(tiff) != 0) return;
  std::vector<uint8_t> row(static_cast<size_t>(TIFFScanlineSize(tiff)));
  Rows& rows = pages.emplace_back(width, height);
  for (uint32_t y = 0; y < height && TIFFReadScanline(tiff, row.data(), y) == 1; ++y) {
    for (uint32_t x = 0; x < width; ++x) rows.set(x, y, (row[x / 8] << x % 8 & 0x80) != 0);
  }
}

/// All bilevel pages of the files in a folder.
std::vector<Rows> real_pages(const char* folder) {
  constexpr uint32_t kMostPages = 20;  // of a file, as directories may run in a circle
  const auto warnings = TIFFSetWarningHandler(nullptr);
  const auto errors = TIFFSetErrorHandler(nullptr);
  std::vector<Rows> pages;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    TIFF* tiff = file.is_regular_file() ? TIFFOpen(file.path().c_str(), "r") : nullptr;
    if (tiff == nullptr) continue;
    uint32_t page = 0;
    do add_bilevel_page(tiff, pages);
    while (++page < kMostPages && TIFFReadDirectory(tiff) == 1);
    TIFFClose(tiff);
  }
  TIFFSetWarningHandler(warnings);
  TIFFSetErrorHandler(errors);
  return pages;
}

TEST_P(FaxEncode, WritesTheBytesOfLibtiffForRealPages) {
  const char* const folder = std::getenv("MEZZOTINT_CORPUS");
  if (folder == nullptr) {
    GTEST_SKIP() << "set MEZZOTINT_CORPUS to a folder of real TIFFs to run this";
  }
  std::vector<Rows> pages = real_pages(folder);
  ASSERT_FALSE(pages.empty());
  uint64_t rows = 0;
  for (Rows& page : pages) {
    ASSERT_NO_FATAL_FAILURE(expect_libtiff_strips(page.band(), 64, GetParam()));
    rows += page.band().rows;
  }
  std::printf("%zu pages, %llu rows\n", pages.size(), static_cast<unsigned long long>(rows));
}

INSTANTIATE_TEST_SUITE_P(Of,
                         FaxEncode,
                         ::testing::Values(Fax::kT4, Fax::kT6),
                         [](const auto& test) { return test.param == Fax::kT4 ? "t4" : "t6"; });

}  // namespace
}  // namespace mezzo::test::fax_encode_test
