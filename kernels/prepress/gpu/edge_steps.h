// The steps of scaling by edges on a GPU, each for one pixel by one thread. The
// CPU compiles them for tests.
//
//   lead_edges     which plane has the border of each pixel              rows of a band, and one more
//   find_edges     marks and cells of each plane, from its ink           rows of a band, and kEdgeContext more
//   choose_edges   kinds after the veto, and which pixels are treated    rows of a band, and one more
//   join_edges     the cuts that planes have in common                   rows of a band, and one more
//   follow_edges   the pixels of a plane that follow another             rows of a band
//   sharpen_edges  plate pixels, which are those of cubic scaling        columns of the plate
//
// A plane is scaled at a time. Of the others only those pixels are found that
// it may follow, and those around them. Pages of one plane need neither
// lead_edges, join_edges nor follow_edges.
//
// Each step begins when the one before it has ended for all pixels. What it
// reads of other pixels it does not write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "kernels/base/host_device.h"
#include "kernels/prepress/gpu/edge_pixel.h"
#include "kernels/prepress/gpu/edge_relation.h"
#include "kernels/prepress/gpu/point_column.h"
#include "kernels/prepress/scale_edges.h"

namespace mezzo::prepress {

constexpr int kEdgeContext = 2;  ///< rows whose marks decide on the rows of a band

/// Rows of the planes of a page, one plane after the other.
struct EdgePage {
  const uint16_t* samples;  ///< ink15
  size_t pitch;             ///< samples from row to row
  uint32_t first_row, rows;
  uint32_t width_px, height_px;  ///< of the page
  uint32_t planes;

  MZ_HD DeviceRows<const uint16_t> plane(uint32_t index) const {
    return {samples + size_t{index} * rows * pitch, pitch, first_row, rows};
  }
  MZ_HD bool has(int x, int y) const {
    return x >= 0 && y >= 0 && x < static_cast<int>(width_px) && y < static_cast<int>(height_px);
  }
};

/// The plane with the most contrast at a page pixel.
struct EdgeLeader {
  uint16_t plane;
  bool may_be_followed;  ///< by the plane that is scaled
};

/// What is found of the page pixels of a band: its rows, and kEdgeContext above
/// and below, also beyond the page.
struct EdgeResults {
  EdgeCell* cells;      ///< row by row, plane by plane
  uint8_t* marks;       ///< EdgeMark, before the veto
  uint8_t* kinds;       ///< and after it
  EdgeLeader* leaders;  ///< row by row; one row above the band and one below it, too
  int first_row;        ///< of the band; its context begins before
  int rows;

  MZ_HD static size_t count(uint32_t width_px, size_t rows, uint32_t planes) {
    return size_t{width_px} * (rows + 2 * kEdgeContext) * planes;
  }
};

struct EdgeBand {
  EdgePage page;
  EdgeResults found;

  MZ_HD size_t at(uint32_t plane, int x, int y) const {
    const int row = y - found.first_row + kEdgeContext;
    const size_t rows = static_cast<size_t>(found.rows) + 2 * kEdgeContext;
    return (plane * rows + static_cast<size_t>(row)) * page.width_px + static_cast<size_t>(x);
  }
  MZ_HD EdgeLeader& leader(int x, int y) const {
    const auto row = static_cast<size_t>(y - found.first_row + 1);
    return found.leaders[row * page.width_px + static_cast<size_t>(x)];
  }
  MZ_HD bool is_of_band(int y) const {
    return y >= found.first_row && y < found.first_row + found.rows;
  }
  MZ_HD int mark(uint32_t plane, int x, int y) const {
    return page.has(x, y) ? found.marks[at(plane, x, y)] : int{EdgeTile::kOther};
  }
  /// After the veto.
  MZ_HD int kind(uint32_t plane, int x, int y) const {
    return page.has(x, y) ? found.kinds[at(plane, x, y)] & kEdgeKinds : int{EdgeTile::kOther};
  }
};

/// The ink around a page pixel, kReach away at most; beyond the page that of
/// its outermost pixels.
template <int kReach>
class InkAround {
 public:
  MZ_HD InkAround(const EdgePage& page, uint32_t plane, int x, int y) {
    const DeviceRows<const uint16_t> rows = page.plane(plane);
    for (int i = -kReach; i <= kReach; ++i) {
      const int row = clamp_to(y + i, 0, static_cast<int>(page.height_px) - 1);
      rows_[i + kReach] = rows.row(static_cast<uint32_t>(row));
      columns_[i + kReach] = clamp_to(x + i, 0, static_cast<int>(page.width_px) - 1);
    }
  }
  MZ_HD int at(int right, int down) const { return rows_[down + kReach][columns_[right + kReach]]; }

