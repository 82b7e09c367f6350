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

EdgeTable::EdgeTable(const EdgeAxis& axis, uint32_t page_samples, uint32_t plate_samples) {
  for (uint32_t i = 0; i <= page_samples; ++i) firsts.push_back(axis.first_on(i));
  for (uint32_t x = 0; x < plate_samples; ++x) {
    pixels.push_back(axis.page_pixel(x));
    offsets.push_back(axis.offset(x, pixels.back()));
  }
}

EdgeScaler::EdgeScaler(uint32_t page_width_px, uint32_t page_height_px, const Scaling& scaling)
    : page_width_px_(page_width_px),
      page_height_px_(page_height_px),
      is_same_size_(scaling.x == Ratio{} && scaling.y == Ratio{}),
      cubic_(page_width_px, page_height_px, cubic(scaling)),
      across_({page_width_px, cubic_.plate_width_px(), scaling.x},
              page_width_px,
              cubic_.plate_width_px()),
      down_(page_height_px, cubic_.plate_height_px(), scaling.y) {}

SampleRange EdgeScaler::rows_needed(uint32_t first, uint32_t count) const {
  const uint32_t from = down_.page_pixel(first), to = down_.page_pixel(first + count - 1);
  constexpr uint32_t kReach = EdgeTile::kReach;
  const uint32_t begin = from - std::min(from, kReach);
  const uint32_t end = std::min(to + kReach + 1, page_height_px_);
  return {begin, end - begin};
}

uint64_t EdgeScaler::working_bytes(uint32_t planes, uint32_t threads) const {
  const uint64_t tile = EdgePlanes::kSharedBytes + planes * EdgePlanes::kPlaneBytes;
  return cubic_.working_bytes(planes, threads) + threads * tile + across_.bytes();
}

void EdgeScaler::sharpen(const EdgePlanes& tile, std::span<const MutableSampleBand> plates) const {
  const EdgeTile::Place& place = tile.place();
  const MutableSampleBand& plate = plates.front();
  std::vector<uint32_t> downs;
  std::vector<int16_t*> rows;
  for (uint32_t row = 0; row < place.rows; ++row) {
    const uint32_t page_row = place.first_row + row;
    const uint32_t first = std::max(down_.first_on(page_row), plate.first_row);
    const uint32_t end = std::min(down_.first_on(page_row + 1), plate.first_row + plate.rows);
    downs.clear();
    rows.clear();
    for (uint32_t y = first; y < end; ++y) downs.push_back(down_.offset(y, page_row));
    for (const MutableSampleBand& of : plates) {
      for (uint32_t y = first; y < end; ++y) {
        rows.push_back(reinterpret_cast<int16_t*>(of.row(y - plate.first_row)));
      }
    }
    make_borders(tile,
                 ptrdiff_t{row},
                 {&across_.firsts[place.first_column], across_.offsets.data(), downs, rows});
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
    EdgePlanes tile(plates.size(), std::min(EdgeTile::kRows, rows));
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
