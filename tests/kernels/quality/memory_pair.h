// A contone and a halftone in memory, for tests of the judge.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/quality/judge.h"

namespace mezzo::test {

/// Both pages as functions of (x, y).
class MemoryPair final : public quality::PagePair {
 public:
  using Pixel = std::function<uint32_t(uint32_t x, uint32_t y)>;

  MemoryPair(uint32_t width_px, uint32_t height_px, uint32_t max_ink, Pixel ink, Pixel bit)
      : width_px_(width_px),
        height_px_(height_px),
        max_ink_(max_ink),
        ink_(std::move(ink)),
        bit_(std::move(bit)) {}

  uint32_t width_px() const override { return width_px_; }
  uint32_t height_px() const override { return height_px_; }
  uint32_t max_ink() const override { return max_ink_; }
  void read(const BandView<uint16_t>& ink, const BandView<uint8_t>& bits, Team&) override {
    for (uint32_t i = 0; i < ink.rows; ++i) {
      for (uint32_t x = 0; x < width_px_; ++x) {
        ink.row(i)[x] = static_cast<uint16_t>(ink_(x, ink.first_row + i));
        bits.row(i)[x] = static_cast<uint8_t>(bit_(x, bits.first_row + i));
      }
    }
  }

 private:
  uint32_t width_px_;
  uint32_t height_px_;
  uint32_t max_ink_;
  Pixel ink_;
  Pixel bit_;
};

inline MemoryPair::Pixel constant(uint32_t value) {
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
