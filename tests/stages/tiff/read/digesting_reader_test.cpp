#include "stages/tiff/read/digesting_reader.h"

#include <gtest/gtest.h>

#include "stages/files/xxh3.h"
#include "tests/stages/chain/noisy_page.h"

namespace mezzo::test::digesting_reader_test {
namespace {

tiff::DigestingReader digesting(const PageInfo& page, prepress::SampleRange rows) {
  return {std::make_unique<NoisyPage>(page, 1), page.inks.size(), rows};
}

tiff::DigestingReader digesting(const PageInfo& page) {
  return digesting(page, {0, page.height_px});
}

/// That of all rows, read at once.
std::string whole(const PageInfo& page) {
  auto reader = digesting(page);
  read_rows(reader, page, 0, page.height_px);
  return reader.digest();
}

TEST(DigestingReader, DigestsTheSamplesOfAnInkAsTheyAre) {
  const PageInfo page = page_of(7, 5, 255, 1);
  NoisyPage noise(page, 1);
  files::Xxh3 expected;
  for (uint32_t y = 0; y < page.height_px; ++y) {
    for (uint32_t x = 0; x < page.width_px; ++x) {
      const auto sample = static_cast<uint8_t>(noise.at(0, x, y));
      expected.add(&sample, 1);
    }
  }
  EXPECT_EQ(whole(page), expected.hex64());
}

TEST(DigestingReader, IsTheSameHoweverRowsAreRead) {
  for (const uint32_t max_sample : {255U, 65'535U}) {
    const PageInfo page = page_of(31, 50, max_sample, 3);
    const std::string expected = whole(page);
    for (const uint32_t rows : {1U, 7U, 49U}) {
      auto reader = digesting(page);
      for (uint32_t y = 0; y < page.height_px; y += rows) {
        read_rows(reader, page, y, std::min(rows, page.height_px - y));
      }
      EXPECT_EQ(reader.digest(), expected) << rows;
    }
    auto sampled = digesting(page);
    read_rows(sampled, page, 40, 5);  // below what has been read
    read_rows(sampled, page, 0, 12);
    read_rows(sampled, page, 3, 4);    // again
    read_rows(sampled, page, 30, 20);  // with a gap, which is read later
    read_rows(sampled, page, 10, 25);
    read_rows(sampled, page, 20, 30);
    EXPECT_EQ(sampled.digest(), expected);
  }
}

TEST(DigestingReader, KnowsInksApartAndSamplesToTheLast) {
  const PageInfo three = page_of(31, 50, 255, 3), two = page_of(31, 50, 255, 2);
  EXPECT_NE(whole(three), whole(two));
  const PageInfo taller = page_of(31, 51, 255, 2);
  EXPECT_NE(whole(two), whole(taller));
}

TEST(DigestingReader, LeavesOutRowsAroundACroppedPage) {
  const PageInfo page = page_of(31, 50, 255, 2);
  auto alone = digesting(page, {8, 30}), amid = digesting(page, {8, 30});
  read_rows(alone, page, 8, 30);
  read_rows(amid, page, 0, 20);
  read_rows(amid, page, 20, 25);
  EXPECT_EQ(alone.digest(), amid.digest());
  EXPECT_NE(alone.digest(), whole(page));
}

TEST(DigestingReader, PadsNothing) {
  const PageInfo page = page_of(31, 4, 255, 1);
  auto reader = digesting(page);
  std::vector<std::byte> rows(40 * 4, std::byte{0xAA});
  const MutableSampleBand band{.data = rows.data(), .width_px = 31, .rows = 4, .stride_bytes = 40};
  SoloTeam solo;
  reader.read({&band, 1}, solo);
  EXPECT_EQ(reader.digest(), whole(page));
}

}  // namespace
}  // namespace mezzo::test::digesting_reader_test
