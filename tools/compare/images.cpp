#include "tools/compare/images.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>

#include "kernels/base/error.h"

namespace mezzo::compare {
namespace {

constexpr double kSigma = 1.5;  // of the preview's Gaussian, in cells

uint32_t divided_up(uint32_t value, uint32_t divisor) {
  return value / divisor + (value % divisor != 0);
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
size_t kinds_of_tone(const report::GreyImage& piece) {
  constexpr int kAbout = 8;
  std::array<size_t, 16> counts{};
  for (size_t i = 0; i < piece.pixels.size(); ++i) {
    if (i % piece.width_px == 0) continue;
    if (std::abs(piece.pixels[i] - piece.pixels[i - 1]) <= kAbout) ++counts[piece.pixels[i] / 16];
  }
  const size_t enough = piece.pixels.size() / 256;
  return static_cast<size_t>(std::ranges::count_if(
      counts, [enough](size_t count) { return count > 0 && count >= enough; }));
}

/// Adds the part of a row that lies in `place`, if any.
void add_part(report::GreyImage& image,
              const Rect& place,
              uint32_t row,
              std::span<const uint16_t> ink,
              uint32_t solid) {
  if (row < place.y || row - place.y >= place.height_px) return;
  for (const uint32_t value : ink.subspan(place.x, place.width_px)) {
    image.pixels.push_back(static_cast<uint8_t>(255 - (510 * value + solid) / (2 * solid)));
  }
}

report::GreyImage empty_image(const Rect& place) {
  report::GreyImage image{place.width_px, place.height_px, {}};
  image.pixels.reserve(size_t{place.width_px} * place.height_px);
  return image;
}

}  // namespace

PageImages::PageImages(uint32_t width_px, uint32_t height_px, uint32_t solid)
    : width_px_(width_px),
      height_px_(height_px),
      solid_(solid),
      step_(width_px <= kPreviewWidth && height_px <= kPreviewHeight ? 1 : 2),
      cell_px_(std::max(divided_up(width_px, kPreviewWidth * step_),
                        divided_up(height_px, kPreviewHeight * step_))),
      scaled_({width_px, height_px},
              {divided_up(width_px, cell_px_), divided_up(height_px, cell_px_)},
              ScaledDown::Rows::kAll,
              solid,
              Polarity::kMaxIsInk),
      grid_({width_px, height_px}, kPiece),
      corner_(empty_image({0, 0, std::min(kCorner, width_px), std::min(kCorner, height_px)})) {
  for (const Rect& place : grid_.places()) pieces_.push_back(empty_image(place));
}

void PageImages::add_row(std::span<const uint16_t> ink) {
  MZ_ASSERT(ink.size() == width_px_ && next_row_ < height_px_);
  for (size_t i = 0; i < pieces_.size(); ++i) {
    add_part(pieces_[i], grid_[i], next_row_, ink, solid_);
  }
  add_part(corner_, {0, 0, corner_.width_px, corner_.height_px}, next_row_, ink, solid_);
  scaled_.add_row(ink.data());
  if (++next_row_ == height_px_) cells_ = scaled_.take();
}

report::GreyImage PageImages::preview() const {
  MZ_ASSERT(next_row_ == height_px_);
  report::GreyImage image{
      divided_up(cells_.width_px, step_), divided_up(cells_.height_px, step_), {}};
  image.pixels.reserve(size_t{image.width_px} * image.height_px);
  std::vector<Window> across;
  for (uint32_t x = 0; x < image.width_px; ++x) {
    across.push_back(window_of(x, step_, cells_.width_px));
  }
  std::vector<double> column(cells_.width_px);  // the cells of a preview row, blurred downwards
  for (uint32_t y = 0; y < image.height_px; ++y) {
    const Window down = window_of(y, step_, cells_.height_px);
    std::ranges::fill(column, 0.0);
    for (size_t i = 0; i < down.weights.size(); ++i) {
      const uint8_t* cells = &cells_.coverage[(down.first + i) * cells_.width_px];
      for (uint32_t x = 0; x < cells_.width_px; ++x) {
        column[x] += down.weights[i] * cells[x];
      }
    }
    for (const Window& window : across) {
      double sum = 0;
      for (size_t i = 0; i < window.weights.size(); ++i) {
        sum += window.weights[i] * column[window.first + i];
      }
      image.pixels.push_back(static_cast<uint8_t>(std::lround(255 - sum)));
    }
  }
  return image;
}

size_t PageImages::liveliest_place() const {
  MZ_ASSERT(next_row_ == height_px_);
  std::vector<size_t> kinds;
  for (const report::GreyImage& piece : pieces_) kinds.push_back(kinds_of_tone(piece));
  return grid_.best(kinds);
}

PageImages read_page_images(const ComparedPlane& plane, Team& team) {
  PlaneRows rows(plane);
  const PageInfo& info = rows.info();
  PageImages images(info.width_px, info.height_px, info.max_sample);
  for (uint32_t y = 0; y < info.height_px; ++y) images.add_row(rows.next_row(team));
  return images;
}

}  // namespace mezzo::compare
