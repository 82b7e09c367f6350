// Every row of the table of codecs. Round trips of all codecs are in writer_round_trip_test.cpp.
#include "stages/tiff/plate/codecs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/stages/tiff/plate/writer_support.h"

namespace mezzo::test::codecs_test {
namespace {

using tiff::Codec;
using tiff::Compression;

/// Strips of 16 rows, coded.
struct Strips {
  explicit Strips(Compression compression) {
    for (uint32_t i = 0; i < 4; ++i) {
      coded.push_back(tiff::encode_strip(bits.band().slice(16 * i, 16), compression));
      to_decode.push_back({.coded = coded.back(), .rows = decoded.band().slice(16 * i, 16)});
    }
  }

  Bits bits = Bits::diffused(777, 64), decoded{777, 64};
  std::vector<std::vector<std::byte>> coded;
  std::vector<tiff::StripToDecode> to_decode;
};

TEST(Codecs, AreFoundByNameAndByNumber) {
  std::set<std::string_view> names;
  std::set<uint16_t> numbers;
  for (const tiff::CompressionInfo& info : tiff::compressions()) {
    const Codec& codec = tiff::codec_of(info.compression);
    EXPECT_EQ(to_string(info.compression), info.name);
    EXPECT_EQ(tiff::compression_named(info.name), info.compression);
    EXPECT_FALSE(info.summary.empty()) << info.name;
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    if (info.compression == Compression::kAutomatic) continue;
    EXPECT_EQ(tiff::compression_of_tiff(codec.tiff_number), info.compression);
    EXPECT_TRUE(numbers.insert(codec.tiff_number).second) << info.name;
  }
  EXPECT_EQ(to_string(Compression::kG4), "g4");
  EXPECT_EQ(tiff::compression_named("jpeg"), std::nullopt);
  EXPECT_EQ(tiff::compression_of_tiff(0), std::nullopt);
  EXPECT_EQ(tiff::compression_of_tiff(7), std::nullopt);  // JPEG
}

TEST(Codecs, DecodeWhatTheyCode) {
  for (const Compression compression : real_compressions()) {
    const auto decode = tiff::codec_of(compression).decode;
    if (decode == nullptr) continue;
    Strips strips(compression);
    decode(strips.to_decode);
    for (const tiff::StripToDecode& strip : strips.to_decode) EXPECT_EQ(strip.right_rows, 16U);
    EXPECT_EQ(strips.decoded.bytes(), strips.bits.bytes()) << to_string(compression);
  }
}

TEST(Codecs, FindThatAStripEndsEarly) {
  for (const Compression compression : real_compressions()) {
    const auto decode = tiff::codec_of(compression).decode;
    if (decode == nullptr) continue;
    Strips strips(compression);
    strips.to_decode[1].coded = strips.to_decode[1].coded.first(strips.coded[1].size() / 2);
    decode(strips.to_decode);
    EXPECT_LT(strips.to_decode[1].right_rows, 16U) << to_string(compression);
    EXPECT_EQ(strips.to_decode[2].right_rows, 16U) << to_string(compression);
  }
}

// The memory for a strip that is read back, and the bound on what may be one, count on it.
TEST(Codecs, TakeNoMoreThanAByteForAPixel) {
  for (const tiff::CompressionInfo& info : tiff::compressions()) {
    EXPECT_LE(tiff::codec_of(info.compression).worst.pixel_bits, 8U) << info.name;
  }
}

// Decoders for pixels of one bit are not tried on others. Strips that libtiff cannot decode are always ours.
TEST(Codecs, LeaveTheRestToLibtiff) {
  for (const Compression compression : real_compressions()) {
    const Codec& codec = tiff::codec_of(compression);
    const bool is_ours_alone = codec.decode != nullptr && codec.decodes_faster == nullptr;
    EXPECT_EQ(tiff::decoder_of(compression, 1, 1) != nullptr, is_ours_alone) << codec.name;
    if (codec.decode == nullptr || codec.is_bilevel) {
      EXPECT_EQ(tiff::decoder_of(compression, 2, 16), nullptr) << codec.name;
    }
  }
}

}  // namespace
}  // namespace mezzo::test::codecs_test
