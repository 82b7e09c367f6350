// Contone files come back through libtiff's own reader, sample for sample, in every layout.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tiffio.h>

#include <cstring>

#include "stages/tiff/plate/contone_writer.h"
#include "tests/stages/tiff/plate/writer_support.h"

namespace mezzo::test::writer_contone_test {
namespace {

std::vector<std::byte> samples_of(const tiff::ContoneOptions& options) {
  std::vector<std::byte> samples(size_t{options.width_px} * options.height_px * options.planes *
                                 (options.bits / 8));
  std::mt19937 random(options.width_px);
  for (std::byte& sample : samples) sample = static_cast<std::byte>(random() % 5 * 51);
  return samples;
}

void write(const std::string& path,
           const tiff::ContoneOptions& options,
           const std::vector<std::byte>& samples,
           uint32_t rows_a_call) {
  const auto writer = tiff::ContoneWriter::create(path, options);
  const size_t row_bytes = samples.size() / options.height_px;
  for (uint32_t y = 0; y < options.height_px; y += rows_a_call) {
    writer->write_rows(samples.data() + y * row_bytes,
                       std::min(rows_a_call, options.height_px - y));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  writer->finish();
}

/// The samples of the file, pixel after pixel, read a row or a tile at a time.
std::vector<std::byte> read_samples(TIFF* tiff, const tiff::ContoneOptions& options) {
  const size_t sample_bytes = options.bits / 8;
  const size_t pixel_bytes = sample_bytes * options.planes;
  const bool separate = options.layout == tiff::PlaneLayout::kSeparate && options.planes > 1;
  std::vector<std::byte> samples(pixel_bytes * options.width_px * options.height_px);
  const auto put = [&](const std::byte* from, uint32_t x, uint32_t y, uint32_t plane) {
    if (x >= options.width_px || y >= options.height_px) return;
    std::byte* to = samples.data() + (size_t{y} * options.width_px + x) * pixel_bytes;
    std::memcpy(to + sample_bytes * plane, from, separate ? sample_bytes : pixel_bytes);
  };
  const size_t step = separate ? sample_bytes : pixel_bytes;
  for (uint32_t plane = 0; plane < (separate ? options.planes : 1); ++plane) {
    if (options.tile_width_px == 0) {
      std::vector<std::byte> row(static_cast<size_t>(TIFFScanlineSize(tiff)));
      for (uint32_t y = 0; y < options.height_px; ++y) {
        EXPECT_EQ(TIFFReadScanline(tiff, row.data(), y, static_cast<uint16_t>(plane)), 1);
        for (uint32_t x = 0; x < options.width_px; ++x) put(row.data() + x * step, x, y, plane);
      }
      continue;
    }
    std::vector<std::byte> tile(static_cast<size_t>(TIFFTileSize(tiff)));
    for (uint32_t y = 0; y < options.height_px; y += options.tile_height_px) {
      for (uint32_t x = 0; x < options.width_px; x += options.tile_width_px) {
        EXPECT_GT(TIFFReadTile(tiff, tile.data(), x, y, 0, static_cast<uint16_t>(plane)), 0);
        for (uint32_t i = 0; i < options.tile_width_px * options.tile_height_px; ++i) {
          if (x + i % options.tile_width_px >= options.width_px) continue;
          put(tile.data() + i * step,
              x + i % options.tile_width_px,
              y + i / options.tile_width_px,
              plane);
        }
      }
    }
  }
  return samples;
}

void expect_round_trip(const TempFolder& folder, const tiff::ContoneOptions& options) {
  SCOPED_TRACE(std::to_string(options.bits) + " bits, " + std::to_string(options.planes) +
               " planes, " + std::string(to_string(options.compression)) + ", tiles " +
               std::to_string(options.tile_width_px) + ", layout " +
               std::to_string(static_cast<int>(options.layout)));
  const std::string path = folder / "contone.tif";
  std::filesystem::remove(path);
  const std::vector<std::byte> samples = samples_of(options);
  write(path, options, samples, 13);
  const std::string bytes = content_of(path);
  EXPECT_THAT(folder.names(), testing::ElementsAre("contone.tif"));
  TIFF* tiff = TIFFOpen(path.c_str(), "r");
  ASSERT_NE(tiff, nullptr);
  EXPECT_TRUE(read_samples(tiff, options) == samples);
  uint16_t photometric = 0;
  TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric);
  EXPECT_EQ(photometric,
            options.planes == 1   ? PHOTOMETRIC_MINISBLACK
            : options.planes == 3 ? PHOTOMETRIC_RGB
                                  : PHOTOMETRIC_SEPARATED);
  float dpi = 0;
  EXPECT_EQ(TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &dpi), 1);
  EXPECT_FLOAT_EQ(dpi, 1200);
  TIFFClose(tiff);
  std::filesystem::remove(path);
  write(path, options, samples, options.height_px);
  EXPECT_TRUE(content_of(path) == bytes) << "depends on how the rows were cut";
}

TEST(ContoneWriter, EveryLayout) {
  const TempFolder folder;
  for (const uint32_t bits : {8U, 16U}) {
    for (const uint32_t planes : {1U, 3U, 4U}) {
      for (const tiff::Compression compression : {tiff::Compression::kNone,
                                                  tiff::Compression::kPackBits,
                                                  tiff::Compression::kLzw,
                                                  tiff::Compression::kDeflate}) {
        for (const tiff::PlaneLayout layout :
             {tiff::PlaneLayout::kContiguous, tiff::PlaneLayout::kSeparate}) {
          tiff::ContoneOptions options{
              .width_px = 75, .height_px = 50, .bits = bits, .planes = planes};
          options.compression = compression;
          options.layout = layout;
          options.dpi = 1200;
          options.rows_per_strip = 16;
          expect_round_trip(folder, options);
          options.tile_width_px = 32;
          options.tile_height_px = 16;
          expect_round_trip(folder, options);
        }
      }
    }
  }
}

TEST(ContoneWriter, BecomesBigTiffWhenItCouldOverflow) {
  const TempFolder folder;
  // Not written: whether the header is BigTIFF's shows in the temporary file.
  for (const uint32_t height : {20'000U, 60'000U}) {
    const auto writer = tiff::ContoneWriter::create(
        folder / "a.tif", {.width_px = 60'000, .height_px = height, .planes = 1});
    const std::string header = content_of(folder / (folder.names().at(0)));
    ASSERT_GE(header.size(), 4U);
    EXPECT_EQ(header[2], height == 20'000 ? 42 : 43);
  }
}

TEST(ContoneWriter, LeavesNothingWhenItIsNotFinished) {
  const TempFolder folder;
  {
    const auto writer =
        tiff::ContoneWriter::create(folder / "a.tif", {.width_px = 100, .height_px = 100});
    const std::vector<std::byte> rows(100 * 70);
    writer->write_rows(rows.data(), 70);
  }
  EXPECT_THAT(folder.names(), testing::IsEmpty());
}

}  // namespace
}  // namespace mezzo::test::writer_contone_test
