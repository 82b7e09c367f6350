// A contone and a halftone in memory, for tests of the judge.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "kernels/quality/memory_pair.h"

namespace mezzo::test {

using Pixel = std::function<uint32_t(uint32_t x, uint32_t y)>;

/// Both pages, drawn by functions of (x, y).
class DrawnPair {
 public:
  DrawnPair(
      uint32_t width_px, uint32_t height_px, uint32_t max_ink, const Pixel& ink, const Pixel& bit)
      : samples_(size_t{width_px} * height_px), bits_(bit_row_bytes(width_px) * height_px) {
    SampleBand samples;
    samples.data = reinterpret_cast<std::byte*>(samples_.data());
    samples.width_px = width_px;
    samples.rows = height_px;
    samples.stride_bytes = 2 * size_t{width_px};
    samples.bytes_per_sample = 2;
    const BitBand bits{bits_.data(), width_px, height_px, bit_row_bytes(width_px)};
    for (uint32_t y = 0; y < height_px; ++y) {
      for (uint32_t x = 0; x < width_px; ++x) {
        samples_[size_t{y} * width_px + x] = static_cast<uint16_t>(ink(x, y));
        if (bit(x, y) != 0) bits.row(y)[x / 8] |= static_cast<uint8_t>(0x80U >> x % 8);
      }
    }
    pair_.emplace(samples, max_ink, Polarity::kMaxIsInk, bits);
  }
  DrawnPair(const DrawnPair&) = delete;
  DrawnPair& operator=(const DrawnPair&) = delete;

  quality::PagePair& pair() { return *pair_; }

 private:
  std::vector<uint16_t> samples_;
  std::vector<uint8_t> bits_;
  std::optional<quality::MemoryPair> pair_;
};

inline Pixel constant(uint32_t value) {
  return [value](uint32_t, uint32_t) { return value; };
}

/// Noise that is the same on every call: white, 0 .. 2^32 - 1.
inline uint32_t noise(uint32_t x, uint32_t y) {
  uint64_t h = (uint64_t{x} << 32 | y) * 0x9E3779B97F4A7C15;
  h = (h ^ h >> 29) * 0xBF58476D1CE4E5B9;
  h = (h ^ h >> 32) * 0x94D049BB133111EB;
  return static_cast<uint32_t>(h >> 32);
}

}  // namespace mezzo::test
