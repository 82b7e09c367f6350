// The borders of type and line work in a part of a page, for scaling by edges.
//
// Anti-aliasing mixes two levels in the pixels along a border. A page pixel is looked at with the 5x5
// pixels around it. Where its neighbourhood has two levels (plateaus of the page; in a stroke too thin
// to have one, an ink that it repeats, or that of a pixel with ink on all sides, or else solid, and
// paper in a gap), it is *pure*, which is one of them, or *mixed*. Such a pixel has a cut: the height
// on the surface of cubic scaling, between the levels, above which as much of the pixel lies as there
// is ink in it. All other pixels are *other*: photographs, and soft edges. A mixed pixel is *thin*
// where the 5x5 pixels around it lack one of the levels, so that the cuts of those beside it, above all
// of pure ones, are too high for its stroke or dot. A mixed pixel beside two others of contrast counts
// as other itself, as the edges of photographs are found in part only.
//
// What is found depends on the page within kReach pixels, and on nothing else. Integers only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/band/bands.h"
#include "kernels/prepress/edge_grid.h"

namespace mezzo::prepress {

class EdgeTile {
 public:
  static constexpr uint32_t kColumns = kEdgeColumns;
  static constexpr uint32_t kRows = kEdgeRows;
  static constexpr int32_t kReach = kEdgeReach;
  template <typename T>
  using Grid = EdgeGrid<T>;

  // Differences of tone, in ink15: 128 is one of 255 levels.
  static constexpr int32_t kExact = 1 * 128;       ///< what a plateau of a rendered page varies by
  static constexpr int32_t kNoise = 8 * 128;       ///< what another one varies by
  static constexpr int32_t kPure = 10 * 128;       ///< as near to paper or solid counts as that
  static constexpr int32_t kInside = 16 * 128;     ///< ink on all sides of a pixel inside a stroke
  static constexpr int32_t kFaint = 26 * 128;      ///< less is no contrast
  static constexpr int32_t kStep = 64 * 128;       ///< least difference of the levels ...
  static constexpr int32_t kPhotoStep = 96 * 128;  ///< ... and where a plateau is not exact
  static constexpr int32_t kBend = 140 * 128;      ///< second difference that no photograph reaches

  enum Kind : uint8_t {
    kOther,
    kPureLevel,
    kMixed,
    kThin = kMixed | 4  ///< mixed, in a stroke or dot too thin to show one of its levels
  };

  /// What the plate pixels are.
  enum Mark : uint8_t {
    kCubic,    ///< those of cubic scaling
    kTreated,  ///< on one side of the pixel's border, or within its limits
    kFollows   ///< on one side of another plane's border (edge_planes.h)
  };

  /// The part of the page: `columns` pixels from `first_column` on, `rows` from `first_row` on.
  struct Place {
    uint32_t first_column = 0, columns = 0, first_row = 0, rows = 0;
    uint32_t page_width_px = 0, page_height_px = 0;
  };

  /// For places of `rows` at most.
  explicit EdgeTile(uint32_t rows) : grids_(rows) {}

  /// Finds the borders of a part of `page`, which holds its rows and kReach more, or up to the end of
  /// the page.
  void find(const SampleBand& page, const Place& place);

  const Place& place() const { return place_; }

  /// Values of a page pixel.
  struct Grids {
    explicit Grids(uint32_t rows);

    Grid<int16_t> ink;
    Grid<int16_t> low3, high3;  ///< extremes of the 3x3 pixels around it
    Grid<int16_t> plateau;      ///< its ink where the 3x3 differ by kNoise at most; else -1
    Grid<int16_t> exact;        ///< its ink where they differ by kExact at most; else -1
    Grid<int16_t> bend;         ///< greatest second difference through it
    Grid<int16_t> near;         ///< 1: its ink is within kPure of paper; 256: of solid
    Grid<int16_t> nearest;      ///< 1: its ink is within kExact of paper; 256: of solid
    Grid<uint8_t> kind;         ///< a Kind
    Grid<uint8_t> is_soft;      ///< 1: other, and with contrast
    Grid<int16_t> cut;          ///< in 1/256 of high - low
    Grid<int16_t> low, high;    ///< its levels; of one that is other and treated, what it may have
    Grid<uint8_t> mark;         ///< a Mark, of the pixels of the tile
  };
  const Grids& grids() const { return grids_; }

  /// Memory of a tile beside itself, at most.
  static constexpr uint64_t kWorkingBytes =
      11 * Grid<int16_t>::kMostBytes + 3 * Grid<uint8_t>::kMostBytes;

 private:
  void copy_ink(const SampleBand& page);
  void drop_outside();

  Place place_;
  Grids grids_;
};

}  // namespace mezzo::prepress
