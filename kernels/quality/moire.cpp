#include "kernels/quality/moire.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/base/error.h"

namespace mezzo::quality {
namespace {

constexpr uint32_t kReach = 6;  // cells of a window, each way
constexpr double kLeastSwing = 1.0 / 255;

uint32_t whole_windows(uint32_t size_px, uint32_t cell_px) {
  return size_px < kReach * cell_px ? 0 : (size_px - kReach * cell_px) / cell_px + 1;
}

}  // namespace

FarField::FarField(uint32_t width_px, uint32_t height_px)
    : width_px_(width_px),
      cell_px_(std::clamp(std::min(width_px, height_px) / 512, 4U, 16U)),
      columns_(whole_windows(width_px, cell_px_)),
      rows_(whole_windows(height_px, cell_px_)),
      row_(columns_),
      cells_(size_t{columns_} * rows_, 0.0) {
  const uint32_t size = kReach * cell_px_;
  double sum = 0;
  for (uint32_t i = 0; i < size; ++i) {
    const double turn = 2 * std::numbers::pi * (i + 0.5) / size;
    weights_.push_back(0.42 - 0.5 * std::cos(turn) + 0.08 * std::cos(2 * turn));
    sum += weights_.back();
  }
  for (double& weight : weights_) weight /= sum;
}

void FarField::add_row(std::span<const double> values) {
  MZ_ASSERT(values.size() == width_px_);
  const uint32_t y = next_row_++;
  const uint32_t first =
      y < weights_.size() ? 0 : (y - static_cast<uint32_t>(weights_.size())) / cell_px_ + 1;
  const uint32_t end = std::min(y / cell_px_ + 1, rows_);
  if (first >= end) return;
  for (uint32_t i = 0; i < columns_; ++i) {
    const double* from = values.data() + size_t{i} * cell_px_;
    double sum = 0;
    for (size_t j = 0; j < weights_.size(); ++j) sum += weights_[j] * from[j];
    row_[i] = sum;
  }
  for (uint32_t j = first; j < end; ++j) {
    const double weight = weights_[y - j * cell_px_];
    double* cells = cells_.data() + size_t{j} * columns_;
    for (uint32_t i = 0; i < columns_; ++i) cells[i] += weight * row_[i];
  }
}

/// The part of a wave along one axis that a window leaves.
double FarField::response(double cycles_a_px) const {
  const double centre = (static_cast<double>(weights_.size()) - 1) / 2;
  double sum = 0;
  for (size_t i = 0; i < weights_.size(); ++i) {
    sum += weights_[i] *
           std::cos(2 * std::numbers::pi * cycles_a_px * (static_cast<double>(i) - centre));
  }
  return sum;
}

Periods FarField::find_moire() const {
  PeriodRange range{kShortestMoirePx / cell_px_, 256};
  while (range.tile_px > 64 && range.tile_px > std::min(columns_, rows_)) range.tile_px /= 2;
  Periods found =
      find_periods(BandView<const double>{cells_.data(), columns_, rows_, columns_, 0}, range);
  for (SpectrumLine& line : found.lines) {
    line.across /= cell_px_;
    line.down /= cell_px_;
    line.amplitude /= response(line.across) * response(line.down);
  }
  std::erase_if(found.lines, [](const SpectrumLine& line) { return line.amplitude < kLeastSwing; });
  std::ranges::stable_sort(found.lines, std::greater<>(), &SpectrumLine::amplitude);
  return found;
}

}  // namespace mezzo::quality
