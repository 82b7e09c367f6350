#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "tools/synth/font.h"
#include "tools/synth/layout.h"
#include "tools/synth/page.h"

namespace mezzo::test::synth_test {
namespace {

std::vector<std::byte> whole(const synth::SynthOptions& options) {
  const synth::SynthPage page(options);
  std::vector<std::byte> samples(page.row_bytes() * options.height_px);
  page.render_rows(0, options.height_px, samples.data());
  return samples;
}

TEST(SynthPage, IsTheSameInAnyBands) {
  std::mt19937 random(7);
  std::uniform_int_distribution<uint32_t> band_rows(0, 36);
  for (const synth::SynthOptions& options :
       {synth::SynthOptions{.width_px = 331, .height_px = 420},
        synth::SynthOptions{.width_px = 640, .height_px = 400, .bits = 16},
        synth::SynthOptions{.width_px = 257, .height_px = 300, .planes = 3},
        synth::SynthOptions{.width_px = 300, .height_px = 200, .planes = 4}}) {
    const std::vector<std::byte> expected = whole(options);
    const synth::SynthPage page(options);
    std::vector<std::byte> banded(expected.size());
    for (uint32_t row = 0; row < options.height_px;) {
      const uint32_t rows = std::min(band_rows(random), options.height_px - row);
      page.render_rows(row, rows, banded.data() + page.row_bytes() * row);
      row += rows;
    }
    EXPECT_EQ(banded, expected) << options.width_px << " x " << options.height_px;
  }
}

TEST(SynthPage, IsSharedByThreads) {
  const synth::SynthOptions options{.width_px = 500, .height_px = 640};
  const std::vector<std::byte> expected = whole(options);
  const synth::SynthPage page(options);
  std::vector<std::byte> samples(expected.size());
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < 4; ++i) {
    threads.emplace_back(
        [&, i] { page.render_rows(i * 160, 160, samples.data() + page.row_bytes() * 160 * i); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(samples, expected);
}

TEST(SynthPage, ExistsInEverySize) {
  for (const uint32_t width : {1U, 2U, 3U, 7U, 17U, 50U, 131U, 1000U}) {
    for (const uint32_t height : {1U, 2U, 5U, 16U, 49U, 130U, 1001U}) {
      for (const uint32_t planes : {1U, 3U, 4U}) {
        const synth::SynthOptions options{.width_px = width, .height_px = height, .planes = planes};
        EXPECT_EQ(whole(options).size(), size_t{width} * height * planes);
      }
    }
  }
}

TEST(SynthPage, ReachesTheLargestSize) {
  for (const double dpi : {1.0, 300.0, 100'000.0}) {
    const synth::SynthOptions options{
        .width_px = 100'000, .height_px = 100'000, .bits = 16, .planes = 4, .dpi = dpi};
    const synth::SynthPage page(options);
    std::vector<std::byte> row(page.row_bytes());
    for (const uint32_t y : {0U, 7'000U, 25'000U, 50'000U, 77'777U, 93'000U, 99'999U}) {
      page.render_rows(y, 1, row.data());
    }
  }
  const synth::SynthPage tall({.width_px = 1, .height_px = 100'000});
  std::vector<std::byte> column(100'000);
  tall.render_rows(0, 100'000, column.data());
}

TEST(SynthPage, HasPaperSolidAndEveryToneBetween) {
  const std::vector<std::byte> samples = whole({.width_px = 900, .height_px = 1200});
  std::vector<size_t> histogram(256);
  for (const std::byte sample : samples) ++histogram[static_cast<size_t>(sample)];
  for (size_t value = 0; value < 256; ++value) EXPECT_GT(histogram[value], 0U) << value;
  EXPECT_GT(histogram[255], samples.size() / 10);  // paper
  EXPECT_GT(histogram[0], samples.size() / 100);   // black
  EXPECT_EQ(samples.front(), std::byte{255});      // margins are paper
  EXPECT_EQ(samples.back(), std::byte{255});
}

TEST(SynthPage, UsesAll16Bits) {
  const synth::SynthOptions options{.width_px = 900, .height_px = 1200, .bits = 16};
  const std::vector<std::byte> bytes = whole(options);
  std::vector<uint16_t> samples(bytes.size() / 2);
  std::memcpy(samples.data(), bytes.data(), bytes.size());
  std::ranges::sort(samples);
  EXPECT_EQ(samples.front(), 0);
  EXPECT_EQ(samples.back(), 65535);
  samples.erase(std::ranges::unique(samples).begin(), samples.end());
  EXPECT_GT(samples.size(), 4096U);  // far more than 8 bits can tell
}

TEST(SynthPage, KeepsThePolarityOfItsKind) {
  const std::vector<std::byte> cmyk = whole({.width_px = 300, .height_px = 400, .planes = 4});
  for (size_t plane = 0; plane < 4; ++plane) EXPECT_EQ(cmyk[plane], std::byte{0});  // paper
  const std::vector<std::byte> rgb = whole({.width_px = 300, .height_px = 400, .planes = 3});
  for (size_t plane = 0; plane < 3; ++plane) EXPECT_EQ(rgb[plane], std::byte{255});
}

TEST(SynthPage, GivesEveryPlaneItsOwnContent) {
  for (const uint32_t planes : {3U, 4U}) {
    const std::vector<std::byte> samples =
        whole({.width_px = 300, .height_px = 400, .planes = planes});
    for (uint32_t a = 0; a < planes; ++a) {
      for (uint32_t b = a + 1; b < planes; ++b) {
        size_t different = 0;
        for (size_t i = 0; i < samples.size(); i += planes) {
          different += samples[i + a] != samples[i + b];
        }
        EXPECT_GT(different, samples.size() / planes / 20) << a << " and " << b;
      }
    }
  }
}

TEST(SynthPage, ChangesItsPictureWithTheSeed) {
  const synth::SynthOptions options{.width_px = 300, .height_px = 400, .seed = 1};
  synth::SynthOptions other = options;
  other.seed = 2;
  EXPECT_NE(whole(options), whole(other));
  EXPECT_EQ(whole(options), whole(options));
}

/// One row of a single shape, in plane 0.
std::vector<uint16_t> drawn(const synth::Shape& shape, int32_t y, int32_t width_px) {
  std::vector<uint16_t> line(static_cast<size_t>(width_px));
  synth::Row row;
  row.y = y;
  row.width_px = width_px;
  row.line[0] = line.data();
  shape.draw(row);
  return line;
}

TEST(SynthRamp, RunsFromPaperToSolidWithoutAStepBack) {
  for (const int32_t length : {1, 2, 3, 10, 255, 256, 1000, 65535, 65536, 99'999}) {
    const synth::Ramp across(
        {0, 0, length, 1}, synth::Direction::kAcross, {synth::kFullInk, 0, 0, 0});
    const std::vector<uint16_t> line = drawn(across, 0, length);
    EXPECT_EQ(line.front(), 0);
    EXPECT_TRUE(std::ranges::is_sorted(line)) << length;
    EXPECT_EQ(line.back(), length > 1 ? synth::kFullInk : 0) << length;
    const synth::Ramp down({0, 0, 1, length}, synth::Direction::kDown, {synth::kFullInk, 0, 0, 0});
    for (const int32_t y : {0, length / 2, length - 1}) {
      EXPECT_EQ(drawn(down, y, 1)[0], line[static_cast<size_t>(y)]);
    }
  }
}

TEST(SynthShapes, AreClippedToThePage) {
  const synth::Ink ink = {synth::kFullInk, 0, 0, 0};
  const synth::Box beyond = {-20, -20, 40, 40};
  const synth::Rectangle rectangle(beyond, ink);
  const synth::Ramp ramp(beyond, synth::Direction::kAcross, ink);
  const synth::Ring ring(10, 10, 5, 30, ink);
  const synth::ZonePlate zone(beyond, ink);
  const synth::Star star(beyond, 36, ink);
  const synth::Pattern pattern(beyond, synth::Pattern::Kind::kChecker, 1, ink);
  const synth::Text text(-15, 12, 20, "Mezzotint", ink);
  for (const synth::Shape* shape : std::initializer_list<const synth::Shape*>{
           &rectangle, &ramp, &ring, &zone, &star, &pattern, &text}) {
    for (int32_t y = 0; y < 20; ++y) drawn(*shape, y, 20);  // AddressSanitizer watches
  }
}

TEST(SynthFont, DrawsEveryLetterItOffers) {
  for (const char letter : std::string_view(
           "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.,-+/:%()")) {
    const synth::Text text(2, 24, 20, std::string(1, letter), {synth::kFullInk, 0, 0, 0});
    uint64_t ink = 0;
    for (int32_t y = 0; y < 40; ++y) {
      for (const uint16_t coverage : drawn(text, y, 40)) ink += coverage;
    }
    EXPECT_GT(ink, uint64_t{synth::kFullInk}) << letter;
  }
}

}  // namespace
}  // namespace mezzo::test::synth_test
