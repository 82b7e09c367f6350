// Where the patches of a wedge lie, and what each is.
//
// Each ink has a block of patches of its own on the sheet: 33 tones, each four times. The four are
// scattered over the block by a hash, so that a slope of ink across the sheet spreads over all tones
// instead of bending the curve.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace mezzo::wedge {

/// Percent. Densest where paper and solid are near, and where the dots of a screen begin to touch.
inline constexpr std::array<uint8_t, 33> kTones = {0,  1,  2,  3,  4,  5,  7,  10, 13, 16, 20,
                                                   25, 30, 35, 40, 44, 48, 52, 56, 60, 64, 68,
                                                   72, 76, 80, 84, 88, 91, 94, 96, 98, 99, 100};
inline constexpr uint32_t kRepeats = 4;
inline constexpr uint32_t kColumns = 22;  ///< of a block
inline constexpr uint32_t kPatchUm = 7'000;
inline constexpr uint32_t kPitchXUm = 8'000;
inline constexpr uint32_t kPitchYUm = 10'000;  ///< with the label above the patch
inline constexpr uint32_t kMarginUm = 10'000;
inline constexpr uint32_t kHeadUm = 8'000;  ///< above the first row of a block
inline constexpr uint32_t kLabelUm = 2'000;

struct WedgePatch {
  uint32_t id = 0;       ///< SAMPLE_ID, from 1 over all inks
  std::string name;      ///< "B7": row and column, as the label has it
  size_t ink = 0;        ///< number of the ink
  uint8_t percent = 0;   ///< nominal tone
  uint32_t left_um = 0;  ///< its corner, from that of the sheet
  uint32_t top_um = 0;
};

struct Layout {
  uint32_t width_um = 0;
  uint32_t height_um = 0;
  std::string shuffle;              ///< what scattered the repeats: 16 hexadecimal digits
  std::vector<WedgePatch> patches;  ///< block by block, row by row
};

/// The top of an ink's block.
uint32_t block_top_um(size_t ink);

/// A wedge of so many inks. `seed` chooses how repeats are scattered: any text.
Layout make_layout(size_t inks, const std::string& seed);

}  // namespace mezzo::wedge