 private:
  const uint16_t* rows_[2 * kReach + 1];
  int columns_[2 * kReach + 1];
};

// ---- Lead ----

/// Finds the plane with the most contrast; of several, the first. `plane` is scaled.
MZ_HD inline void lead_edges(const EdgeBand& band, uint32_t plane, int x, int y) {
  if (!band.page.has(x, y)) return;
  uint32_t leader = 0;
  int most = -1, own = 0;
  for (uint32_t i = 0; i < band.page.planes; ++i) {
    const int contrast = range_of_3x3(InkAround<1>(band.page, i, x, y)).contrast();
    if (contrast > most) leader = i;
    if (i == plane) own = contrast;
    most = most_of(most, contrast);
  }
  const bool may_follow = leader != plane && own >= kFollowLeast;
  band.leader(x, y) = {static_cast<uint16_t>(leader), may_follow};
}

/// Whether a pixel that may follow `plane` is so near that it depends on this
/// one.
MZ_HD inline bool is_near_follower(const EdgeBand& band, uint32_t plane, int x, int y) {
  bool found = false;
  for (int down = -kEdgeContext; down <= kEdgeContext; ++down) {
    for (int right = -kEdgeContext; right <= kEdgeContext; ++right) {
      const int i = x + right, j = y + down;
      if (!band.is_of_band(j) || !band.page.has(i, j)) continue;
      const EdgeLeader leader = band.leader(i, j);
      found |= leader.may_be_followed && leader.plane == plane;
    }
  }
  return found;
}

// ---- Find ----

/// Of a plane that plane `own` may follow. Most pixels are without contrast, which is asked first.
MZ_HD inline void find_edges(const EdgeBand& band, uint32_t plane, uint32_t own, int x, int y) {
  const size_t at = band.at(plane, x, y);
  band.found.marks[at] = EdgeTile::kOther;
  if (!band.page.has(x, y)) return;
  const InkAround<3> ink(band.page, plane, x, y);
  if (range_of_3x3(ink).contrast() < EdgeTile::kFaint) return;
  if (plane != own && !is_near_follower(band, plane, x, y)) return;
  const EdgeFound found = find_edge(ink);
  band.found.marks[at] = found.mark;
  if ((found.mark & kEdgeKinds) != EdgeTile::kOther) band.found.cells[at] = found.cell;
}

// ---- Choose ----

/// The kind after the veto: type is found whole, the edges of photographs in
/// part.
MZ_HD inline int kind_after_veto(const EdgeBand& band, uint32_t plane, int x, int y) {
  const int kind = band.mark(plane, x, y) & kEdgeKinds;
  if ((kind & EdgeTile::kMixed) == 0) return kind;
  int soft = 0;
  for (int down = -1; down <= 1; ++down) {
    for (int right = -1; right <= 1; ++right) {
      soft += (band.mark(plane, x + right, y + down) & kEdgeSoft) != 0;
    }
  }
  return soft >= 2 ? int{EdgeTile::kOther} : kind;
}

MZ_HD inline bool is_treated(const EdgeBand& band, uint32_t plane, int x, int y, int kind) {
  const DeviceRows<const uint16_t> ink = band.page.plane(plane);
  const EdgeCell& cell = band.found.cells[band.at(plane, x, y)];
  const bool is_pure = kind == EdgeTile::kPureLevel;
  const int middle = is_pure ? (cell.low + cell.high) / 2 : 0;
  const auto is_high = [&](int i, int j) { return ink.row(static_cast<uint32_t>(j))[i] > middle; };
  for (int down = -1; down <= 1; ++down) {
    for (int right = -1; right <= 1; ++right) {
      const int i = x + right, j = y + down, beside = kind_after_veto(band, plane, i, j);
      if ((beside & EdgeTile::kMixed) != 0) return true;
      if (is_pure && beside == EdgeTile::kPureLevel && is_high(i, j) != is_high(x, y)) return true;
    }
  }
  return false;
}

/// Beside a border cubic scaling must not overshoot, and a faint tone is one
/// tone.
MZ_HD inline void limit_other(const EdgeBand& band, uint32_t plane, int x, int y) {
  const InkAround<1> ink(band.page, plane, x, y);
  InkRange range = range_of_3x3(ink);
  if (range.contrast() < EdgeTile::kFaint) {
    const bool is_solid = range.high >= kEdgeSolid - EdgeTile::kExact;
    const int tone = range.low <= EdgeTile::kExact ? 0 : is_solid ? kEdgeSolid : ink.at(0, 0);
    range = {tone, tone};
  }
  band.found.cells[band.at(plane, x, y)] = {.low = static_cast<int16_t>(range.low),
                                            .high = static_cast<int16_t>(range.high),
                                            .cut = 0,
                                            .leader = 0};
}

MZ_HD inline void choose_edges(const EdgeBand& band, uint32_t plane, int x, int y) {
  const int kind = kind_after_veto(band, plane, x, y);
  const bool treated = band.is_of_band(y) && is_treated(band, plane, x, y, kind);
  if (treated && kind == EdgeTile::kOther) limit_other(band, plane, x, y);
  band.found.kinds[band.at(plane, x, y)] =
      static_cast<uint8_t>(treated ? kind | kEdgeTreated : kind);
}

// ---- Follow ----

/// All planes around a pixel.
struct PlanesAround {
  const EdgePage& page;
  int x, y;
  MZ_HD uint32_t count() const { return page.planes; }
  MZ_HD InkAround<2> ink(uint32_t plane) const { return {page, plane, x, y}; }
};

/// Gives a pixel of a plane that leads the cut that all planes have in common.
MZ_HD inline void join_edges(const EdgeBand& band, uint32_t plane, int x, int y) {
  const int kind = band.kind(plane, x, y);
  if (kind == EdgeTile::kOther || band.leader(x, y).plane != plane) return;
  const PlanesAround planes{band.page, x, y};
  const size_t at = band.at(plane, x, y);
  EdgeCell& cell = band.found.cells[at];
  const EdgeInks levels{cell.low, cell.high};
  const EdgesTogether found = edges_together(planes, plane, levels);
  if (found.are) band.found.kinds[at] |= kEdgeTogether;
  set_common_cut(found, planes.ink(plane), kind == EdgeTile::kPureLevel, levels, cell.cut);
}

MZ_HD inline void follow_edges(const EdgeBand& band, uint32_t plane, int x, int y) {
  const EdgeLeader leader = band.leader(x, y);
  if (!leader.may_be_followed) return;
  const size_t of_leader = band.at(leader.plane, x, y), at = band.at(plane, x, y);
  const int kind = band.found.kinds[of_leader];
  if ((kind & kEdgeTreated) == 0 || (kind & kEdgeKinds) == 0) return;
  const PlanesAround planes{band.page, x, y};
  const EdgeInks levels{band.found.cells[of_leader].low, band.found.cells[of_leader].high};
  EdgeCell& cell = band.found.cells[at];
  const EdgeInks own{cell.low, cell.high};
  const bool has_own = (band.found.kinds[at] & kEdgeKinds) != EdgeTile::kOther;
  EdgeInks inks{};
  if (!follow_edge(planes.ink(leader.plane),
                   planes.ink(plane),
                   levels,
                   has_own ? &own : nullptr,
                   (kind & kEdgeTogether) != 0,
                   inks)) {
    return;
  }
  cell.low = static_cast<int16_t>(inks.low);
  cell.high = static_cast<int16_t>(inks.high);
  cell.leader = leader.plane;
  band.found.kinds[at] |= kEdgeFollows;
}

// ---- Sharpen ----

/// EdgeTable and PointTable of kCubic, in the memory of a GPU.
struct EdgeAxes {
  const uint32_t *pixels, *offsets_across;
  const uint32_t *first_rows, *offsets_down;
  DeviceAxis across, down;
};

/// The cuts of a column of page pixels: of a row, and of those above and below.
struct CutsOfColumn {
  int above, middle, below;

