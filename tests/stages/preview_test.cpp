// The pictures of a page, against averages taken pixel by pixel.

#include "stages/preview.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace mezzo::test::preview_test {
namespace {

using ::testing::Each;

struct Size {
  uint32_t width_px, height_px, columns, rows;
};

enum Rows { kAllRows, kSomeRows };

/// The mean of ink(x, y), 0..solid, over each cell, as 255ths; of a tie the larger.
template <typename Ink>
InkImage naive(const Size& size, uint64_t solid, Rows which, const Ink& ink) {
  const auto& [width_px, height_px, columns, rows] = size;
  InkImage image{columns, rows, {}};
  for (uint64_t r = 0; r < rows; ++r) {
    for (uint64_t c = 0; c < columns; ++c) {
      uint64_t sum = 0, most = 0;
      const uint64_t first = r * height_px / rows, end = (r + 1) * height_px / rows;
      const uint64_t step = which == kSomeRows && end - first >= 16 ? (end - first) / 8 : 1;
      for (uint64_t y = first; y < end; y += step) {
        for (uint64_t x = c * width_px / columns; x < (c + 1) * width_px / columns; ++x) {
          sum += ink(x, y);
          most += solid;
        }
      }
      uint8_t mean = 0;
      while (2 * 255 * sum >= (2 * mean + uint64_t{1}) * most) ++mean;
      image.coverage.push_back(mean);
    }
  }
  return image;
}

const Size kSizes[] = {{1, 1, 1, 1},
                       {40, 25, 32, 20},
                       {31, 32, 31, 32},
                       {33, 7, 32, 7},
                       {1, 500, 1, 32},
                       {517, 389, 32, 24},
                       {2100, 65, 32, 1},
                       {4096, 2, 32, 1},
                       {80, 1500, 2, 32},
                       {30, 4000, 1, 32}};

ScaledDown scaled_down(const Size& size, uint32_t solid, Polarity polarity) {
  const Sides page = {size.width_px, size.height_px};
  return {page, scaled_within(page, 32), ScaledDown::Rows::kSome, solid, polarity};
}

TEST(ScaledDown, AveragesSamplesOfOneByte) {
  std::mt19937 random(1);
  for (const Size& size : kSizes) {
    std::vector<uint8_t> samples(size_t{size.width_px} * size.height_px);
    for (uint8_t& sample : samples) sample = static_cast<uint8_t>(random());
    std::ranges::fill_n(samples.begin(), static_cast<long>(samples.size() / 3), uint8_t{255});
    for (const Polarity polarity : {Polarity::kMaxIsInk, Polarity::kMaxIsPaper}) {
      ScaledDown scaled = scaled_down(size, 255, polarity);
      for (uint32_t y = 0; y < size.height_px; ++y) {
        scaled.add_row(samples.data() + size_t{y} * size.width_px);
      }
      const bool ink = polarity == Polarity::kMaxIsInk;
      const InkImage expected = naive(size, 255, kSomeRows, [&](uint64_t x, uint64_t y) {
        const uint64_t sample = samples[y * size.width_px + x];
        return ink ? sample : 255 - sample;
      });
      EXPECT_EQ(scaled.take(), expected) << size.width_px << " x " << size.height_px;
    }
  }
}

TEST(ScaledDown, AveragesSamplesOfTwoBytes) {
  std::mt19937 random(2);
  for (const Size& size : kSizes) {
    std::vector<uint16_t> samples(size_t{size.width_px} * size.height_px);
    for (uint16_t& sample : samples) sample = static_cast<uint16_t>(random() % 4096);
    ScaledDown scaled = scaled_down(size, 4095, Polarity::kMaxIsPaper);
    for (uint32_t y = 0; y < size.height_px; ++y) {
      scaled.add_row(samples.data() + size_t{y} * size.width_px);
    }
    const InkImage expected = naive(size, 4095, kSomeRows, [&](uint64_t x, uint64_t y) {
      return uint64_t{4095} - samples[y * size.width_px + x];
    });
    EXPECT_EQ(scaled.take(), expected) << size.width_px << " x " << size.height_px;
  }
}

TEST(ScaledDown, AveragesAllRowsWhereTheyAreAskedFor) {
  std::mt19937 random(4);
  for (const Size& size : kSizes) {
    std::vector<uint8_t> samples(size_t{size.width_px} * size.height_px);
    for (uint8_t& sample : samples) sample = static_cast<uint8_t>(random() | random());
    const Sides page = {size.width_px, size.height_px}, cells = {size.columns, size.rows};
    ScaledDown bytes(page, cells, ScaledDown::Rows::kAll, 255, Polarity::kMaxIsInk);
    ScaledDown words(page, cells, ScaledDown::Rows::kAll, 255, Polarity::kMaxIsInk);
    for (uint32_t y = 0; y < size.height_px; ++y) {
      const uint8_t* row = samples.data() + size_t{y} * size.width_px;
      bytes.add_row(row);
      words.add_row(std::vector<uint16_t>(row, row + size.width_px).data());
    }
    const InkImage expected = naive(size, 255, kAllRows, [&](uint64_t x, uint64_t y) {
      return uint64_t{samples[y * size.width_px + x]};
    });
    EXPECT_EQ(bytes.take(), expected) << size.width_px << " x " << size.height_px;
    EXPECT_EQ(words.take(), expected) << size.width_px << " x " << size.height_px;
  }
}

TEST(ScaledDown, AveragesBitsThatNobodyPadded) {
  std::mt19937 random(3);
  for (const Size& size : kSizes) {
    // Rows stand exactly side by side, so that reading beyond one would count the next one's ink.
    const size_t row_bytes = bit_row_bytes(size.width_px);
    std::vector<uint8_t> bytes(row_bytes * size.height_px);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random() | random());
    const BitBand bits{bytes.data(), size.width_px, size.height_px, row_bytes};
    ScaledDown scaled = scaled_down(size, 1, Polarity::kMaxIsInk);
    for (uint32_t y = 0; y < size.height_px; ++y) scaled.add_bits(bits.row(y));
    const InkImage expected = naive(size, 1, kAllRows, [&](uint64_t x, uint64_t y) {
      return uint64_t{bits.ink(static_cast<uint32_t>(x), static_cast<uint32_t>(y))};
    });
    EXPECT_EQ(scaled.take(), expected) << size.width_px << " x " << size.height_px;
  }
}

