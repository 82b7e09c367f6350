#include "kernels/codec/packbits.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/kernels/codec/strips.h"
#include "tests/support/libtiff_strip.h"
#include "tests/support/simd_target.h"

namespace mezzo::test::packbits_test {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes packed(const Strip& strip) {
  const std::vector<std::byte> bytes = codec::packbits(strip.bytes, strip.row_bytes);
  const auto* first = reinterpret_cast<const uint8_t*>(bytes.data());
  return {first, first + bytes.size()};
}

/// TIFF 6.0, section 9.
Bytes unpacked(const Bytes& packets) {
  Bytes bytes;
  for (size_t at = 0; at < packets.size();) {
    const int header = static_cast<int8_t>(packets[at++]);
    if (header == -128) continue;
    for (int i = 0; i <= (header < 0 ? -header : header); ++i) {
      bytes.push_back(packets[header < 0 ? at : at + static_cast<size_t>(i)]);
    }
    at += header < 0 ? 1 : static_cast<size_t>(header) + 1;
  }
  return bytes;
}

void expect_libtiffs(Strip& strip) {
  const auto width = static_cast<uint32_t>(8 * strip.row_bytes);
  const auto rows = static_cast<uint32_t>(strip.bytes.size() / strip.row_bytes);
  const Bytes found = packed(strip);
  const BitBand band{strip.bytes.data(), width, rows, strip.row_bytes};
  ASSERT_EQ(found, libtiff_strip(band, COMPRESSION_PACKBITS))
      << strip.name << ", " << strip.row_bytes;
  ASSERT_EQ(unpacked(found), strip.bytes) << strip.name;
  ASSERT_LE(found.size(), strip.bytes.size() * 3 / 2 + 2 * rows);
}

class PackBits : public OnTarget {};
MZ_ON_EVERY_TARGET(Targets, PackBits);

TEST_P(PackBits, IsLibtiffs) {
  for (Strip& strip : any_strips()) expect_libtiffs(strip);
}

TEST(PackBitsOfRuns, IsLibtiffsAroundTheLengthsOfPackets) {
  std::mt19937 random(1);
  const size_t lengths[] = {1,   1,   1,   1,   2,   2,   2,   3,   4,   123, 124,
                            125, 126, 127, 128, 129, 130, 131, 256, 257, 258};
  for (int trial = 0; trial < 4000; ++trial) {
    Strip strip{"runs", {}, 0};
    for (uint64_t runs = 1 + random() % 12; runs > 0; --runs) {
      const size_t length = lengths[random() % std::size(lengths)];
      if (random() % 2 == 0) {
        strip.bytes.insert(strip.bytes.end(), length, static_cast<uint8_t>(random() % 3));
      } else {
        for (size_t i = 0; i < length; ++i)
          strip.bytes.push_back(static_cast<uint8_t>(3 + (i + length) % 253));
      }
    }
    strip.row_bytes = strip.bytes.size();
    expect_libtiffs(strip);
    if (HasFatalFailure()) return;
  }
}

TEST(PackBitsOfRuns, IsThatOfTheSpecificationsExample) {
  // Of the technical note that TIFF 6.0 took it from.
  const Bytes bytes = {0xAA, 0xAA, 0xAA, 0x80, 0x00, 0x2A, 0xAA, 0xAA, 0xAA, 0xAA, 0x80, 0x00,
                       0x2A, 0x22, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA};
  EXPECT_EQ(packed({"", bytes, bytes.size()}),
            (Bytes{0xFE,
                   0xAA,
                   0x02,
                   0x80,
                   0x00,
                   0x2A,
                   0xFD,
                   0xAA,
                   0x03,
                   0x80,
                   0x00,
                   0x2A,
                   0x22,
                   0xF7,
                   0xAA}));
}

}  // namespace
}  // namespace mezzo::test::packbits_test
