// The part of a page that a plate shows, how it lies there, and how often. Lengths are in
// micrometres, so that those of a manifest, "2.5 mm", are exact.
//
// In their order: crop, trim, rotate; the page is then scaled, and the plate has copies of it. Crop
// and trim go by the page as it is shown, before it is turned.
#pragma once

#include <cstdint>
#include <optional>

namespace mezzo::manifests {

/// The rectangle of the page that is kept.
struct Crop {
  uint32_t left_um = 0;  ///< from the edges of the page
  uint32_t top_um = 0;
  uint32_t width_um = 0;
  uint32_t height_um = 0;
  bool operator==(const Crop&) const = default;
};

/// The margins that are taken off the page, or off what `crop` keeps of it.
struct Trim {
  uint32_t left_um = 0;
  uint32_t top_um = 0;
  uint32_t right_um = 0;
  uint32_t bottom_um = 0;
  bool operator==(const Trim&) const = default;
};

/// Step and repeat.
struct Copies {
  uint32_t across = 1;
  uint32_t down = 1;
  uint32_t gap_um = 0;  ///< of paper, between neighbours
  bool operator==(const Copies&) const = default;
};

/// Limits of all settings, from wherever they come.
inline constexpr uint32_t kMostLengthUm = 100'000'000, kMostGapUm = 1'000'000, kMostCopies = 1000;

/// Degrees that `rotate` may have.
constexpr bool is_rotation(uint64_t degrees) {
  return degrees <= 270 && degrees % 90 == 0;
}

struct Geometry {
  std::optional<Crop> crop = {};
  Trim trim = {};
  uint32_t rotate_degrees = 0;  ///< clockwise: 0, 90, 180 or 270
  Copies copies = {};
  bool operator==(const Geometry&) const = default;
};

}  // namespace mezzo::manifests
