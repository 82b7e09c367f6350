// Pairs in memory: samples of both widths and polarities, as ink.
#include "kernels/quality/memory_pair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace mezzo::test::memory_pair_test {
namespace {

using testing::ElementsAre;

template <typename Sample>
SampleBand band_of(std::vector<Sample>& samples, uint32_t width_px) {
  SampleBand band;
  band.data = reinterpret_cast<std::byte*>(samples.data());
  band.width_px = width_px;
  band.rows = static_cast<uint32_t>(samples.size() / width_px);
  band.stride_bytes = width_px * sizeof(Sample);
  band.bytes_per_sample = sizeof(Sample);
  return band;
}

TEST(MemoryPair, ReadsSamplesAsInk) {
  std::vector<uint8_t> bytes = {9, 9, 9, 0, 255, 200};
  std::vector<uint16_t> words = {1, 2, 3, 0, 4000, 5000};
  std::vector<uint16_t> ink(3);
  quality::read_ink(band_of(bytes, 3), 1, 255, Polarity::kMaxIsPaper, ink.data());
  EXPECT_THAT(ink, ElementsAre(255, 0, 55));
  quality::read_ink(band_of(words, 3), 1, 4095, Polarity::kMaxIsInk, ink.data());
  EXPECT_THAT(ink, ElementsAre(0, 4000, 4095)) << "larger samples are cut";
}

TEST(MemoryPair, ReadsTheRowsThatAreAskedFor) {
  std::vector<uint8_t> samples = {0, 10, 20, 30, 40, 50}, packed = {0x80, 0x40, 0xc0};
  quality::MemoryPair pair(
      band_of(samples, 2), 255, Polarity::kMaxIsInk, BitBand{packed.data(), 2, 3, 1});
  EXPECT_EQ(pair.width_px(), 2U);
  EXPECT_EQ(pair.height_px(), 3U);
  std::vector<uint16_t> ink(4);
  std::vector<uint8_t> bits(4);
  SoloTeam solo;
  pair.read({ink.data(), 2, 2, 2, 1}, {bits.data(), 2, 2, 2, 1}, solo);
  EXPECT_THAT(ink, ElementsAre(20, 30, 40, 50));
  EXPECT_THAT(bits, ElementsAre(0, 1, 1, 1));
}

}  // namespace
}  // namespace mezzo::test::memory_pair_test
