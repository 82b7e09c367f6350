#include "kernels/screen/blue_noise.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "kernels/base/error.h"
#include "kernels/base/noise.h"

namespace mezzo::screen {
namespace {

constexpr uint32_t kRadius = 6;

/// 2^24 exp(-d / (2 1.5^2)), rounded, of the squared distance d, 0 .. 36.
constexpr std::array<int32_t, 37> kGaussian = {
    16777216, 13434144, 10757222, 8613710, 6897320, 5522942, 4422426, 3541202, 2835573, 2270549,
    1818114,  1455832,  1165739,  933451,  747449,  598510,  479250,  383753,  307285,  246055,
    197025,   157766,   126329,   101156,  81000,   64859,   51935,   41587,   33300,   26664,
    21351,    17097,    13690,    10962,   8778,    7029,    5628};

/// Added to the crowd of a pixel that is set, so that one array answers both questions: its maximum
/// is the most crowded of the set pixels, its minimum the least crowded of the others. The whole
/// Gaussian sums up to less than 2^28.
constexpr int32_t kSet = 1 << 30;

/// Set pixels on a torus, and how crowded each pixel is. Blocks know their extrema, so that a change
/// looks again at those that it touches and not at the whole torus.
class Pattern {
 public:
  explicit Pattern(uint32_t side)
      : side_(side),
        before_(std::min(kRadius, (side - 1) / 2)),
        reach_(before_ + std::min(kRadius, side / 2) + 1),
        blocks_((side + kBlock - 1) / kBlock),
        crowd_(area()),
        least_(size_t{blocks_} * blocks_),
        most_(least_.size()) {}

  uint32_t area() const { return side_ * side_; }

  void put(uint32_t pixel) { change(pixel, 1); }
  void take(uint32_t pixel) { change(pixel, -1); }

  int32_t crowd(uint32_t pixel) const { return crowd_[pixel] % kSet; }

  uint32_t most_crowded_set() const { return first(most_, *std::ranges::max_element(most_)); }
  uint32_t emptiest_place() const { return first(least_, *std::ranges::min_element(least_)); }

 private:
  static constexpr uint32_t kBlock = 16;  // px a side; those at the right and bottom may be smaller

  uint32_t block_end(uint32_t block) const { return std::min((block + 1) * kBlock, side_); }

  void change(uint32_t pixel, int32_t sign) {
    crowd_[pixel] += sign * kSet;
    const Places rows = around(pixel / side_), columns = around(pixel % side_);
    for (uint32_t i = 0; i < reach_; ++i) {
      int32_t* const row = &crowd_[rows[i] * side_];
      for (uint32_t j = 0; j < reach_; ++j) row[columns[j]] += sign * gaussian(i, j);
    }
    for (uint32_t i = 0; i < reach_; ++i) {
      if (i > 0 && rows[i] / kBlock == rows[i - 1] / kBlock) continue;
      for (uint32_t j = 0; j < reach_; ++j) {
        if (j > 0 && columns[j] / kBlock == columns[j - 1] / kBlock) continue;
        look_again(rows[i] / kBlock, columns[j] / kBlock);
      }
    }
  }

  /// Rows or columns near a pixel: the first `reach_`, those before it first, each once.
  using Places = std::array<uint32_t, 2 * kRadius + 1>;

  Places around(uint32_t centre) const {
    Places places{};
    for (uint32_t i = 0; i < reach_; ++i) places[i] = (centre + side_ - before_ + i) % side_;
    return places;
  }

  /// Of the pixel at such places, by their numbers.
  int32_t gaussian(uint32_t i, uint32_t j) const {
    const uint32_t dy = i < before_ ? before_ - i : i - before_;
    const uint32_t dx = j < before_ ? before_ - j : j - before_;
    const uint32_t d = dy * dy + dx * dx;
    return d <= kRadius * kRadius ? kGaussian[d] : 0;
  }

  void look_again(uint32_t block_row, uint32_t block_column) {
    const uint32_t x0 = block_column * kBlock, x1 = block_end(block_column);
    int32_t least = crowd_[block_row * kBlock * side_ + x0], most = least;
    for (uint32_t y = block_row * kBlock; y < block_end(block_row); ++y) {
      const int32_t* const row = &crowd_[size_t{y} * side_];
      for (uint32_t x = x0; x < x1; ++x) {
        least = std::min(least, row[x]);
        most = std::max(most, row[x]);
      }
    }
    least_[block_row * blocks_ + block_column] = least;
    most_[block_row * blocks_ + block_column] = most;
  }

  /// The first pixel in reading order whose crowd is the extremum `wanted`, which `extrema` has.
  uint32_t first(const std::vector<int32_t>& extrema, int32_t wanted) const {
    uint32_t found = area();
    for (uint32_t block = 0; block < extrema.size(); ++block) {
      if (extrema[block] == wanted) found = std::min(found, first_in_block(block, wanted));
    }
    return found;
  }

  uint32_t first_in_block(uint32_t block, int32_t wanted) const {
    const uint32_t row = block / blocks_, column = block % blocks_;
    for (uint32_t y = row * kBlock; y < block_end(row); ++y) {
      for (uint32_t x = column * kBlock; x < block_end(column); ++x) {
        if (crowd_[y * side_ + x] == wanted) return y * side_ + x;
      }
    }
    MZ_ASSERT(false);
    return 0;
  }

  uint32_t side_;
  uint32_t before_, reach_;  // px above and left of a pixel, and in all, that its Gaussian covers
  uint32_t blocks_;          // a side
  std::vector<int32_t> crowd_;         // row by row, plus kSet where set
  std::vector<int32_t> least_, most_;  // of each block, row by row
};

/// The pixels with the lowest hashes, a tenth of all and at least one.
std::vector<uint32_t> thrown_pixels(uint32_t side, uint32_t seed) {
  const auto hash = [&](uint32_t pixel) {
    return pixel_noise(seed, 0, pixel / side, pixel % side);
  };
  std::vector<uint32_t> pixels(size_t{side} * side);
  std::iota(pixels.begin(), pixels.end(), 0U);
  std::ranges::stable_sort(pixels, {}, hash);
  pixels.resize(std::max<size_t>(pixels.size() / 10, 1));
  return pixels;
}

/// Moves the most crowded pixel to the emptiest place while that place is emptier.
void spread(Pattern& pattern) {
  for (;;) {
    const uint32_t from = pattern.most_crowded_set();
    pattern.take(from);
    const uint32_t to = pattern.emptiest_place();
    const bool gains = pattern.crowd(to) < pattern.crowd(from);
    pattern.put(gains ? to : from);
    if (!gains) return;
  }
}

}  // namespace

std::vector<uint32_t> blue_noise_ranks(uint32_t side, uint32_t seed) {
  MZ_ASSERT(side >= 1 && side <= kMostMaskSide);
  const std::vector<uint32_t> thrown = thrown_pixels(side, seed);
  Pattern pattern(side);
  for (const uint32_t pixel : thrown) pattern.put(pixel);
  spread(pattern);
  const auto start = static_cast<uint32_t>(thrown.size());
  std::vector<uint32_t> ranks(pattern.area());
  Pattern emptied = pattern;
  for (uint32_t rank = start; rank-- > 0;) {
    const uint32_t pixel = emptied.most_crowded_set();
    emptied.take(pixel);
    ranks[pixel] = rank;
  }
  for (uint32_t rank = start; rank < pattern.area(); ++rank) {
    const uint32_t pixel = pattern.emptiest_place();
    pattern.put(pixel);
    ranks[pixel] = rank;
  }
  return ranks;
}

}  // namespace mezzo::screen
