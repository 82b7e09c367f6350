#include "stages/band/range_reader.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/stages/chain/noisy_page.h"

namespace mezzo::test::range_reader_test {
namespace {

void expect_rows(const NoisyPage& page, const std::vector<MutableSampleBand>& planes) {
  for (size_t p = 0; p < planes.size(); ++p) {
    const MutableSampleBand& rows = planes[p];
    for (uint32_t i = 0; i < rows.rows; ++i) {
      for (uint32_t x = 0; x < rows.width_px; ++x) {
        ASSERT_EQ(rows.row16(i)[x], page.at(p, x, rows.first_row + i))
            << "row " << rows.first_row + i << ", plane " << p;
      }
    }
  }
}

TEST(RangeReader, ReadsEveryRowOnceThoughRangesOverlap) {
  const PageInfo info = page_of(37, 200, 32640, 2);
  std::mt19937 random(3);
  for (int trial = 0; trial < 50; ++trial) {
    NoisyPage page(info, 1);
    RangeReader reader(info, page);
    SoloTeam solo;
    uint32_t first = 0, end = 0;
    while (end < info.height_px) {
      end = std::min<uint32_t>(end + static_cast<uint32_t>(random() % 40), info.height_px);
      ContoneBuffer buffer(info, std::max(end - first, 1U));
      const auto planes = buffer.rows(first, end - first);
      const uint32_t keep_from = first + static_cast<uint32_t>(random() % (end - first + 1));
      reader.read(planes, keep_from, solo);
      expect_rows(page, planes);
      ASSERT_EQ(page.rows_read, end);
      first = keep_from;
    }
  }
}

}  // namespace
}  // namespace mezzo::test::range_reader_test
