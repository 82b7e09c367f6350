// The pictures of a page, in memory and in a file, against their definitions, computed from the
// whole page.
#include "tools/compare/images.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "stages/tiff/plate/contone_writer.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::images_test {
namespace {

struct Page {
  uint32_t width_px, height_px;
  std::vector<uint8_t> coverage;

  uint8_t at(uint32_t x, uint32_t y) const { return coverage[size_t{y} * width_px + x]; }
};

Page random_page(uint32_t width_px, uint32_t height_px, bool bilevel = false) {
  Page page{width_px, height_px, {}};
  std::mt19937 random(width_px * 7 + height_px);
  for (uint32_t y = 0; y < height_px; ++y) {
    for (uint32_t x = 0; x < width_px; ++x) {
      // Darker to the right and the bottom, so that a picture that is turned or shifted shows.
      const uint32_t limit = 1 + 127 * x / width_px + 127 * y / height_px;
      const auto value = static_cast<uint8_t>(random() % 255);
      const uint32_t coverage = bilevel ? (value < limit ? 255 : 0) : value % limit;
      page.coverage.push_back(static_cast<uint8_t>(coverage));
    }
  }
  return page;
}

compare::PageImages collect(const Page& page) {
  compare::PageImages images(page.width_px, page.height_px, 255);
  for (uint32_t y = 0; y < page.height_px; ++y) {
    const uint8_t* row = &page.coverage[size_t{y} * page.width_px];
    images.add_row(std::vector<uint16_t>(row, row + page.width_px));
  }
  return images;
}

/// The mean coverage of each cell, rounded: as many cells as squares of `size` pixels, cut off at
/// the edges, would be, and all as large.
std::vector<std::vector<double>> cells_of(const Page& page, uint32_t size) {
  const auto count = [size](uint32_t side) { return (side + size - 1) / size; };
  const uint32_t across = count(page.width_px), down = count(page.height_px);
  std::vector<std::vector<double>> cells(down);
  for (uint32_t j = 0; j < down; ++j) {
    for (uint32_t i = 0; i < across; ++i) {
      double sum = 0;
      int pixels = 0;
      for (uint32_t y = page.height_px * j / down; y < page.height_px * (j + 1) / down; ++y) {
        for (uint32_t x = page.width_px * i / across; x < page.width_px * (i + 1) / across; ++x) {
          sum += page.at(x, y);
          ++pixels;
        }
      }
      cells[j].push_back(std::floor(sum / pixels + 0.5));
    }
  }
  return cells;
}

/// A pixel of the preview in one sum over two dimensions; `step` cells make a pixel.
double blurred(const std::vector<std::vector<double>>& cells, double x, double y) {
  double sum = 0, weights = 0;
  for (size_t j = 0; j < cells.size(); ++j) {
    for (size_t i = 0; i < cells[j].size(); ++i) {
      const double dx = static_cast<double>(i) - x, dy = static_cast<double>(j) - y;
      if (std::abs(dx) > 4.5 || std::abs(dy) > 4.5) continue;
      const double weight = std::exp(-(dx * dx + dy * dy) / (2 * 1.5 * 1.5));
      sum += weight * cells[j][i];
      weights += weight;
    }
  }
  return sum / weights;
}

void expect_preview(const Page& page, uint32_t cell_px, uint32_t step) {
  SCOPED_TRACE(testing::Message() << page.width_px << " x " << page.height_px);
  const compare::PageImages images = collect(page);
  const report::GreyImage preview = images.preview();
  const auto cells = cells_of(page, cell_px);
  EXPECT_EQ(images.preview_scale(), cell_px * step);
  ASSERT_EQ(preview.width_px, (cells[0].size() + step - 1) / step);
  ASSERT_EQ(preview.height_px, (cells.size() + step - 1) / step);
  EXPECT_LE(preview.width_px, compare::PageImages::kPreviewWidth);
  EXPECT_LE(preview.height_px, compare::PageImages::kPreviewHeight);
  for (uint32_t y = 0; y < preview.height_px; ++y) {
    for (uint32_t x = 0; x < preview.width_px; ++x) {
      const double shift = (step - 1) / 2.0;
      const double expected = 255 - blurred(cells, x * step + shift, y * step + shift);
      ASSERT_NEAR(preview.pixels[size_t{y} * preview.width_px + x], expected, 0.51)
          << "at " << x << ", " << y;
    }
  }
}

TEST(PageImages, PreviewsAreBlurredMeans) {
  expect_preview(random_page(1, 1), 1, 1);
  expect_preview(random_page(57, 31), 1, 1);
  expect_preview(random_page(640, 9), 1, 1);
  expect_preview(random_page(641, 10), 1, 2);
  expect_preview(random_page(1281, 63), 2, 2);
  expect_preview(random_page(3001, 70), 3, 2);
  expect_preview(random_page(11, 1281), 1, 2);
  expect_preview(random_page(7, 5200), 3, 2);
}

/// The piece is the page at that place.
void expect_piece(const report::GreyImage& piece, const Rect& place, const Page& page) {
  ASSERT_EQ(piece.width_px, place.width_px);
  ASSERT_EQ(piece.height_px, place.height_px);
  ASSERT_EQ(piece.pixels.size(), size_t{place.width_px} * place.height_px);
  for (uint32_t y = 0; y < place.height_px; ++y) {
    for (uint32_t x = 0; x < place.width_px; ++x) {
      ASSERT_EQ(piece.pixels[size_t{y} * place.width_px + x],
                255 - page.at(place.x + x, place.y + y))
          << "at " << x << ", " << y;
    }
  }
}

TEST(PageImages, PiecesAreThePageAtTheirPlaces) {
  for (const auto& [width, height] : {std::pair{1000U, 700U}, {256U, 300U}, {90U, 40U}, {1U, 1U}}) {
    SCOPED_TRACE(testing::Message() << width << " x " << height);
    const Page page = random_page(width, height);
    const compare::PageImages images = collect(page);
    const size_t places = PieceGrid::kAcross * PieceGrid::kAcross;
    for (size_t i = 0; i < places; ++i) expect_piece(images.piece(i), images.place(i), page);
    expect_piece(images.corner(), {0, 0, std::min(width, 128U), std::min(height, 128U)}, page);
  }
}

TEST(PageImages, PlacesGoFromEdgeToEdgeAroundTheMiddle) {
  const compare::PageImages images(1000, 700, 255);
  EXPECT_EQ(images.place(0), (Rect{0, 0, 256, 256}));
  EXPECT_EQ(images.place(12), (Rect{372, 222, 256, 256}));
  EXPECT_EQ(images.place(24), (Rect{744, 444, 256, 256}));
}

TEST(PageImages, SolidInkHasAnyValue) {
  const Page page = random_page(701, 300, true);
  const compare::PageImages expected = collect(page);
  compare::PageImages images(701, 300, 4095);
  for (uint32_t y = 0; y < 300; ++y) {
    std::vector<uint16_t> row;
    for (uint32_t x = 0; x < 701; ++x) row.push_back(page.at(x, y) == 255 ? 4095 : 0);
    images.add_row(row);
  }
  EXPECT_EQ(images.preview().pixels, expected.preview().pixels);
  EXPECT_EQ(images.piece(7).pixels, expected.piece(7).pixels);
}

TEST(PageImages, TheLiveliestPlaceHasTheMostTones) {
  Page page{1300, 1300, std::vector<uint8_t>(1300 * 1300, 40)};
  EXPECT_EQ(collect(page).liveliest_place(), 12U) << "all are alike: the middle";
  // Black and white in the middle are two tones; the ramp at the top right is thirteen.
  for (uint32_t y = 600; y < 700; ++y) page.coverage[size_t{y} * 1300 + 650] = 255;
  for (uint32_t y = 0; y < 200; ++y) {
    for (uint32_t x = 1100; x < 1300; ++x) {
      page.coverage[size_t{y} * 1300 + x] = static_cast<uint8_t>(200 * (x - 1100) / 199);
      // At the left below it all tones as well, but as lines.
      page.coverage[size_t{y + 1100} * 1300 + x - 1100] = static_cast<uint8_t>(x * 96 + x / 8);
    }
  }
  EXPECT_EQ(collect(page).liveliest_place(), 4U);
}

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
  SoloTeam solo;
  const compare::OpenPage file(folder / "page.tif", 1);
  const compare::PageImages images =
      compare::read_page_images(compare::ComparedPlane(file, plane), solo);
  const size_t last = PieceGrid::kAcross * PieceGrid::kAcross - 1;
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

TEST(PageImages, AreOfTheRightPlaneAndPolarity) {
  expect_pictures({.width_px = 33, .height_px = 2100}, 0);
  expect_pictures({.width_px = 33, .height_px = 1100, .bits = 16}, 0);
  expect_pictures({.width_px = 40, .height_px = 1100, .planes = 4}, 2);
  expect_pictures({.width_px = 40, .height_px = 1100, .bits = 16, .planes = 4}, 3);
}

}  // namespace
}  // namespace mezzo::test::images_test
