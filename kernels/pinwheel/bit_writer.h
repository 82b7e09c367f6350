// Writes the bits of many blocks along a row of the page.
#pragma once

#include <cstdint>
#include <cstring>

namespace mezzo::pinwheel {

/// Adds ink to a row of a BitBand, from left to right; paper leaves bits unchanged. Touches only
/// the bytes of the given bits.
class BitWriter {
 public:
  /// The first bit is that of column `x`.
  BitWriter(uint8_t* row, uint32_t x) : at_(row + x / 8), count_(x % 8) {}

  /// The lowest `count` bits of `bits`, highest first, 0 .. 32; the others must be 0.
  void put(uint32_t bits, uint32_t count) {
    held_ = held_ << count | bits;
    count_ += count;
    if (count_ < 32) return;
    count_ -= 32;
    const auto four = static_cast<uint32_t>(held_ >> count_);
    const uint8_t bytes[4] = {static_cast<uint8_t>(four >> 24),
                              static_cast<uint8_t>(four >> 16),
                              static_cast<uint8_t>(four >> 8),
                              static_cast<uint8_t>(four)};
    uint32_t added, there;
    std::memcpy(&added, bytes, sizeof added);
    std::memcpy(&there, at_, sizeof there);
    there |= added;
    std::memcpy(at_, &there, sizeof there);
    at_ += sizeof there;
  }

  /// Must be called at the end.
  void finish() {
    const auto left = static_cast<uint32_t>(held_ << (32 - count_));
    for (uint32_t i = 0; 8 * i < count_; ++i) {
      at_[i] = static_cast<uint8_t>(at_[i] | left >> (24 - 8 * i));
    }
  }

 private:
  uint8_t* at_;
  uint64_t held_ = 0;
  uint32_t count_;  ///< of the lowest bits held that are not yet put down, less than 32
};

}  // namespace mezzo::pinwheel
