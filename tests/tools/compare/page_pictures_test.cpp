// Pictures of planes that lie in files.
#include "tools/compare/page_pictures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "stages/tiff/plate/contone_writer.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test {
namespace {

/// A page of more rows than a band has, of random samples.
struct SamplePage {
  explicit SamplePage(const tiff::ContoneOptions& page_options) : options(page_options) {
    std::mt19937 random(options.bits + options.planes);
    samples.resize(size_t{options.width_px} * options.height_px * options.planes);
    for (uint16_t& sample : samples) {
      sample = static_cast<uint16_t>(random() % (1U << options.bits));
    }
  }

  void write(const std::string& path) const {
    const auto file = tiff::ContoneWriter::create(path, options);
    std::vector<std::byte> bytes;
    for (const uint16_t sample : samples) {
      const auto* raw = reinterpret_cast<const std::byte*>(&sample);  // little-endian hosts
      bytes.insert(bytes.end(), raw, raw + options.bits / 8);
    }
    file->write_rows(bytes.data(), options.height_px);
    file->finish();
  }

  /// Grey value of a pixel of a plane, as a picture shows it.
  double grey(uint32_t x, uint32_t y, uint32_t plane) const {
    const double most = (1U << options.bits) - 1;
    const double value =
        samples[(size_t{y} * options.width_px + x) * options.planes + plane] / most;
    const double coverage = options.planes == 1 ? 1 - value : value;  // grey: 0 is black
    return 255 - std::round(255 * coverage);
  }

  tiff::ContoneOptions options;
  std::vector<uint16_t> samples;
};

void expect_pictures(const tiff::ContoneOptions& options, uint32_t plane) {
  SCOPED_TRACE(testing::Message() << options.planes << " planes of " << options.bits << " bits");
  const test::TempFolder folder;
  const SamplePage page(options);
  page.write(folder / "page.tif");
  const auto file = tiff::TiffFile::open(folder / "page.tif");
  SoloTeam solo;
  const compare::PageImages images = compare::read_page_images(*file, 0, plane, solo);
  const size_t last = compare::PageImages::kPlacesAcross * compare::PageImages::kPlacesAcross - 1;
  const Rect place = images.place(last);
  ASSERT_EQ(place.y + place.height_px, options.height_px);
  const report::GreyImage piece = images.piece(last);
  for (uint32_t y = 0; y < place.height_px; ++y) {
    for (uint32_t x = 0; x < place.width_px; ++x) {
      ASSERT_EQ(piece.pixels[size_t{y} * place.width_px + x],
                page.grey(place.x + x, place.y + y, plane))
          << "at " << x << ", " << y;
    }
  }
}

TEST(PagePictures, AreOfTheRightPlaneAndPolarity) {
  expect_pictures({.width_px = 33, .height_px = 2100}, 0);
  expect_pictures({.width_px = 33, .height_px = 1100, .bits = 16}, 0);
  expect_pictures({.width_px = 40, .height_px = 1100, .planes = 4}, 2);
  expect_pictures({.width_px = 40, .height_px = 1100, .bits = 16, .planes = 4}, 3);
}

}  // namespace
}  // namespace mezzo::test
