#include "kernels/screen/am_tile.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "kernels/base/error.h"
#include "kernels/screen/blue_noise.h"

namespace mezzo::screen {
namespace {

/// The quotient, rounded down, and the rest, which is not negative.
struct Divided {
  int64_t quotient, rest;
  Divided(int64_t value, int64_t by) : quotient(value / by), rest(value % by) {
    if (rest >= 0) return;
    --quotient;
    rest += by;
  }
};

/// A pixel in its cell.
struct Place {
  uint32_t cell;     ///< in the torus of cells, row by row
  int64_t order;     ///< smaller ones come first
  int64_t distance;  ///< from the middle, squared
  int32_t a, b;      ///< -c .. c, from the middle, c being the pixels of the tile

  auto in_cell() const { return std::tuple(order, distance, b, a); }
};

/// The growth of one side, of dots or of holes, from the middle of their cells.
using Side = std::vector<Place>;

class Growth {
 public:
  explicit Growth(const AmScreen& screen)
      : cell_(filled(screen.cell)),
        strip_(strip_of(screen.cell)),
        dot_(screen.dot),
        least_(screen.minimum_dot),
        pixels_(pixels_of(cell_)),
        cells_(static_cast<size_t>(cell_.repeats) * cell_.repeats),
        phases_(order_of_cells(screen.cell)) {}

  /// The pixels of the strip in the order in which they take ink.
  std::vector<uint32_t> order() const {
    // Larger dots keep even sizes up to where they touch; small ones may up to the middle.
    const size_t zone = pixels_ >= 100 * cells_ ? pixels_ * 42 / 100 : pixels_ / 2;
    const Side dots = side(false);
    std::vector<bool> taken(pixels_);
    std::vector<uint32_t> order = first_of(growth(dots), zone, taken);
    const std::vector<uint32_t> last = first_of(growth(side(true)), zone, taken);
    for (uint32_t i = 0; i < pixels_; ++i) {
      if (!taken[i]) order.push_back(i);
    }
    std::ranges::sort(
        order.begin() + static_cast<ptrdiff_t>(zone), order.end(), {}, [&](uint32_t i) {
          return std::pair(dots[i].in_cell(), phases_[dots[i].cell]);
        });
    order.insert(order.end(), last.rbegin(), last.rend());
    return order;
  }

 private:
  /// The places of all pixels. Cells of holes lie half a cell further, and grow the other way.
  Side side(bool is_hole) const {
    Side places;
    places.reserve(pixels_);
    for (int64_t y = 0; y < strip_.height; ++y) {
      for (int64_t x = 0; x < strip_.width; ++x) places.push_back(place(x, y, is_hole));
    }
    return places;
  }

  Place place(int64_t x, int64_t y, bool is_hole) const {
    const auto c = static_cast<int64_t>(pixels_);
    const int64_t m = cell_.m, n = cell_.n, repeats = cell_.repeats;
    const int64_t u = (m * (2 * x + 1) + n * (2 * y + 1)) * repeats;
    const int64_t v = (m * (2 * y + 1) - n * (2 * x + 1)) * repeats;
    const int64_t half = is_hole ? c : 0;
    const Divided across(u + half, 2 * c), down(v + half, 2 * c);
    const int64_t a = across.rest - c, b = down.rest - c;
    const int64_t row = Divided(down.quotient, repeats).rest;
    const int64_t column = Divided(across.quotient, repeats).rest;
    const int64_t value = spot(dot_, Divided(u, 2 * c).rest - c, Divided(v, 2 * c).rest - c, c);
    return {.cell = static_cast<uint32_t>(row * repeats + column),
            .order = is_hole ? value : -value,
            .distance = a * a + b * b,
            .a = static_cast<int32_t>(a),
            .b = static_cast<int32_t>(b)};
  }

