#include "kernels/prepress/scale_edges.h"

#include <algorithm>
#include <atomic>
#include <span>

#include "kernels/band/team.h"
#include "kernels/base/error.h"

namespace mezzo::prepress {
namespace {

Scaling cubic(Scaling scaling) {
  scaling.filter = ScaleFilter::kCubic;
  return scaling;
}

/// A row of plate pixels on a tile.
struct PlateRow {
  ptrdiff_t row;    ///< of the tile
  ptrdiff_t upper;  ///< the row whose centres lie above it; the next one's lie below
  int32_t part;     ///< 1/256 of the way between them
};

/// The cuts of a page pixel and of those left and right of it, at the height of a plate row, in 1/65536
/// of the difference of the levels. A pixel without a cut takes that of this pixel. If this pixel is thin,
/// each cut beside it moves half way to its own.
struct Cuts {
  int32_t left, own, right;
};

Cuts cuts_of(const EdgeTile::Grids& grids, const PlateRow& plate, ptrdiff_t column) {
  constexpr ptrdiff_t kStride = EdgeTile::Grid<int16_t>::kStride;
  const uint8_t* kind = grids.kind.at(plate.upper, column);
  const int16_t* cut = grids.cut.at(plate.upper, column);
  const int32_t own = *grids.cut.at(plate.row, column);
  const bool is_thin = *grids.kind.at(plate.row, column) == EdgeTile::kThin;
  const auto cut_of = [&](ptrdiff_t beside) {
    const int32_t found = kind[beside] == EdgeTile::kOther ? own : cut[beside];
    return is_thin ? (found + own) >> 1 : found;
  };
  const auto at = [&](ptrdiff_t right) {
    const int32_t upper = cut_of(right), lower = cut_of(right + kStride);
    return upper * (256 - plate.part) + lower * plate.part;
  };
  return {at(-1), at(0), at(1)};
}

/// The inks on the two sides of a border; `high` may be the smaller one in a plane that follows another.
struct TwoInks {
  int16_t low, high;
};

/// Plate pixels of one page pixel. `offsets` are theirs, `surface` their samples of cubic scaling in the plane of the
/// border, whose levels are `levels`.
void choose_levels(const Cuts& cuts,
                   TwoInks levels,
                   std::span<const uint16_t> offsets,
                   const int16_t* surface,
                   TwoInks inks,
                   int16_t* samples) {
  const int32_t span = levels.high - levels.low;
  for (size_t i = 0; i < offsets.size(); ++i) {
    const int32_t part = offsets[i] & 255;
    const bool is_left = offsets[i] < 256;
    const int32_t before = is_left ? cuts.left : cuts.own, behind = is_left ? cuts.own : cuts.right;
    const int32_t height = (before * (256 - part) + behind * part) >> 8;
    // The upper bits of the product of 16 and 18 bits, in 32.
    const int32_t rise = (span * (height >> 8) + (span * (height & 255) >> 8)) >> 8;
    samples[i] = surface[i] >= levels.low + rise ? inks.high : inks.low;
  }
}

TwoInks levels_of(const EdgeTile::Grids& grids, const PlateRow& plate, ptrdiff_t column) {
  return {*grids.low.at(plate.row, column), *grids.high.at(plate.row, column)};
}

void sharpen_pixel(const EdgeTile::Grids& grids,
                   const PlateRow& plate,
                   ptrdiff_t column,
                   std::span<const uint16_t> offsets,
                   int16_t* samples) {
  const TwoInks levels = levels_of(grids, plate, column);
  if (*grids.kind.at(plate.row, column) == EdgeTile::kOther) {
    for (size_t i = 0; i < offsets.size(); ++i) {
      samples[i] = std::clamp(samples[i], levels.low, levels.high);
    }
  } else {
    choose_levels(cuts_of(grids, plate, column), levels, offsets, samples, levels, samples);
  }
}

}  // namespace

EdgeAxis::EdgeAxis(uint32_t page_samples, uint32_t plate_samples, Ratio ratio)
    : page_samples_(page_samples), plate_samples_(plate_samples), ratio_(ratio) {
  MZ_ASSERT(ratio.p >= ratio.q);
}

uint32_t EdgeAxis::page_pixel(uint32_t x) const {
  const uint64_t pixel = (2 * uint64_t{x} + 1) * ratio_.q / (2 * ratio_.p);
  return static_cast<uint32_t>(std::min<uint64_t>(pixel, page_samples_ - 1));
}

uint32_t EdgeAxis::first_on(uint32_t i) const {
  if (i == page_samples_) return plate_samples_;
  const uint64_t twice = 2 * uint64_t{ratio_.q};
  const uint64_t x = (2 * uint64_t{ratio_.p} * i + ratio_.q - 1) / twice;
  return static_cast<uint32_t>(std::min<uint64_t>(x, plate_samples_));
}

uint32_t EdgeAxis::offset(uint32_t x, uint32_t i) const {
  // From the centre of the page pixel before the first, so that nothing is negative.
  const uint64_t centre = (2 * uint64_t{x} + 1) * ratio_.q + ratio_.p;
  const uint64_t place = centre / (2 * ratio_.p), rest = centre % (2 * ratio_.p);
  return static_cast<uint32_t>((place - i) * 256 + rest * 256 / (2 * ratio_.p));
}

EdgeScaler::EdgeScaler(uint32_t page_width_px, uint32_t page_height_px, const Scaling& scaling)
    : page_width_px_(page_width_px),
      page_height_px_(page_height_px),
      is_same_size_(scaling.x == Ratio{} && scaling.y == Ratio{}),
      cubic_(page_width_px, page_height_px, cubic(scaling)),
      across_(page_width_px, cubic_.plate_width_px(), scaling.x),
      down_(page_height_px, cubic_.plate_height_px(), scaling.y) {}

SampleRange EdgeScaler::rows_needed(uint32_t first, uint32_t count) const {
  const uint32_t from = down_.page_pixel(first), to = down_.page_pixel(first + count - 1);
  constexpr uint32_t kReach = EdgeTile::kReach;
  const uint32_t begin = from - std::min(from, kReach);
  const uint32_t end = std::min(to + kReach + 1, page_height_px_);
  return {begin, end - begin};
}

uint64_t EdgeScaler::working_bytes(uint32_t planes, uint32_t threads) const {
  const uint64_t tiles = sizeof(EdgePlanes) + planes * EdgePlanes::kWorkingBytes;
  constexpr uint64_t kOffsets =
      EdgeTile::kColumns * (sizeof(uint32_t) + sizeof(uint16_t) * Ratio::kMostUp);
  return cubic_.working_bytes(planes, threads) + threads * (tiles + kOffsets);
}

EdgeScaler::Columns EdgeScaler::columns_of(const EdgeTile::Place& place) const {
  Columns columns;
  columns.first = across_.first_on(place.first_column);
  columns.begins.reserve(place.columns + 1);
  for (uint32_t i = 0; i <= place.columns; ++i) {
    columns.begins.push_back(across_.first_on(place.first_column + i) - columns.first);
  }
  columns.offsets.reserve(columns.begins.back());
  for (uint32_t i = 0; i < place.columns; ++i) {
    for (uint32_t x = columns.begins[i]; x < columns.begins[i + 1]; ++x) {
      const uint32_t offset = across_.offset(columns.first + x, place.first_column + i);
      columns.offsets.push_back(static_cast<uint16_t>(offset));
    }
  }
  return columns;
}

void EdgeScaler::sharpen(const EdgePlanes& tile, std::span<const MutableSampleBand> plates) const {
  const EdgeTile::Place& place = tile.place();
  const MutableSampleBand& plate = plates.front();
  const Columns columns = columns_of(place);
  const uint32_t first = std::max(down_.first_on(place.first_row), plate.first_row);
  const uint32_t end =
      std::min(down_.first_on(place.first_row + place.rows), plate.first_row + plate.rows);
  for (uint32_t y = first; y < end; ++y) {
    const uint32_t page_row = down_.page_pixel(y), row = page_row - place.first_row;
    const uint32_t offset = down_.offset(y, page_row);
    const PlateRow of_tile{ptrdiff_t{row},
                           ptrdiff_t{row} - (offset < 256 ? 1 : 0),
                           static_cast<int32_t>(offset & 255)};
    const auto samples = [&](size_t plane, uint16_t x) {
      std::byte* of_row = plates[plane].row(y - plate.first_row);
      return reinterpret_cast<int16_t*>(of_row) + columns.first + columns.begins[x];
    };
    // Those that follow need the leading plane as cubic scaling makes it.
    for (size_t plane = 0; plane < plates.size(); ++plane) {
      for (const EdgePlanes::Follower& follower : tile.followers(plane, row)) {
        const uint16_t x = follower.column;
        const EdgeTile::Grids& grids = tile.tile(follower.leader).grids();
        choose_levels(cuts_of(grids, of_tile, x),
                      levels_of(grids, of_tile, x),
                      columns.offsets_on(x),
                      samples(follower.leader, x),
                      {follower.low, follower.high},
                      samples(plane, x));
      }
    }
    for (size_t plane = 0; plane < plates.size(); ++plane) {
      const EdgeTile& alone = tile.tile(plane);
      for (const uint16_t x : alone.treated(row)) {
        sharpen_pixel(alone.grids(), of_tile, x, columns.offsets_on(x), samples(plane, x));
      }
    }
  }
}

void EdgeScaler::run(std::span<const SampleBand> page,
                     std::span<const MutableSampleBand> plates,
                     Team& team) const {
  cubic_.run(page, plates, team);
  if (is_same_size_ || plates.empty() || plates.front().rows == 0) return;
  const uint32_t first_plate_row = plates.front().first_row, plate_rows = plates.front().rows;
  const uint32_t first_row = down_.page_pixel(first_plate_row);
  const uint32_t rows = down_.page_pixel(first_plate_row + plate_rows - 1) + 1 - first_row;
  const uint32_t tiles = (page_width_px_ + EdgeTile::kColumns - 1) / EdgeTile::kColumns;
  const uint32_t groups = (rows + EdgeTile::kRows - 1) / EdgeTile::kRows;
  std::atomic<uint32_t> next{0};
  team.run([&] {
    EdgePlanes tile(plates.size());
    for (uint32_t i = next.fetch_add(1); i < tiles * groups; i = next.fetch_add(1)) {
      EdgeTile::Place place{.page_width_px = page_width_px_, .page_height_px = page_height_px_};
      place.first_column = i % tiles * EdgeTile::kColumns;
      place.columns = std::min(EdgeTile::kColumns, page_width_px_ - place.first_column);
      const uint32_t first_of_group = i / tiles * EdgeTile::kRows;
      place.first_row = first_row + first_of_group;
      place.rows = std::min(EdgeTile::kRows, rows - first_of_group);
      tile.find(page, place);
      sharpen(tile, plates);
    }
  });
}

}  // namespace mezzo::prepress
