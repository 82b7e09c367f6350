#include "stages/tiff/read/codec_memory.h"

#include <algorithm>
#include <array>
#include <span>

#include "kernels/base/error.h"

namespace mezzo::tiff {
namespace {

/// Reads a block from its beginning, in small pieces.
class Head {
 public:
  explicit Head(const StoredBlock& block) : block_(block) {}

  /// The byte at `at`; 0 behind the end.
  uint32_t byte(uint64_t at) {
    if (at >= block_.bytes) return 0;
    if (at < first_ || at >= first_ + held_) {
      first_ = at;
      const uint64_t wanted = std::min<uint64_t>(bytes_.size(), block_.bytes - at);
      int error_number = 0;
      held_ = block_.store.read_at(
          block_.offset + at, std::span(bytes_).first(static_cast<size_t>(wanted)), error_number);
    }
    return at < first_ + held_ ? static_cast<uint32_t>(bytes_[static_cast<size_t>(at - first_)])
                               : 0;
  }
  uint64_t little_endian(uint64_t at, uint32_t bytes) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < bytes; ++i) value |= uint64_t{byte(at + i)} << 8 * i;
    return value;
  }
  uint32_t big_endian_16(uint64_t at) { return byte(at) << 8 | byte(at + 1); }

 private:
  const StoredBlock& block_;
  std::array<std::byte, 64> bytes_{};
  uint64_t first_ = 0;
  size_t held_ = 0;
};

/// The window of a ZSTD frame, RFC 8878, section 3.1.1.1; decoders refuse more than the most.
uint64_t zstd_window_bytes(const StoredBlock& block) {
  constexpr uint64_t kMost = (uint64_t{1} << 27) + 1;
  Head head(block);
  if (head.little_endian(0, 4) != 0xFD2FB528) return 0;
  const uint32_t descriptor = head.byte(4);
  const bool is_single_segment = (descriptor >> 5 & 1) != 0;
  constexpr std::array<uint32_t, 4> kDictionaryBytes = {0, 1, 2, 4};
  const uint32_t size_flag = descriptor >> 6;
  const uint64_t size_at = 5 + (is_single_segment ? 0 : 1) + kDictionaryBytes[descriptor & 3];
  uint64_t content = kMost;
  if (size_flag > 0) content = head.little_endian(size_at, 1U << size_flag);
  if (size_flag == 1) content += 256;
  if (size_flag == 0 && is_single_segment) content = head.byte(size_at);
  if (is_single_segment) return std::min(content, kMost);
  const uint32_t window = head.byte(5);
  const uint64_t base = uint64_t{1} << (10 + (window >> 3));
  return std::min({base + base / 8 * (window & 7), content, kMost});
}

[[noreturn]] void refuse_progressive() {
  throw Error(
      ErrorKind::kUnsupported,
      "progressive JPEG is not supported; save the page with baseline JPEG, or with another "
      "compression");
}

/// Coefficients, 16 bits each, of all samples: of a JPEG whose first scan lacks a component.
uint64_t jpeg_coefficient_bytes(const StoredBlock& block, const PageLayout& layout) {
  constexpr uint32_t kMostSegments = 1000;
  Head head(block);
  uint32_t components = 0;
  uint64_t at = 2;  // behind the marker of the start
  for (uint32_t i = 0; i < kMostSegments && head.byte(at) == 0xFF; ++i) {
    const uint32_t marker = head.byte(at + 1);
    if (marker == 0xFF) {  // padding
      ++at;
      continue;
    }
    if (marker == 0xC2 || marker == 0xC6 || marker == 0xCA || marker == 0xCE) refuse_progressive();
    if (marker == 0xC0 || marker == 0xC1 || marker == 0xC9) components = head.byte(at + 9);
    if (marker == 0xDA) {
      // Blocks of 8 x 8, in units of up to 4 x 4 of them: some more than the samples themselves.
      const uint64_t width = (layout.block_width_px + 31) / 32 * 32;
      const uint64_t height = (uint64_t{layout.block_rows} + 31) / 32 * 32;
      return head.byte(at + 4) < components ? 2 * width * height * components : 0;
    }
    at += 2 + uint64_t{head.big_endian_16(at + 2)};
  }
  return 0;
}

}  // namespace

uint64_t codec_bytes(const StoredBlock& block, const PageLayout& layout) {
  if (layout.compression == COMPRESSION_ZSTD) return zstd_window_bytes(block);
  if (layout.compression == COMPRESSION_JPEG) return jpeg_coefficient_bytes(block, layout);
  return 0;
}

}  // namespace mezzo::tiff
