#include "tools/compare/page_images.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <utility>

#include "kernels/base/error.h"

namespace mezzo::compare {
namespace {

constexpr double kSigma = 1.5;  // of the preview's Gaussian, in cells

uint32_t divided_up(uint32_t value, uint32_t divisor) {
  return value / divisor + (value % divisor != 0);
}

/// Place `i` of PageImages::kPlacesAcross pieces along a side: the first and the last touch the
/// edges.
uint32_t piece_begin(uint32_t side_px, uint32_t piece_px, uint32_t i) {
  return static_cast<uint32_t>(uint64_t{side_px - piece_px} * i / (PageImages::kPlacesAcross - 1));
}

/// The cells that make a preview pixel, and their weights, which sum to 1.
struct Window {
  uint32_t first = 0;
  std::vector<double> weights;
};

Window window_of(uint32_t pixel, uint32_t step, uint32_t cells) {
  const double centre = pixel * step + (step - 1) / 2.0;
  const double begin = std::max(std::ceil(centre - 3 * kSigma), 0.0);
  const double end = std::min(std::floor(centre + 3 * kSigma), cells - 1.0);
  Window window{static_cast<uint32_t>(begin), {}};
  double sum = 0;
  for (double cell = begin; cell <= end; ++cell) {
    window.weights.push_back(std::exp(-0.5 * std::pow((cell - centre) / kSigma, 2)));
    sum += window.weights.back();
  }
  for (double& weight : window.weights) weight /= sum;
  return window;
}

/// See PageImages::liveliest_place().
std::ptrdiff_t kinds_of_tone(const report::GreyImage& piece) {
  constexpr int kAbout = 8;
  std::array<size_t, 16> counts{};
  for (size_t i = 0; i < piece.pixels.size(); ++i) {
    if (i % piece.width_px == 0) continue;
    if (std::abs(piece.pixels[i] - piece.pixels[i - 1]) <= kAbout) ++counts[piece.pixels[i] / 16];
  }
  const size_t enough = piece.pixels.size() / 256;
  return std::ranges::count_if(counts,
                               [enough](size_t count) { return count > 0 && count >= enough; });
}

uint8_t grey_of(double coverage255) {
  return static_cast<uint8_t>(std::lround(255 - std::clamp(coverage255, 0.0, 255.0)));
}

}  // namespace

PageImages::PageImages(uint32_t width_px, uint32_t height_px)
    : width_px_(width_px), height_px_(height_px) {
  MZ_ASSERT(width_px > 0 && height_px > 0);
  step_ = width_px <= kPreviewWidth && height_px <= kPreviewHeight ? 1 : 2;
  cell_px_ = std::max(divided_up(width_px, kPreviewWidth * step_),
                      divided_up(height_px, kPreviewHeight * step_));
  cells_across_ = divided_up(width_px, cell_px_);
  cells_down_ = divided_up(height_px, cell_px_);
  sums_.resize(cells_across_);
  cells_.reserve(size_t{cells_across_} * cells_down_);
  const uint32_t piece_width = std::min(kPiece, width_px);
  const uint32_t piece_height = std::min(kPiece, height_px);
  for (uint32_t i = 0; i < kPlacesAcross * kPlacesAcross; ++i) {
    places_.push_back({piece_begin(width_px, piece_width, i % kPlacesAcross),
                       piece_begin(height_px, piece_height, i / kPlacesAcross),
                       piece_width,
                       piece_height});
  }
  places_.push_back({0, 0, std::min(kCorner, width_px), std::min(kCorner, height_px)});
  for (const Rect& place : places_) {
    pieces_.push_back({place.width_px, place.height_px, {}});
    pieces_.back().pixels.reserve(size_t{place.width_px} * place.height_px);
  }
}

void PageImages::add_row(std::span<const uint8_t> coverage) {
  MZ_ASSERT(coverage.size() == width_px_ && next_row_ < height_px_);
  for (size_t i = 0; i < places_.size(); ++i) {
    const Rect& place = places_[i];
    if (next_row_ < place.y || next_row_ - place.y >= place.height_px) continue;
    for (const uint8_t value : coverage.subspan(place.x, place.width_px)) {
      pieces_[i].pixels.push_back(static_cast<uint8_t>(255 - value));
    }
  }
  for (uint32_t cell = 0; cell < cells_across_; ++cell) {
    const uint32_t begin = cell * cell_px_;
    for (const uint8_t value : coverage.subspan(begin, std::min(cell_px_, width_px_ - begin))) {
      sums_[cell] += value;
    }
  }
  ++next_row_;
  if (next_row_ % cell_px_ == 0 || next_row_ == height_px_) finish_cells();
}

void PageImages::add_row(std::span<const double> coverage) {
  row_.resize(coverage.size());
  std::ranges::transform(coverage, row_.begin(), [](double value) {
    return static_cast<uint8_t>(std::lround(255 * std::clamp(value, 0.0, 1.0)));
  });
  add_row(std::span<const uint8_t>(row_));
}

void PageImages::add_bits(const uint8_t* row) {
  row_.resize(width_px_);
  for (uint32_t x = 0; x < width_px_; ++x) {
    row_[x] = (row[x / 8] >> (7 - x % 8) & 1) != 0 ? 255 : 0;
  }
  add_row(std::span<const uint8_t>(row_));
}

/// The cells at the right and at the bottom may be smaller than the others.
void PageImages::finish_cells() {
  const uint32_t rows = (next_row_ - 1) % cell_px_ + 1;
  for (uint32_t cell = 0; cell < cells_across_; ++cell) {
    const uint32_t columns = std::min(cell_px_, width_px_ - cell * cell_px_);
    const double area = rows * columns;
    cells_.push_back(static_cast<float>(sums_[cell] / area));
  }
  std::ranges::fill(sums_, 0);
}

report::GreyImage PageImages::preview() const {
  MZ_ASSERT(next_row_ == height_px_);
  report::GreyImage image{divided_up(cells_across_, step_), divided_up(cells_down_, step_), {}};
  image.pixels.reserve(size_t{image.width_px} * image.height_px);
  std::vector<Window> across;
  for (uint32_t x = 0; x < image.width_px; ++x) {
    across.push_back(window_of(x, step_, cells_across_));
  }
  std::vector<double> column(cells_across_);  // the cells of a preview row, blurred downwards
  for (uint32_t y = 0; y < image.height_px; ++y) {
    const Window down = window_of(y, step_, cells_down_);
    std::ranges::fill(column, 0.0);
    for (size_t i = 0; i < down.weights.size(); ++i) {
      const float* cells = cells_.data() + (down.first + i) * cells_across_;
      for (uint32_t x = 0; x < cells_across_; ++x) {
        column[x] += down.weights[i] * static_cast<double>(cells[x]);
      }
    }
    for (const Window& window : across) {
      double sum = 0;
      for (size_t i = 0; i < window.weights.size(); ++i) {
        sum += window.weights[i] * column[window.first + i];
      }
      image.pixels.push_back(grey_of(sum));
    }
  }
  return image;
}

size_t PageImages::liveliest_place() const {
  MZ_ASSERT(next_row_ == height_px_);
  constexpr int kMiddle = kPlacesAcross / 2;
  // More tones first, then nearer to the middle.
  std::pair<std::ptrdiff_t, int> best_score = {-1, 0};
  size_t best = 0;
  for (size_t i = 0; i < pieces_.size() - 1; ++i) {
    const auto kinds = kinds_of_tone(pieces_[i]);
    const int column = static_cast<int>(i % kPlacesAcross);
    const int row = static_cast<int>(i / kPlacesAcross);
    const int from_middle = std::abs(column - kMiddle) + std::abs(row - kMiddle);
    const std::pair<std::ptrdiff_t, int> score = {kinds, -from_middle};
    if (score <= best_score) continue;
    best_score = score;
    best = i;
  }
  return best;
}

}  // namespace mezzo::compare
