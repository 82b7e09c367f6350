#include "kernels/codec/deflate_huffman.h"

#include <gtest/gtest.h>
#include <libdeflate.h>
#include <zlib.h>

#include <memory>

#include "kernels/codec/deflate_estimate.h"
#include "kernels/codec/deflate_segments.h"
#include "tests/kernels/codec/strips.h"
#include "tests/support/libtiff_strip.h"
#include "tests/support/simd_target.h"

namespace mezzo::test::deflate_huffman_test {
namespace {

using Bytes = std::vector<uint8_t>;

std::vector<std::byte> deflate(const Bytes& bytes, size_t row_bytes) {
  return codec::deflate_huffman(
      bytes, row_bytes, libdeflate_adler32(1, bytes.data(), bytes.size()));
}

std::vector<std::byte> deflate(const Strip& strip) {
  return deflate(strip.bytes, strip.row_bytes);
}

Bytes by_zlib(const std::vector<std::byte>& stream, size_t size) {
  Bytes bytes(size + 1);  // and room for one too many
  uLongf found = bytes.size();
  const auto* from = reinterpret_cast<const Bytef*>(stream.data());
  EXPECT_EQ(::uncompress(bytes.data(), &found, from, stream.size()), Z_OK);
  bytes.resize(found);
  return bytes;
}

Bytes by_libdeflate(const std::vector<std::byte>& stream, size_t size) {
  const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> inflater(
      libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  Bytes bytes(size);
  EXPECT_EQ(libdeflate_zlib_decompress(
                inflater.get(), stream.data(), stream.size(), bytes.data(), bytes.size(), nullptr),
            LIBDEFLATE_SUCCESS);
  return bytes;
}

class DeflateHuffman : public OnTarget {};
MZ_ON_EVERY_TARGET(Targets, DeflateHuffman);

TEST_P(DeflateHuffman, IsReadBackByZlibAndLibdeflate) {
  for (const Strip& strip : any_strips()) {
    const std::vector<std::byte> stream = deflate(strip);
    const size_t size = strip.bytes.size();
    ASSERT_EQ(by_zlib(stream, size), strip.bytes) << strip.name << ", " << strip.row_bytes;
    ASSERT_EQ(by_libdeflate(stream, size), strip.bytes) << strip.name << ", " << strip.row_bytes;
    EXPECT_LE(stream.size(), size + 6 * (size / 65'535 + 1) + 6);
  }
}

TEST_P(DeflateHuffman, IsTheSameOnEveryTarget) {
  // Of a small page, and of a large one by its check sum.
  const Bytes bytes = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 6, 7, 5};
  const std::vector<std::byte> small = deflate(bytes, 4);
  const auto* first = reinterpret_cast<const uint8_t*>(small.data());
  EXPECT_EQ(Bytes(first, first + small.size()),
            (Bytes{0x78, 0x01, 0x4D, 0xC3, 0x31, 0x0D, 0x00, 0x00, 0x00, 0xC2, 0x30, 0x9E, 0x81,
                   0x7F, 0xC7, 0xBC, 0x6B, 0xD2, 0x08, 0x1D, 0x07, 0x00, 0x49, 0x00, 0x18}));
  const std::vector<std::byte> large = deflate(diffused_strip(512, 128, 16));
  EXPECT_EQ(
      ::crc32(0, reinterpret_cast<const Bytef*>(large.data()), static_cast<uInt>(large.size())),
      146740510U);
}

TEST(DeflateHuffmanStream, OfNoBytesIsEmpty) {
  EXPECT_EQ(by_zlib(deflate({}, 1), 0), Bytes());
}

TEST(DeflateHuffmanStream, IsAsSmallAsZlibsSearchOnDiffusedDots) {
  for (const Strip& strip : {diffused_strip(512, 128), diffused_strip(319, 200, 40)}) {
    Bytes searched(100'000);
    uLongf size = searched.size();
    ASSERT_EQ(::compress2(searched.data(), &size, strip.bytes.data(), strip.bytes.size(), 1), Z_OK);
    EXPECT_LT(deflate(strip).size(), size + strip.bytes.size() / 50);
    EXPECT_LT(deflate(strip).size(), strip.bytes.size() * 4 / 5);
  }
}

TEST(DeflateHuffmanStream, CostsNearlyNothingForBlankPaper) {
  EXPECT_LT(deflate({"", Bytes(65'536), 512}).size(), 110U);
  // Rows of type: all alike.
  Strip bars = random_strip(512, 1, 0, 0, 3);
  for (size_t row = 1; row < 128; ++row)
    bars.bytes.insert(bars.bytes.end(), bars.bytes.begin(), bars.bytes.begin() + 512);
  EXPECT_LT(deflate(bars).size(), 512U + 512U);
}

TEST(DeflateSegments, MakeUpTheRows) {
  for (const Strip& strip : any_strips()) {
    Bytes bytes;
    for (const codec::Segment& segment : codec::deflate_segments(strip.bytes, strip.row_bytes)) {
      ASSERT_TRUE(segment.repeated == 0 || segment.repeated >= 8);
      bytes.insert(bytes.end(), segment.literals.begin(), segment.literals.end());
      const size_t distance = segment.from_row ? strip.row_bytes : 1;
      ASSERT_TRUE(segment.repeated == 0 ||
                  (distance <= bytes.size() && distance <= codec::kFarthestRow));
      for (size_t i = 0; i < segment.repeated; ++i) bytes.push_back(bytes[bytes.size() - distance]);
    }
    ASSERT_EQ(bytes, strip.bytes) << strip.name << ", " << strip.row_bytes;
  }
}

/// Not the first of a page, in which dots have not yet found their places.
Strip last_rows(Strip strip, size_t rows) {
  strip.bytes.erase(strip.bytes.begin(),
                    strip.bytes.end() - static_cast<ptrdiff_t>(rows * strip.row_bytes));
  return strip;
}

TEST(DeflateEstimate, SearchesWhereItPays) {
  const auto hardly = [](const Strip& strip) {
    return codec::matches_hardly_pay(strip.bytes, strip.row_bytes);
  };
  EXPECT_TRUE(hardly(diffused_strip(512, 128)));
  EXPECT_TRUE(hardly(diffused_strip(319, 200, 40)));
  EXPECT_TRUE(hardly(last_rows(diffused_strip(8200, 64), 8)));
  EXPECT_TRUE(hardly(random_strip(512, 128, 0, 0, 1)));
  EXPECT_TRUE(hardly({"blank", Bytes(65'536), 512}));
  EXPECT_FALSE(hardly(screened_strip(512, 128)));
  EXPECT_FALSE(hardly(screened_strip(8200, 8)));
  EXPECT_FALSE(hardly({"small", Bytes(4095), 5}));
}

}  // namespace
}  // namespace mezzo::test::deflate_huffman_test