PageInfo page_of(uint32_t width_px, uint32_t height_px) {
  PageInfo info;
  info.width_px = width_px;
  info.height_px = height_px;
  info.inks = {"black"};
  info.polarity = Polarity::kMaxIsInk;
  return info;
}

/// A page whose samples and bits are given by functions of (x, y), through a preview in bands.
template <typename Sample, typename Ink>
PreviewImages pictures(uint32_t width_px,
                       uint32_t height_px,
                       const Sample& sample,
                       const Ink& ink) {
  PagePreview preview(page_of(width_px, height_px));
  constexpr uint32_t kRows = 37;
  for (uint32_t first = 0; first < height_px; first += kRows) {
    const uint32_t rows = std::min(kRows, height_px - first);
    std::vector<uint8_t> samples(size_t{width_px} * rows);
    std::vector<uint8_t> bytes(bit_row_bytes(width_px) * rows);
    const BitBand bits{bytes.data(), width_px, rows, bit_row_bytes(width_px), first};
    for (uint32_t y = 0; y < rows; ++y) {
      for (uint32_t x = 0; x < width_px; ++x) {
        samples[size_t{y} * width_px + x] = static_cast<uint8_t>(sample(x, first + y));
        if (ink(x, first + y)) bits.row(y)[x / 8] |= static_cast<uint8_t>(0x80U >> x % 8);
      }
    }
    preview.add_samples(
        {reinterpret_cast<std::byte*>(samples.data()), width_px, rows, width_px, first});
    preview.add_bits(0, bits);
  }
  return preview.take();
}

bool checks(uint32_t x, uint32_t y) {
  return (x / 3 + y / 5) % 2 == 1;
}

TEST(PagePreview, ShowsThePieceDotForDot) {
  // A ramp stands at the lower right, and nowhere else is there a midtone.
  const auto sample = [](uint32_t x, uint32_t y) {
    return x >= 700 && y >= 650 ? (x - 700) * 255 / 299 : x > 300 ? 255U : 0U;
  };
  const PreviewImages found = pictures(1000, 800, sample, checks);
  EXPECT_EQ(found.dots_x, 840U);
  EXPECT_EQ(found.dots_y, 640U);
  const InkImage& dots = found.inks.at(0).dots;
  ASSERT_EQ(dots.width_px, 160U);
  ASSERT_EQ(dots.height_px, 160U);
  for (uint32_t y = 0; y < 160; ++y) {
    for (uint32_t x = 0; x < 160; ++x) {
      ASSERT_EQ(dots.coverage[y * 160 + x], checks(840 + x, 640 + y) ? 255 : 0) << x << ", " << y;
    }
  }
}

