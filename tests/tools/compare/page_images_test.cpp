// The pictures of a page against their definitions, computed from the whole page.
#include "tools/compare/page_images.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace mezzo::test {
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
      page.coverage.push_back(bilevel ? (value < limit ? 255 : 0)
                                      : static_cast<uint8_t>(value % limit));
    }
  }
  return page;
}

compare::PageImages collect(const Page& page) {
  compare::PageImages images(page.width_px, page.height_px);
  for (uint32_t y = 0; y < page.height_px; ++y) {
    images.add_row(std::span(page.coverage).subspan(size_t{y} * page.width_px, page.width_px));
  }
  return images;
}

/// The mean coverage of each cell of `size` x `size` pixels, cut off at the edges.
std::vector<std::vector<double>> cells_of(const Page& page, uint32_t size) {
  std::vector<std::vector<double>> cells;
  for (uint32_t top = 0; top < page.height_px; top += size) {
    std::vector<double>& row = cells.emplace_back();
    for (uint32_t left = 0; left < page.width_px; left += size) {
      double sum = 0;
      int count = 0;
      for (uint32_t y = top; y < std::min(top + size, page.height_px); ++y) {
        for (uint32_t x = left; x < std::min(left + size, page.width_px); ++x) {
          sum += page.at(x, y);
          ++count;
        }
      }
      row.push_back(sum / count);
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
    const size_t places = compare::PageImages::kPlacesAcross * compare::PageImages::kPlacesAcross;
    for (size_t i = 0; i < places; ++i) expect_piece(images.piece(i), images.place(i), page);
    expect_piece(images.corner(), {0, 0, std::min(width, 128U), std::min(height, 128U)}, page);
  }
}

TEST(PageImages, PlacesGoFromEdgeToEdgeAroundTheMiddle) {
  const compare::PageImages images(1000, 700);
  EXPECT_EQ(images.place(0), (Rect{0, 0, 256, 256}));
  EXPECT_EQ(images.place(12), (Rect{372, 222, 256, 256}));
  EXPECT_EQ(images.place(24), (Rect{744, 444, 256, 256}));
}

TEST(PageImages, BitsAndFractionsAreCoverageToo) {
  const Page page = random_page(701, 300, true);
  const compare::PageImages expected = collect(page);
  compare::PageImages bits(701, 300), fractions(701, 300);
  for (uint32_t y = 0; y < 300; ++y) {
    std::vector<uint8_t> packed(88);
    std::vector<double> row;
    for (uint32_t x = 0; x < 701; ++x) {
      const bool ink = page.at(x, y) == 255;
      if (ink) packed[x / 8] = static_cast<uint8_t>(packed[x / 8] | 0x80 >> x % 8);
      row.push_back(ink ? 1.25 : -0.25);  // both are cut
    }
    bits.add_bits(packed.data());
    fractions.add_row(std::span<const double>(row));
  }
  for (const compare::PageImages* images : {&bits, &fractions}) {
    EXPECT_EQ(images->preview().pixels, expected.preview().pixels);
    EXPECT_EQ(images->piece(7).pixels, expected.piece(7).pixels);
  }
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

}  // namespace
}  // namespace mezzo::test
