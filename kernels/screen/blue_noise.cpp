#include "kernels/screen/blue_noise.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

#include "kernels/base/error.h"
#include "kernels/base/noise.h"

namespace mezzo::screen {
namespace {

constexpr uint32_t kRadius = 6;

/// 2^24 exp(-d / (2 1.5^2)), rounded, of the squared distance d, 0 .. kRadius^2.
constexpr std::array<int32_t, 37> kGaussian = {
    16777216, 13434144, 10757222, 8613710, 6897320, 5522942, 4422426, 3541202, 2835573, 2270549,
    1818114,  1455832,  1165739,  933451,  747449,  598510,  479250,  383753,  307285,  246055,
    197025,   157766,   126329,   101156,  81000,   64859,   51935,   41587,   33300,   26664,
    21351,    17097,    13690,    10962,   8778,    7029,    5628};

/// Added to the crowd of a pixel that is set, so that one array answers both questions: its maximum
/// is the most crowded of the set pixels, its minimum the least crowded of the others. Crowds stay
/// below: the whole Gaussian sums up to less than 2^28, and a wider one meets fewer pixels.
constexpr int32_t kSet = 1 << 30;

/// Pixels are thinned out with a Gaussian twice as wide from one in so many pixels of the torus on.
constexpr uint32_t kSparse = 16;

/// Set pixels on a torus, and how crowded each pixel is by a Gaussian `scale` times as wide. Blocks
/// know their extrema, so that a change looks again at those that it touches and not at the torus.
class Pattern {
 public:
  explicit Pattern(uint32_t side, uint32_t scale = 1)
      : side_(side),
        scale_(scale),
        before_(std::min(kRadius * scale, (side - 1) / 2)),
        reach_(before_ + std::min(kRadius * scale, side / 2) + 1),
        blocks_((side + kBlock - 1) / kBlock),
        crowd_(area()),
        least_(size_t{blocks_} * blocks_),
        most_(least_.size()),
        rows_(reach_),
        columns_(reach_) {
    for (uint32_t i = 0; i < reach_; ++i) {
      for (uint32_t j = 0; j < reach_; ++j) footprint_.push_back(gaussian(i, j));
    }
  }

  uint32_t area() const { return side_ * side_; }

  void put(uint32_t pixel) { change(pixel, 1); }
  void take(uint32_t pixel) { change(pixel, -1); }

  bool is_set(uint32_t pixel) const { return crowd_[pixel] >= kSet; }
  int32_t crowd(uint32_t pixel) const { return crowd_[pixel] % kSet; }

  uint32_t most_crowded_set() const { return first(most_, *std::ranges::max_element(most_)); }
  uint32_t emptiest_place() const { return first(least_, *std::ranges::min_element(least_)); }

 private:
  static constexpr uint32_t kBlock = 16;  // px a side; those at the right and bottom may be smaller

  uint32_t block_end(uint32_t block) const { return std::min((block + 1) * kBlock, side_); }

  /// Of the pixel at such places of the footprint.
  int32_t gaussian(uint32_t i, uint32_t j) const {
    const uint32_t dy = i < before_ ? before_ - i : i - before_;
    const uint32_t dx = j < before_ ? before_ - j : j - before_;
    const uint32_t d = (dy * dy + dx * dx) / (scale_ * scale_);
    return d < kGaussian.size() ? kGaussian[d] : 0;
  }

  void change(uint32_t pixel, int32_t sign) {
    crowd_[pixel] += sign * kSet;
    look_around(pixel / side_, rows_);
    look_around(pixel % side_, columns_);
    const int32_t* weight = footprint_.data();
    for (const uint32_t y : rows_) {
      int32_t* const row = &crowd_[size_t{y} * side_];
      for (const uint32_t x : columns_) row[x] += sign * *weight++;
    }
    for (uint32_t i = 0; i < reach_; ++i) {
      if (i > 0 && rows_[i] / kBlock == rows_[i - 1] / kBlock) continue;
      for (uint32_t j = 0; j < reach_; ++j) {
        if (j > 0 && columns_[j] / kBlock == columns_[j - 1] / kBlock) continue;
        look_again(rows_[i] / kBlock, columns_[j] / kBlock);
      }
    }
  }

  /// The rows or columns of the footprint around this one, those before it first.
  void look_around(uint32_t centre, std::vector<uint32_t>& places) const {
    uint32_t place = (centre + side_ - before_) % side_;
    for (uint32_t& at : places) {
      at = place;
      place = place + 1 == side_ ? 0 : place + 1;
    }
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

  uint32_t side_, scale_;
  uint32_t before_, reach_;  // px above and left of a pixel, and in all, that the footprint covers
  uint32_t blocks_;          // a side
  std::vector<int32_t> footprint_;
  std::vector<int32_t> crowd_;            // row by row, plus kSet where set
  std::vector<int32_t> least_, most_;     // of each block, row by row
  std::vector<uint32_t> rows_, columns_;  // of the last change
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

/// The pixels in the order in which they go, the most crowded one of those that are left first. The
/// fewer they are, the farther they look for each other.
std::vector<uint32_t> thinned(uint32_t side, std::vector<uint32_t> pixels) {
  std::vector<uint32_t> gone;
  for (uint32_t scale = 1; !pixels.empty(); scale *= 2) {
    Pattern pattern(side, scale);
    for (const uint32_t pixel : pixels) pattern.put(pixel);
    const uint32_t enough = pattern.area() / (kSparse * scale * scale);
    for (size_t left = pixels.size(); left > enough; --left) {
      gone.push_back(pattern.most_crowded_set());
      pattern.take(gone.back());
    }
    std::erase_if(pixels, [&](uint32_t pixel) { return !pattern.is_set(pixel); });
  }
  return gone;
}

}  // namespace

std::vector<uint32_t> blue_noise_ranks(uint32_t side, uint32_t seed) {
  MZ_ASSERT(side >= 1 && side <= kMostMaskSide);
  std::vector<uint32_t> light = thrown_pixels(side, seed);
  Pattern pattern(side);
  for (const uint32_t pixel : light) pattern.put(pixel);
  spread(pattern);
  const auto number = static_cast<uint32_t>(light.size());
  const auto set = [&](uint32_t pixel) { return pattern.is_set(pixel); };
  std::vector<uint32_t> all(pattern.area()), ranks(all.size());
  std::iota(all.begin(), all.end(), 0U);
  light.clear();
  std::ranges::copy_if(all, std::back_inserter(light), set);
  uint32_t rank = number;
  for (const uint32_t pixel : thinned(side, light)) ranks[pixel] = --rank;
  for (rank = number; rank + number < pattern.area(); ++rank) {
    const uint32_t pixel = pattern.emptiest_place();
    pattern.put(pixel);
    ranks[pixel] = rank;
  }
  std::erase_if(all, set);
  for (const uint32_t pixel : thinned(side, all)) ranks[pixel] = rank++;
  return ranks;
}

}  // namespace mezzo::screen