TEST(PagePreview, ShowsTheMiddleOfAPageWithoutMidtones) {
  const auto paper = [](uint32_t, uint32_t) { return 0U; };
  const PreviewImages found = pictures(1000, 800, paper, checks);
  EXPECT_EQ(found.dots_x, 416U);  // 420, on a whole byte
  EXPECT_EQ(found.dots_y, 320U);
}

TEST(PagePreview, ShowsDotsRatherThanASolid) {
  // As a threshold leaves of midtones at the lower right, and of a tint at the upper left.
  const auto midtones = [](uint32_t x, uint32_t y) { return x > 800 && y >= 640 ? x % 256 : 0; };
  const auto corner = [](uint32_t x, uint32_t y) {
    return x > 150 || y > 150 ? x > 800 && y >= 640 : checks(x, y);
  };
  const PreviewImages found = pictures(1000, 800, midtones, corner);
  EXPECT_EQ(found.dots_x, 0U);
  EXPECT_EQ(found.dots_y, 0U);
}

TEST(PagePreview, TakesPagesSmallerThanAPiece) {
  const auto half = [](uint32_t, uint32_t) { return 128U; };
  const auto solid = [](uint32_t, uint32_t) { return true; };
  const PreviewImages found = pictures(13, 5, half, solid);
  const PreviewImages::Ink& ink = found.inks.at(0);
  EXPECT_EQ(ink.dots.width_px, 13U);
  EXPECT_EQ(ink.dots.height_px, 5U);
  EXPECT_THAT(ink.dots.coverage, Each(255));
  EXPECT_EQ(ink.contone, (InkImage{13, 5, std::vector<uint8_t>(65, 128)}));
  EXPECT_EQ(ink.plate, (InkImage{13, 5, std::vector<uint8_t>(65, 255)}));
}