  /// All pixels in the order in which cells grow together: the first `least_` of every cell, cell by
  /// cell in the order of their phases, then the next of every cell, and so on.
  std::vector<uint32_t> growth(const Side& places) const {
    std::vector<std::vector<uint32_t>> by_phase(cells_);
    for (uint32_t i = 0; i < pixels_; ++i) by_phase[phases_[places[i].cell]].push_back(i);
    for (auto& pixels : by_phase) {
      std::ranges::sort(pixels, {}, [&](uint32_t i) { return places[i].in_cell(); });
    }
    std::vector<uint32_t> order;
    order.reserve(pixels_);
    for (size_t from = 0, to = least_; order.size() < pixels_; from = to++) {
      for (const auto& pixels : by_phase) {
        for (size_t i = from; i < std::min(to, pixels.size()); ++i) order.push_back(pixels[i]);
      }
    }
    return order;
  }

  /// The first `count` pixels that are not taken, and takes them.
  static std::vector<uint32_t> first_of(const std::vector<uint32_t>& pixels,
                                        size_t count,
                                        std::vector<bool>& taken) {
    std::vector<uint32_t> first;
    for (const uint32_t pixel : pixels) {
      if (first.size() == count) break;
      if (taken[pixel]) continue;
      taken[pixel] = true;
      first.push_back(pixel);
    }
    return first;
  }

  Cell cell_;
  ThresholdTile strip_;
  Dot dot_;
  uint32_t least_;
  size_t pixels_;
  size_t cells_;
  std::vector<uint32_t> phases_;  // of the cells: their places in the order
};

/// Whole numbers with h n + k m = gcd(m, n).
std::pair<int64_t, int64_t> bezout(int64_t n, int64_t m) {
  if (m == 0) return {n < 0 ? -1 : 1, 0};
  const auto [h, k] = bezout(m, n % m);
  return {k, h - n / m * k};
}

}  // namespace

uint32_t most_minimum_dot(const Cell& cell) {
  const auto cells = static_cast<uint64_t>(int64_t{cell.repeats} * cell.repeats);
  return static_cast<uint32_t>(pixels_of(cell) / cells / 4);
}

ThresholdTile strip_of(const Cell& cell) {
  const Cell tile = filled(cell);
  const uint64_t pixels = pixels_of(tile);
  const auto height = static_cast<uint32_t>(std::gcd(tile.m, tile.n));
  const auto width = static_cast<uint32_t>(pixels / height);
  const auto [h, k] = bezout(tile.n, tile.m);
  const Divided shift(h * tile.m - k * tile.n, width);
  return {width, height, static_cast<uint32_t>(shift.rest), std::vector<uint16_t>(pixels)};
}

std::vector<uint32_t> order_of_cells(const Cell& cell) {
  constexpr uint32_t kSeed = 5;  // of 0 .. 7 that with the evenest tints at 2400 dpi, 175 lpi
  return blue_noise_ranks(static_cast<uint32_t>(filled(cell).repeats), kSeed);
}

std::vector<uint32_t> am_ranks(const AmScreen& screen) {
  const std::vector<uint32_t> order = Growth(screen).order();
  std::vector<uint32_t> ranks(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) ranks[order[i]] = i;
  return ranks;
}

ThresholdTile am_tile(const AmScreen& screen) {
  MZ_ASSERT(screen.minimum_dot >= 1 && screen.minimum_dot <= most_minimum_dot(screen.cell));
  const std::vector<uint32_t> ranks = am_ranks(screen);
  ThresholdTile tile = strip_of(screen.cell);
  const auto count = static_cast<uint32_t>(ranks.size());
  const Cell cell = filled(screen.cell);
  const uint32_t least = screen.minimum_dot;
  const uint32_t whole_dots = least * static_cast<uint32_t>(cell.repeats * cell.repeats);
  // The pixels of a smallest dot or hole, which have adjoining ranks, take ink together.
  const auto threshold = [&](uint32_t rank) {
    const uint32_t from_end = count - 1 - rank;
    uint32_t first = rank, together = 1;
    if (std::min(rank, from_end) < whole_dots) {
      together = least;
      first = rank <= from_end ? rank / least * least : count - (from_end / least + 1) * least;
    }
    return static_cast<uint16_t>((2 * uint64_t{first} + together) * kSolid / (2 * uint64_t{count}));
  };
  std::ranges::transform(ranks, tile.thresholds.begin(), threshold);
  return tile;
}

}  // namespace mezzo::screen
