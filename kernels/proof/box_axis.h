// One direction of a proof: which pixels of a plate lie under a pixel of the proof, exactly.
//
// A pixel of the proof is a box. With p / q for the resolution of the proof over that of the plate,
// in lowest terms, box b covers [b q, (b + 1) q) of a line on which pixel i of the plate covers
// [i p, (i + 1) p). The last box ends where the plate does.
#pragma once

#include <algorithm>
#include <cstdint>

namespace mezzo::proof {

struct BoxAxis {
  uint32_t plate_px = 1;
  uint32_t p = 1, q = 1;  ///< p <= q <= kMostTerm

  /// So that what a box counts in both directions fits 64 bits, with room.
  static constexpr uint32_t kMostTerm = 1 << 20;

  uint32_t boxes() const { return static_cast<uint32_t>((uint64_t{plate_px} * p + q - 1) / q); }
  /// In units of 1 / p px of the plate.
  uint64_t begin(uint32_t box) const { return uint64_t{box} * q; }
  uint64_t end(uint32_t box) const {
    return std::min<uint64_t>((uint64_t{box} + 1) * q, uint64_t{plate_px} * p);
  }
  uint64_t length(uint32_t box) const { return end(box) - begin(box); }
  /// The pixels under boxes [first, last), those that they share with others included.
  uint32_t first_px(uint32_t first) const { return static_cast<uint32_t>(begin(first) / p); }
  uint32_t end_px(uint32_t last) const {
    return static_cast<uint32_t>((end(last - 1) + p - 1) / p);
  }
};

}  // namespace mezzo::proof
