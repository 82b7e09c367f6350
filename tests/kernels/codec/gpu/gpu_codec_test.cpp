// Coders on a GPU against libtiff and the CPU; skipped without a GPU.

#include "kernels/codec/gpu/gpu_codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/gpu/context.h"
#include "tests/kernels/codec/bit_pages.h"
#include "tests/support/libtiff_strip.h"

namespace mezzo::test::gpu_codec_test {
namespace {

using codec::code_fax_on_gpu;
using codec::CodedStrip;
using codec::CodedStrips;

std::vector<uint8_t> bytes_of(const CodedStrips& coded, const CodedStrip& strip) {
  const auto* begin = coded.memory.data() + strip.offset;
  return {begin, begin + strip.bytes};
}

class GpuCodec : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpu::device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  }

  void expect_libtiffs(const BitBand& rows, uint32_t rows_per_strip) {
    const CodedStrips found = code_fax_on_gpu(rows, rows_per_strip, context_);
    const auto expected = libtiff_strips(rows, rows_per_strip, COMPRESSION_CCITTFAX4);
    ASSERT_EQ(found.strips.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(bytes_of(found, found.strips[i]), expected[i])
          << "strip " << i << " of " << rows.width_px << " x " << rows.rows;
      ASSERT_EQ(found.sums[i], codec::byte_sum(std::as_bytes(std::span(expected[i]))))
          << "strip " << i << " of " << rows.width_px << " x " << rows.rows;
    }
    EXPECT_EQ(found.bytes_needed, found.memory.size());
  }

  gpu::Context& context_ = gpu::Context::of_process();
};

TEST_F(GpuCodec, CodesAsLibtiff) {
  std::mt19937 random(6);
  const uint32_t widths[] = {1, 31, 32, 33, 64, 1000, 1022, 1023, 1024, 1025, 2048, 3001, 20400};
  for (const uint32_t width : widths) {
    for (const uint32_t rows_per_strip : {1U, 16U, 33U, 100U}) {
      BitPlane plane(width, 70);
      clear(plane);
      fill_with_runs(plane.band, random);
      expect_libtiffs(plane.band, rows_per_strip);
    }
  }
}

TEST_F(GpuCodec, CodesBlankAndSolidRows) {
  for (const uint32_t width : {7U, 1024U, 70000U}) {
    BitPlane plane(width, 300);
    clear(plane);
    expect_libtiffs(plane.band, 128);
    for (uint32_t x = 0; x < width; ++x) set_ink(plane.band, x, 150, true);
    expect_libtiffs(plane.band, 128);
  }
}

TEST_F(GpuCodec, LeavesOutStripsThatDoNotFit) {
  std::mt19937 random(7);
  BitPlane plane(1500, 90);
  clear(plane);
  fill_with_runs(plane.band, random);
  const CodedStrips all = code_fax_on_gpu(plane.band, 10, context_);
  const CodedStrip& third = all.strips[2];
  for (const size_t capacity : {size_t{160}, static_cast<size_t>(third.offset + third.bytes - 1)}) {
    const CodedStrips some = code_fax_on_gpu(plane.band, 10, context_, capacity);
    EXPECT_EQ(some.bytes_needed, all.bytes_needed);
    EXPECT_EQ(some.memory.size(), capacity);
    for (size_t i = 0; i < all.strips.size(); ++i) {
      EXPECT_EQ(some.strips[i].offset, all.strips[i].offset);
      EXPECT_EQ(some.strips[i].bytes, all.strips[i].bytes);
      const uint64_t end = some.strips[i].offset + (some.strips[i].bytes + 3) / 4 * 4;
      EXPECT_EQ(some.sums[i], end > capacity ? codec::RowSum() : all.sums[i]) << "strip " << i;
      if (end > capacity) continue;
      EXPECT_EQ(bytes_of(some, some.strips[i]), bytes_of(all, all.strips[i])) << "strip " << i;
    }
  }
}

TEST_F(GpuCodec, SumsRowsAsTheCpu) {
  std::mt19937 random(8);
  for (const uint32_t width : {1U, 32U, 33U, 64U, 65U, 4000U, 32768U, 32800U, 70000U}) {
    BitPlane plane(width, 50);
    clear(plane);
    fill_with_runs(plane.band, random);
    plane.band.first_row = static_cast<uint32_t>(random());
    for (const uint32_t rows_per_strip : {1U, 7U, 50U, 99U}) {
      const auto sums = codec::row_sums_on_gpu(plane.band, rows_per_strip, context_);
      for (uint32_t i = 0; i < sums.size(); ++i) {
        const uint32_t first = i * rows_per_strip;
        const auto strip = plane.band.slice(first, std::min(rows_per_strip, 50 - first));
        ASSERT_EQ(sums[i], codec::row_sum(strip)) << width << " px, strip " << i;
      }
    }
  }
}

TEST(CodecsWithoutGpu, SayThatThereIsNone) {
  if (gpu::device_count() > 0) GTEST_SKIP() << "this machine has a GPU";
  BitPlane plane(10, 2);
  EXPECT_THROW(code_fax_on_gpu(plane.band, 2, gpu::Context::of_process()), Error);
  EXPECT_THROW(codec::row_sums_on_gpu(plane.band, 1, gpu::Context::of_process()), Error);
}

}  // namespace
}  // namespace mezzo::test::gpu_codec_test