TEST(PagePreview, ShowsTheVolumeOfLevels) {
  const DropLevels levels = drop_levels({.drops = {0, 1, 4}});
  PageInfo info;
  info.width_px = 13;
  info.height_px = 5;
  info.bytes_per_sample = 1;
  info.max_sample = 255;
  info.inks = {"black"};
  PagePreview preview(info, {levels});
  std::vector<std::byte> samples(65);
  preview.add_samples({samples.data(), 13, 5, 13, 0, 1});
  std::vector<uint8_t> bytes(bit_row_bytes(13, 2) * 5, 0b01'01'01'01);
  preview.add_bits(0, {bytes.data(), 13, 5, bit_row_bytes(13, 2), 0, 2});
  const PreviewImages found = preview.take();
  EXPECT_THAT(found.inks.at(0).plate.coverage, Each(64));
  EXPECT_THAT(found.inks.at(0).dots.coverage, Each(64));
  EXPECT_EQ(found.inks.at(0).dots.width_px, 13U);
}

/// The sums of a page's cells and pieces, pixel by pixel. `ink` is 0 or 1, or a level.
template <typename Sample, typename Ink>
device_chain::PictureSums sums_of(const device_chain::PictureGrid& grid,
                                  const Sample& sample,
                                  const Ink& ink) {
  device_chain::PictureSums sums;
  const uint32_t bits = grid.levels ? packed_bits(grid.levels->count) : 1;
  for (size_t r = 0; r < grid.row_ends.size(); ++r) {
    for (size_t c = 0; c < grid.column_ends.size(); ++c) {
      uint64_t of_samples = 0, of_ink = 0;
      const uint32_t first = r == 0 ? 0 : grid.row_ends[r - 1];
      for (uint32_t y = first; y < grid.row_ends[r]; ++y) {
        for (uint32_t x = c == 0 ? 0 : grid.column_ends[c - 1]; x < grid.column_ends[c]; ++x) {
          if ((y - first) % grid.row_steps[r] == 0) of_samples += sample(x, y);
          of_ink += grid.levels ? grid.levels->tones[ink(x, y)] : ink(x, y);
        }
      }
      sums.samples.push_back(of_samples);
      sums.ink.push_back(of_ink);
    }
  }
  sums.tones.resize(grid.pieces.size() * grid.tones);
  sums.pieces.resize(grid.pieces.size() * grid.piece_bytes());
  for (size_t p = 0; p < grid.pieces.size(); ++p) {
    const Rect& piece = grid.pieces[p];
    for (uint32_t y = 0; y < piece.height_px; ++y) {
      uint8_t* row = sums.pieces.data() + p * grid.piece_bytes() + y * grid.piece_row_bytes();
      for (uint32_t x = 0; x < piece.width_px; ++x) {
        const uint32_t tone = sample(piece.x + x, piece.y + y) * grid.tones / (grid.max_sample + 1);
        if (y % grid.tone_rows == 0) ++sums.tones[p * grid.tones + tone];
        const uint32_t level = ink(piece.x + x, piece.y + y);
        row[x * bits / 8] |= static_cast<uint8_t>(level << (8 - bits - x * bits % 8));
      }
    }
  }
  return sums;
}

TEST(PagePreview, IsTheSameOfSumsAsOfRows) {
  const auto sample = [](uint32_t x, uint32_t y) { return (x * 7 + y * 3 + x * y / 50) % 256; };
  for (const auto& [width_px, height_px] : {Sides{1, 1}, {100, 90}, {517, 1389}, {1000, 800}}) {
    const PreviewImages expected = pictures(width_px, height_px, sample, checks);
    PagePreview preview(page_of(width_px, height_px));
    preview.add_sums(0, sums_of(preview.grid(0), sample, checks));
    const PreviewImages found = preview.take();
    EXPECT_EQ(found.dots_x, expected.dots_x);
    EXPECT_EQ(found.dots_y, expected.dots_y);
    EXPECT_EQ(found.inks.at(0).contone, expected.inks.at(0).contone);
    EXPECT_EQ(found.inks.at(0).plate, expected.inks.at(0).plate);
    EXPECT_EQ(found.inks.at(0).dots, expected.inks.at(0).dots);
  }
}

TEST(PagePreview, IsTheSameOfSumsAsOfRowsWithLevels) {
  const auto sample = [](uint32_t x, uint32_t y) { return (x * 7 + y * 3 + x * y / 50) % 256; };
  for (const auto& drops : {std::vector<double>{0, 1, 4}, {0, 1, 2, 3, 5, 8, 13, 21, 34}}) {
    const DropLevels levels = drop_levels({.drops = drops});
    const uint32_t bits = packed_bits(levels.count);
    const auto level = [&](uint32_t x, uint32_t y) { return (x / 3 + y * y / 7) % levels.count; };
    for (const auto& [width_px, height_px] : {Sides{1, 1}, {101, 90}, {1000, 800}}) {
      PagePreview of_rows(page_of(width_px, height_px), {levels});
      PagePreview of_sums(page_of(width_px, height_px), {levels});
      std::vector<std::byte> samples(width_px);
      std::vector<uint8_t> row(bit_row_bytes(width_px, bits));
      for (uint32_t y = 0; y < height_px; ++y) {
        std::ranges::fill(row, uint8_t{0});
        for (uint32_t x = 0; x < width_px; ++x) {
          samples[x] = static_cast<std::byte>(sample(x, y));
          row[x * bits / 8] |= static_cast<uint8_t>(level(x, y) << (8 - bits - x * bits % 8));
        }
        of_rows.add_samples({samples.data(), width_px, 1, width_px, y, 1});
        of_rows.add_bits(0, {row.data(), width_px, 1, row.size(), y, bits});
      }
      of_sums.add_sums(0, sums_of(of_sums.grid(0), sample, level));
      const PreviewImages expected = of_rows.take(), found = of_sums.take();
      EXPECT_EQ(found.dots_x, expected.dots_x);
      EXPECT_EQ(found.inks.at(0).contone, expected.inks.at(0).contone);
      EXPECT_EQ(found.inks.at(0).plate, expected.inks.at(0).plate);
      EXPECT_EQ(found.inks.at(0).dots, expected.inks.at(0).dots);
    }
  }
}

}  // namespace
}  // namespace mezzo::test::preview_test