  /// At the height of a plate row, in 1/65536 of the difference of the levels.
  MZ_HD int at(uint32_t offset) const {
    const int part = static_cast<int>(offset & 255);
    const int upper = offset < 256 ? above : middle, lower = offset < 256 ? middle : below;
    return upper * (256 - part) + lower * part;
  }
};

/// A pixel without a cut takes that of pixel (x, y). If that is thin, the
/// others move half way to its own; if it is mixed, those of pure pixels do.
MZ_HD inline CutsOfColumn cuts_of_column(
    const EdgeBand& band, uint32_t plane, int x, int y, int column) {
  const int own = band.found.cells[band.at(plane, x, y)].cut;
  const int own_kind = band.kind(plane, x, y);
  const bool is_thin = own_kind == EdgeTile::kThin, is_mixed = (own_kind & EdgeTile::kMixed) != 0;
  const auto cut = [&](int row) {
    const int kind = band.kind(plane, column, row);
    const bool has_own = kind != EdgeTile::kOther;
    int found = has_own ? int{band.found.cells[band.at(plane, column, row)].cut} : own;
    if (is_thin) found = (found + own) >> 1;
    return is_mixed && kind == EdgeTile::kPureLevel ? (found + own) >> 1 : found;
  };
  return {cut(y - 1), cut(y), cut(y + 1)};
}

/// Cubic scaling of a column of another plane, row by row downwards.
class CubicOfPlane {
 public:
  MZ_HD CubicOfPlane(const EdgeAxes& axes, const DeviceRows<const uint16_t>& page, uint32_t x)
      : down_(axes.down), page_(page), column_(axes.across, x) {}

