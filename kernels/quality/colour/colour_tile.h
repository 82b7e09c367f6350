// One tile of a page in colour: the sums behind the report.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/quality/colour/printed_light.h"
#include "kernels/quality/colour/seen_colour.h"

namespace mezzo::quality {

inline constexpr uint32_t kColourTile = 512;  ///< side of a tile, in pixels

/// Sums over the pixels of a place.
struct ColourSums {
  double pixels = 0;
  double delta_e = 0;
  double texture = 0;
  double l_squared = 0, c_squared = 0;    ///< of T
  std::array<double, 3> difference = {};  ///< D
  std::vector<uint64_t> steps = {};       ///< pixels by |D|, kStepsADeltaE of them a unit

  void add(const ColourSums& other);
};
inline constexpr uint32_t kStepsADeltaE = 64;

/// Sums over the pixels of two inks, and of each one.
struct PairSums {
  double asked = 0, got = 0, errors = 0;  ///< of a a, b b and (b - a)(b - a)
};

/// The read-only data of all tiles of a page.
struct ColourPlan {
  ColourPlan(const Print& print, const Viewing& viewing);

  /// Rows and columns around a tile that it depends on.
  uint32_t margin() const { return mean.radius() + eye.margin() + 1; }
  /// Memory of a ColourTileJudge.
  uint64_t working_bytes() const;

  Gaussian mean;  ///< that texture is apart from
  ColourEye eye;
  PrintedLight light;
};

/// Judges tiles, one after the other; each thread has one of its own.
class ColourTileJudge {
 public:
  explicit ColourTileJudge(const ColourPlan& plan) : plan_(plan), look_(plan.eye) {}

  /// The windows, one an ink, must hold the rows of the tile and margin() more on either side, as far as
  /// the page has them.
  ColourSums judge(std::span<const Window> windows,
                   const Rect& tile,
                   uint32_t moved_inks = 0,
                   uint32_t shift_px = 0);

 private:
  void sum_up(ColourSums& sums);

  const ColourPlan& plan_;
  ColourLook look_;
  Fields roots_a_, roots_b_, lab_a_, lab_b_, mean_;
  Patch scratch_;
};

/// Of inks `first` and `second`, which may be one.
PairSums sum_pair(const Window& first, const Window& second, const Rect& tile);

}  // namespace mezzo::quality
