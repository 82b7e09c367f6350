// Codes one after another.
#pragma once

#include <cstdint>
#include <cstring>

namespace mezzo::codec {

/// Puts codes into memory. The first bit of a code is the lowest one here, and of a byte the lowest
/// as well: so a code goes above those that are held, which need not move. turn_bytes() of
/// fax_words-inl.h turns the bytes of a finished strip round.
///
/// Memory is written 8 bytes at a time: as many beyond the end of the codes may be changed.
class FaxBitWriter {
 public:
  explicit FaxBitWriter(uint8_t* to) : at_(to) {}

  /// The bits of `code` above the lowest `length` are 0. Between two calls of flush(), at most 56
  /// bits.
  void put(uint64_t code, uint64_t length) {
    held_ |= code << count_;
    count_ += length;
  }

  /// Leaves less than a byte behind.
  void flush() {
    std::memcpy(at_, &held_, sizeof held_);
    at_ += count_ / 8;
    held_ >>= count_ & ~uint64_t{7};
    count_ %= 8;
  }

  /// Fills the last byte with zeros. Returns the end of the codes.
  uint8_t* finish() {
    flush();
    return count_ > 0 ? at_ + 1 : at_;
  }

 private:
  uint8_t* at_;
  uint64_t held_ = 0;   ///< bits that are not in memory yet, or not for good
  uint64_t count_ = 0;  ///< of them, less than 8 after flush()
};

}  // namespace mezzo::codec
