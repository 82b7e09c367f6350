#include "stages/band/band_memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

namespace mezzo::test::band_memory_test {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;

/// How far from a multiple of `bytes` it begins.
size_t offset_of(BandMemory& memory, size_t bytes) {
  return reinterpret_cast<uintptr_t>(memory.data()) % bytes;
}

TEST(BandMemory, HasTheBytesThatAreAskedFor) {
  for (const size_t bytes : {size_t{0},
                             size_t{1},
                             size_t{63},
                             kHugePage / 8 * 7 - 1,
                             kHugePage / 8 * 7,
                             kHugePage,
                             kHugePage * 2 + 1}) {
    BandMemory memory(bytes, BufferUse::kCpuOnly);
    EXPECT_EQ(memory.size(), bytes);
    EXPECT_EQ(offset_of(memory, 64), 0U);
    std::memset(memory.data(), 0x5A, bytes);  // which the address sanitizer watches
  }
}

TEST(BandMemory, BeginsAtAHugePageWhereItFillsOne) {
  for (const size_t bytes : {kHugePage / 8 * 7, kHugePage, kHugePage * 3 / 2}) {
    BandMemory memory(bytes, BufferUse::kCpuOnly);
    EXPECT_EQ(offset_of(memory, kHugePage), 0U) << bytes;
  }
}

TEST(BandMemory, IsEmptyAtFirstAndOnceMovedFrom) {
  EXPECT_EQ(BandMemory().size(), 0U);
  BandMemory memory(100, BufferUse::kCpuOnly);
  const std::byte* data = memory.data();
  BandMemory other = std::move(memory);
  EXPECT_EQ(other.data(), data);
  EXPECT_EQ(other.size(), 100U);
  EXPECT_EQ(memory.size(), 0U);  // NOLINT(bugprone-use-after-move)
}

}  // namespace
}  // namespace mezzo::test::band_memory_test
