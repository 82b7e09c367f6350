// Plates come back bit for bit, whatever their compression, width and height.
#include <gtest/gtest.h>

#include <cstring>

#include "stages/tiff/plate/encode.h"
#include "tests/stages/tiff/plate/writer_support.h"

namespace mezzo::test::writer_round_trip_test {
namespace {

void expect_round_trip(const TempFolder& folder,
                       Bits& bits,
                       tiff::Compression compression,
                       uint32_t rows_per_strip) {
  const tiff::PlatePage page = page_of(bits.band(), rows_per_strip);
  const std::string path = folder / "plate.tif";
  const std::string hash = write_plate(path, page, bits.band(), compression);
  const tiff::Plate plate = tiff::read_plate(path);
  ASSERT_EQ(plate.page.width_px, page.width_px);
  ASSERT_EQ(plate.page.height_px, page.height_px);
  ASSERT_EQ(plate.compression, compression);
  ASSERT_TRUE(plate.bits == bits.bytes())
      << to_string(compression) << " " << page.width_px << " x " << page.height_px;
  ASSERT_EQ(tiff::plate_content_sum(path), hash);
}

TEST(PlateRoundTrip, EveryCompressionAndNarrowWidth) {
  const TempFolder folder;
  for (const tiff::Compression compression : real_compressions()) {
    for (uint32_t width = 1; width <= 66; ++width) {
      Bits bits = Bits::noise(width, 11, width);
      expect_round_trip(folder, bits, compression, 8);
    }
  }
}

TEST(PlateRoundTrip, Levels) {
  const TempFolder folder;
  const std::string path = folder / "plate.tif";
  for (const uint32_t bits : {2U, 4U}) {
    for (const tiff::Compression compression : real_compressions()) {
      if (tiff::codec_of(compression).is_bilevel) continue;
      for (uint32_t width = 1; width <= 20; ++width) {
        Bits levels = Bits::noise(width * bits, 11, width);
        const size_t row_bytes = bit_row_bytes(width, bits);
        const BitBand band{levels.band().data, width, 11, row_bytes, 0, bits};
        tiff::PlatePage page = page_of(band, 16);
        page.bits_per_px = bits;
        const std::string hash = write_plate(path, page, band, compression);
        const tiff::Plate plate = tiff::read_plate(path);
        ASSERT_EQ(plate.page.bits_per_px, bits);
        ASSERT_TRUE(plate.bits == levels.bytes()) << to_string(compression) << " " << width;
        ASSERT_EQ(tiff::plate_content_sum(path), hash);
      }
    }
  }
}

TEST(EncodeStrip, ChoosesNoFaxForLevels) {
  // Rows of one level are smallest as G4, were they bilevel.
  std::vector<uint8_t> bytes(4000 * 64);
  const BitBand bilevel{bytes.data(), 32'000, 64, 4000};
  const BitBand levels{bytes.data(), 16'000, 64, 4000, 0, 2};
  SoloTeam solo;
  EXPECT_EQ(tiff::choose_compression(std::vector{bilevel}, solo), tiff::Compression::kG4);
  EXPECT_EQ(tiff::choose_compression(std::vector{levels}, solo), tiff::Compression::kPackBits);
}

TEST(PlateRoundTrip, OddWidths) {
  const TempFolder folder;
  for (const tiff::Compression compression : real_compressions()) {
    for (const uint32_t width : {127U, 129U, 1000U, 2047U, 2561U, 4999U, 8191U}) {
      Bits bits = Bits::diffused(width, 17, width);
      expect_round_trip(folder, bits, compression, 8);
    }
  }
}

TEST(PlateRoundTrip, HeightsAroundStripBoundaries) {
  const TempFolder folder;
  for (const tiff::Compression compression : real_compressions()) {
    for (const uint32_t height : {1U, 7U, 8U, 9U, 15U, 32U, 17U, 63U, 64U, 65U}) {
      Bits bits = Bits::diffused(77, height, height);
      expect_round_trip(folder, bits, compression, 8);
    }
  }
}

TEST(PlateRoundTrip, BlankAndSolid) {
  const TempFolder folder;
  for (const tiff::Compression compression : real_compressions()) {
    Bits blank(1003, 300);
    expect_round_trip(folder, blank, compression, 0);
    Bits solid(1003, 300);
    for (uint32_t y = 0; y < 300; ++y) {
      for (uint32_t x = 0; x < 1003; ++x) solid.set(x, y);
    }
    expect_round_trip(folder, solid, compression, 0);
  }
}

TEST(PlateRoundTrip, DefaultStripsOfAWidePage) {
  const TempFolder folder;
  Bits bits = Bits::diffused(30011, 70);
  for (const tiff::Compression compression : real_compressions()) {
    expect_round_trip(folder, bits, compression, 0);
  }
}

TEST(EncodeStrip, DoesNotCareForStride) {
  Bits bits = Bits::diffused(333, 40);
  const BitBand tight = bits.band();
  const size_t stride = 64;
  std::vector<uint8_t> memory(stride * 40, 0xAA);
  for (uint32_t y = 0; y < 40; ++y) {
    std::memcpy(memory.data() + y * stride, tight.row(y), bit_row_bytes(333));
  }
  const BitBand loose{memory.data(), 333, 40, stride};
  for (const tiff::Compression compression : real_compressions()) {
    EXPECT_EQ(tiff::encode_strip(tight, compression), tiff::encode_strip(loose, compression));
  }
}

TEST(EncodeStrip, IsTheSameOnEveryThread) {
  Bits bits = Bits::diffused(2000, 64);
  for (const tiff::Compression compression : real_compressions()) {
    const std::vector<std::byte> expected = tiff::encode_strip(bits.band(), compression);
    std::vector<std::vector<std::byte>> found(64);
    ThreadTeam team(8);
    for_each_index(
        team, 64, [&](uint32_t i) { found[i] = tiff::encode_strip(bits.band(), compression); });
    for (const auto& bytes : found) ASSERT_EQ(bytes, expected) << to_string(compression);
  }
}

TEST(PlateFile, IsTheSameFileTwice) {
  const TempFolder folder;
  Bits bits = Bits::diffused(1501, 200);
  const tiff::PlatePage page = page_of(bits.band(), 64);
  for (const tiff::Compression compression : real_compressions()) {
    write_plate(folder / "a.tif", page, bits.band(), compression);
    write_plate(folder / "b.tif", page, bits.band(), compression);
    const std::string a = content_of(folder / "a.tif");
    EXPECT_TRUE(!a.empty() && a == content_of(folder / "b.tif")) << to_string(compression);
  }
}

TEST(PlateFile, ContentSumDoesNotDependOnCompressionOrStrips) {
  const TempFolder folder;
  Bits bits = Bits::diffused(1501, 200);
  const std::string expected =
      write_plate(folder / "a.tif", page_of(bits.band()), bits.band(), tiff::Compression::kNone);
  EXPECT_EQ(expected.size(), 32U);
  for (const tiff::Compression compression : real_compressions()) {
    for (const uint32_t rows : {8U, 56U, 200U}) {
      const std::string path = folder / "b.tif";
      EXPECT_EQ(write_plate(path, page_of(bits.band(), rows), bits.band(), compression), expected);
    }
  }
  bits.band().row(199)[187] ^= 0x08;  // the last pixel
  EXPECT_NE(
      write_plate(folder / "a.tif", page_of(bits.band()), bits.band(), tiff::Compression::kNone),
      expected);
}

}  // namespace
}  // namespace mezzo::test::writer_round_trip_test
