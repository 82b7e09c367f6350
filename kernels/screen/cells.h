// Cells of AM screens: squares of (m, n) / repeats px that meet the pixels again after `repeats` of
// them, so that a screen of almost any ruling and angle is a tile (Holladay 1980).
//
// Three screens of one ruling, 30 degrees apart, are the screens of four-colour printing. A line of
// each, turned until they stand 120 degrees apart, add up to nothing; where the cells miss the ruling
// and the angle they were meant to have, a remainder is left, which prints as moire. So a cell is
// never chosen alone: of each angle it is chosen with those 30 degrees on, whether a page prints them
// or not. It depends on resolution, ruling and angle only, and an ink more or less on a page changes
// no other plate.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace mezzo::screen {

struct Cell {
  int32_t repeats = 1;  ///< 1 .. kMostRepeats: cells along the side of the tile
  int32_t m = 4;        ///< px, the side of the tile: to the right
  int32_t n = 0;        ///< px: and down

  bool operator==(const Cell&) const = default;
};

inline constexpr int32_t kMostRepeats = 64;
inline constexpr double kLeastCellSide = 4;  ///< px
inline constexpr double kLeastRuling = 10;   ///< lpi

/// No sheet is so long, so a moire of this period is nowhere seen.
inline constexpr double kLongMoire = 3000;  // mm

/// Pixels of the tile, which are its ranks.
constexpr uint64_t pixels_of(const Cell& cell) {
  return static_cast<uint64_t>(int64_t{cell.m} * cell.m + int64_t{cell.n} * cell.n);
}

double side_of(const Cell& cell);                       ///< px, of one cell
double ruling_of(const Cell& cell, double resolution);  ///< lpi, at that many dpi
double angle_of(const Cell& cell);                      ///< degrees, 0 .. 360
uint32_t levels_of(const Cell& cell);                   ///< tints that the tile can show

/// The cells as their tile is made: so many times the repeats that a tile has at least 4096 ranks and
/// 8 x 8 cells, as far as its size allows.
Cell filled(const Cell& cell);

/// What is wrong with the numbers of a cell, in one sentence; empty when a tile can be made of it.
std::string fault_of(const Cell& cell);

/// The cells of a screen for square pixels: `resolution` in dpi, `ruling` in lpi, `angle` in degrees
/// from right to down, as PostScript counts. Of all triples with a moire period of at least
/// kLongMoire those within 0.1 % of the frequencies that were asked for, else within 0.2, 0.5 or 1 %;
/// of these the smallest tiles. Where no triple is as good, that with the longest period. Throws
/// Error(kUsage) for a ruling below kLeastRuling, and where a cell would have less than
/// kLeastCellSide or would not fit into a tile.
Cell choose_cell(double resolution, double ruling, double angle);

/// The period in mm of the moire of screens that print together: the shortest of the sums of a line
/// of each of two of them, below 5 cells, or of three, below 16; shorter ones are the rosette. Infinite
/// without any.
double moire_period(std::span<const Cell> cells, double resolution);

}  // namespace mezzo::screen