  MZ_HD int at(uint32_t y) {
    const int64_t first = down_.first_tap(y);
    for (next_ = next_ < first ? first : next_; next_ < first + 4; ++next_) {
      column_.advance(page_.row(down_.on_page(next_)));
    }
    return column_.across(down_.weights + size_t{y % down_.p} * 4);
  }

 private:
  const DeviceAxis& down_;
  DeviceRows<const uint16_t> page_;
  PointColumn<4> column_;
  int64_t next_ = -4;  ///< row of the page that the next line is made of; before all of them
};

/// Plate pixels of column x on page row y, of which the plate has some rows.
struct EdgeRun {
  uint32_t x;
  int y;
  uint32_t first, end;  ///< rows of the plate
};

/// Gives plate pixels the levels of `inks`, by a border of plane `leader`.
/// `cubic(row)` is that plane's cubic scaling.
template <typename Cubic>
MZ_HD void choose_levels(const EdgeBand& band,
                         const EdgeAxes& axes,
                         uint32_t leader,
                         const EdgeRun& run,
                         const EdgeCell& inks,
                         const DeviceRows<uint16_t>& plate,
                         Cubic cubic) {
  const int pixel = static_cast<int>(axes.pixels[run.x]);
  const uint32_t offset = axes.offsets_across[run.x];
  const int part = static_cast<int>(offset & 255), first = pixel - (offset < 256 ? 1 : 0);
  const EdgeCell levels = band.found.cells[band.at(leader, pixel, run.y)];
  const CutsOfColumn before = cuts_of_column(band, leader, pixel, run.y, first);
  const CutsOfColumn behind = cuts_of_column(band, leader, pixel, run.y, first + 1);
  for (uint32_t row = run.first; row < run.end; ++row) {
    const uint32_t down = axes.offsets_down[row];
    const int height = (before.at(down) * (256 - part) + behind.at(down) * part) >> 8;
    const int rise = static_cast<int>(int64_t{levels.high - levels.low} * height >> 16);
    const bool is_high = cubic(row) >= levels.low + rise;
    plate.row(row)[run.x] = static_cast<uint16_t>(is_high ? inks.high : inks.low);
  }
}

/// Makes the borders in the plate pixels of column x that lie on page row y.
MZ_HD inline void sharpen_edges(const EdgeBand& band,
                                const EdgeAxes& axes,
                                uint32_t plane,
                                uint32_t x,
                                int y,
                                const DeviceRows<uint16_t>& plate) {
  const size_t at = band.at(plane, static_cast<int>(axes.pixels[x]), y);
  const int kind = band.found.kinds[at];
  if ((kind & (kEdgeFollows | kEdgeTreated)) == 0) return;
  const uint32_t first = axes.first_rows[y], end = axes.first_rows[y + 1];
  const uint32_t plate_end = plate.first_row + plate.rows;
  const EdgeRun run{
      x, y, first > plate.first_row ? first : plate.first_row, end < plate_end ? end : plate_end};
  const EdgeCell cell = band.found.cells[at];
  if ((kind & kEdgeFollows) != 0) {
    CubicOfPlane cubic(axes, band.page.plane(cell.leader), x);
    choose_levels(
        band, axes, cell.leader, run, cell, plate, [&](uint32_t row) { return cubic.at(row); });
  } else if ((kind & kEdgeKinds) != EdgeTile::kOther) {
    choose_levels(
        band, axes, plane, run, cell, plate, [&](uint32_t row) { return int{plate.row(row)[x]}; });
  } else {
    for (uint32_t row = run.first; row < run.end; ++row) {
      uint16_t& sample = plate.row(row)[x];
      sample = static_cast<uint16_t>(clamp_to(sample, cell.low, cell.high));
    }
  }
}

}  // namespace mezzo::prepress
