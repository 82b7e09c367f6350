#include "stages/tiff/read/zstd_head.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "kernels/base/error.h"
#include "stages/tiff/damaged.h"

namespace mezzo::tiff {
namespace {

constexpr uint32_t kMagic = 0xFD2FB528;
constexpr uint64_t kMostWindow = (uint64_t{1} << 27) + 1;  // libzstd refuses larger ones

[[noreturn]] void unsupported(const std::string& what) {
  throw Error(ErrorKind::kUnsupported,
              "the ZSTD data " + what + ", which is not supported",
              kOtherCompression);
}

[[noreturn]] void damaged(const std::string& what) {
  throw damaged_page("the ZSTD data is damaged: " + what);
}

/// Refuses what is not a frame of RFC 8878.
[[noreturn]] void refuse_magic(uint32_t magic) {
  constexpr uint32_t kFirstSkippable = 0x184D2A50;  // 16 of them
  constexpr uint32_t kDictionary = 0xEC30A437;
  constexpr uint32_t kVersion1 = 0xFD2FB51E;
  constexpr uint32_t kVersion2 = 0xFD2FB522;  // 0.3 to 0.7 have the numbers behind it
  if ((magic & ~uint32_t{15}) == kFirstSkippable) unsupported("begins with a skippable frame");
  if (magic == kDictionary) unsupported("is a dictionary");
  if (magic == kVersion1) unsupported("is in the format of zstd 0.1");
  if (magic >= kVersion2 && magic < kMagic) {
    unsupported("is in the format of zstd 0." + std::to_string(2 + magic - kVersion2));
  }
  char text[11];
  std::snprintf(text, sizeof text, "0x%08X", static_cast<unsigned>(magic));
  damaged("it begins with " + std::string(text) + ", not with a frame");
}

}  // namespace

uint64_t zstd_window_bytes(BlockHead& head) {
  const auto magic = static_cast<uint32_t>(head.little_endian(0, 4));
  if (magic != kMagic) refuse_magic(magic);
  // Sections 3.1.1.1.1 to 3.1.1.1.4: the descriptor, then window, dictionary and content size.
  const uint32_t descriptor = head.byte(4);
  const bool is_single_segment = (descriptor >> 5 & 1) != 0;
  if ((descriptor >> 3 & 1) != 0) damaged("its frame header has a reserved bit");
  constexpr std::array<uint32_t, 4> kDictionaryBytes = {0, 1, 2, 4};
  const uint32_t dictionary_bytes = kDictionaryBytes[descriptor & 3];
  const uint64_t dictionary_at = is_single_segment ? 5 : 6;
  const uint64_t size_at = dictionary_at + dictionary_bytes;
  const uint32_t size_flag = descriptor >> 6;
  const uint32_t size_bytes = size_flag == 0 && !is_single_segment ? 0 : 1U << size_flag;
  if (size_at + size_bytes > head.size()) damaged("its frame header is cut off");
  if (head.little_endian(dictionary_at, dictionary_bytes) != 0) unsupported("needs a dictionary");
  uint64_t content = kMostWindow;
  if (size_bytes > 0) content = head.little_endian(size_at, size_bytes);
  if (size_flag == 1) content += 256;
  if (is_single_segment) return std::min(content, kMostWindow);
  const uint32_t window = head.byte(5);
  const uint64_t base = uint64_t{1} << (10 + (window >> 3));
  return std::min({base + base / 8 * (window & 7), content, kMostWindow});
}

}  // namespace mezzo::tiff
