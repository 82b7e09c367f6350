#include "stages/band/bit_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/stages/chain/noisy_page.h"

namespace mezzo::test::bit_reader_test {
namespace {

/// A page of one bit, as it was read: samples of 0 and 255.
class BitPage final : public tiff::PageReader {
 public:
  BitPage(uint32_t width, uint32_t height, Polarity polarity)
      : info(page_of(width, height, 255, 1)) {
    info.format = "1-bit grey";
    info.bytes_per_sample = 1;
    info.polarity = polarity;
    std::mt19937 random(5);
    for (uint32_t i = 0; i < width * height; ++i) is_ink.push_back(random() % 3 == 0);
  }

  uint32_t row_quantum() const override { return 5; }
  bool goes_back_cheaply() const override { return false; }
  size_t working_bytes(uint32_t, uint32_t) const override { return 0; }
  void read(std::span<const MutableSampleBand> planes, Team&) override {
    const MutableSampleBand& to = planes.front();
    EXPECT_EQ(to.first_row, rows_read) << "each row is read once";
    rows_read += to.rows;
    const bool max_is_ink = info.polarity == Polarity::kMaxIsInk;
    for (uint32_t i = 0; i < to.rows; ++i) {
      for (uint32_t x = 0; x < to.width_px; ++x) {
        to.row(i)[x] =
            std::byte{ink(x, to.first_row + i) == max_is_ink ? uint8_t{255} : uint8_t{0}};
      }
    }
  }
  bool ink(int64_t x, int64_t y) const {
    if (x < 0 || y < 0 || x >= info.width_px || y >= info.height_px) return false;
    return is_ink[static_cast<size_t>(y) * info.width_px + static_cast<size_t>(x)];
  }

  PageInfo info;
  std::vector<bool> is_ink;
  uint32_t rows_read = 0;
};

/// Reads the frame in bands of `band_rows`, compares each pixel, and then what was cut.
void expect_framed(BitPage& page, const BitReader::Frame& frame, uint32_t band_rows) {
  BitReader reader(page.info, page, frame);
  SoloTeam solo;
  const size_t row_bytes = bit_row_bytes(frame.width_px);
  uint64_t inside = 0;
  for (uint32_t first = 0; first < frame.height_px; first += band_rows) {
    const uint32_t rows = std::min(band_rows, frame.height_px - first);
    std::vector<uint8_t> memory(row_bytes * rows, 0xa5);
    const BitBand bits{memory.data(), frame.width_px, rows, row_bytes, first};
    reader.read(bits, solo);
    for (uint32_t i = 0; i < rows; ++i) {
      for (uint32_t x = 0; x < row_bytes * 8; ++x) {
        const bool want = x < frame.width_px &&
                          page.ink(int64_t{x} - frame.column, int64_t{first} + i - frame.row);
        ASSERT_EQ(bits.ink(x, i), want) << x << ", " << first + i;
        inside += want ? 1 : 0;
      }
    }
  }
  const auto all = static_cast<uint64_t>(std::ranges::count(page.is_ink, true));
  EXPECT_EQ(reader.cut_ink_px(solo), all - inside);
  EXPECT_EQ(page.rows_read, page.info.height_px);
}

TEST(BitReader, CutsAndPadsAtEachEdge) {
  for (const auto polarity : {Polarity::kMaxIsInk, Polarity::kMaxIsPaper}) {
    for (const int64_t column : {-9, -1, 0, 1, 8, 11}) {
      for (const int64_t row : {-7, -1, 0, 1, 6}) {
        for (const uint32_t width : {37U, 43U, 61U}) {
          for (const uint32_t height : {41U, 47U, 61U}) {
            BitPage page(43, 47, polarity);
            SCOPED_TRACE(testing::Message()
                         << width << " x " << height << " from " << column << ", " << row);
            expect_framed(page, {width, height, column, row}, column == 0 ? 64 : 7);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace mezzo::test::bit_reader_test
