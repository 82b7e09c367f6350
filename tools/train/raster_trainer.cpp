#include "tools/train/raster_trainer.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace mezzo::train {
namespace {

using diffusion::ToneEntry;

/// A point holds the four weights, then middle and half width of the thresholds, as parts of one;
/// the width has a least one on top, so that training does not depend on a single pattern.
constexpr size_t kWeights = 4, kMiddle = 4, kHalf = 5;
constexpr size_t kPageSize = 128, kStartRows = 16;
/// Rows and columns that are left out at the borders, and more at the top, where pages start.
constexpr size_t kSide = 16, kTop = 40;
constexpr double kLeastOfEntry = 1 / 64.0;
constexpr double kLeastHalf = 0.015;
/// The weight of the middle's pull to its neighbours' values; that of the others is 1. A flat tint
/// hardly tells where its thresholds lie, but in a picture tones change from pixel to pixel, and
/// thresholds that jump from level to level put a grain of their own on it.
constexpr double kSmoothnessOfMiddle = 300;

double sum_of_weights(const Point& point) {
  return sum_of_sizes(std::span(point).first(kWeights));
}

double entry_penalty(const Point& point) {
  const double half = kLeastHalf + std::abs(point[kHalf]);
  // A point and its multiples are the same entry: the sum is 1.
  return square(sum_of_weights(point) - 1) + threshold_cost(point[kMiddle], half, kLeastOfEntry);
}

Point plainest_entry(Point point) {
  const double sum = sum_of_weights(point);
  for (size_t i = 0; i < kWeights; ++i) point[i] = std::abs(point[i]) / sum;
  point[kHalf] = std::abs(point[kHalf]);
  return point;
}

/// 255 times the mean error of the rows.
double mean_error(const ErrorField& field, size_t first_row, size_t end_row) {
  double sum = 0;
  for (size_t y = first_row; y < end_row; ++y) {
    for (size_t x = kSide; x < field.width - kSide; ++x) {
      for (const float error : field.errors[y * field.width + x].lane) sum += error;
    }
  }
  return 255 * sum /
         static_cast<double>((end_row - first_row) * (field.width - 2 * kSide) * kLanes);
}

/// The part of a field, taken at every `step`-th pixel of a page, that counts.
Window inside(const ErrorField& field, size_t step) {
  return {kSide / step, kTop / step, field.width - kSide / step, field.height - kSide / step};
}

/// The visible error relative to Floyd-Steinberg's. To be worse in one metric costs more than that
/// can bring in another.
double relative_cost(size_t level, const RasterLook& seen, const RasterLook& plain) {
  double sum = 0;
  for (const auto metric : {&RasterLook::finest,
                            &RasterLook::fine,
                            &RasterLook::coarse,
                            &RasterLook::anisotropy,
                            &RasterLook::start_rms}) {
    const double ratio = seen.*metric / std::max(plain.*metric, 1e-3);
    sum += 0.8 * ratio + 20 * excess(ratio - 1);
  }
  // In highlights a page must not start a quarter too light, and nowhere by two levels.
  sum += square(seen.start_bias / std::clamp(0.25 * static_cast<double>(level), 0.5, 2.0));
  return sum + 0.5 * square(seen.bias / 0.1);
}

}  // namespace

RasterLook look(const RasterModel& model, const Integers& tones, const ToneEntry& entry) {
  static const std::vector<float> kFinest = gaussian(1), kFine = gaussian(1.5);
  static const std::vector<float> kFineToCoarse = gaussian(std::sqrt(3.0 * 3.0 - 1.5 * 1.5) / 2);
  const ErrorField field = model.render(tones, entry);
  const ErrorField finest = blurred(field, kFinest, 2), fine = blurred(field, kFine, 2);
  const ErrorField coarse = blurred(fine, kFineToCoarse, 2);
  RasterLook result;
  result.finest = std::sqrt(mean_square(finest, inside(finest, 2)));
  result.fine = std::sqrt(mean_square(fine, inside(fine, 2)));
  result.coarse = std::sqrt(mean_square(coarse, inside(coarse, 4)));
  result.anisotropy = anisotropy(fine, inside(fine, 2));
  result.bias = mean_error(field, kTop, field.height);
  result.start_bias = mean_error(field, 0, kStartRows);
  // Not the very first rows: a page repeats, so that its end is above them.
  const Window start = {kSide / 2, 3, fine.width - kSide / 2, kStartRows / 2};
  result.start_rms = std::sqrt(mean_square(fine, start));
  return result;
}

ToneEntry floyd_steinberg_entry() {
  return {7 * 256, 3 * 256, 5 * 256, 2048, 2048};
}

RasterTrainer::RasterTrainer(uint32_t seed) : model_(kPageSize, seed), seed_(seed) {}

double RasterTrainer::cost(size_t level, const ToneEntry& entry) const {
  const Integers tones = tones_of_level(level);
  const RasterLook plain = look(model_, tones, floyd_steinberg_entry());
  return relative_cost(level, look(model_, tones, entry), plain);
}

Point RasterTrainer::untrained(size_t level) {
  // Highlights need thresholds that the first rows of a page get to.
  const double middle = 0.36 + 0.14 * static_cast<double>(level) / (kTrainedLevels - 1);
  const double half = level < 32 ? 0.22 : 0.05;
  return {7 / 16.0, 3 / 16.0, 5 / 16.0, 1 / 16.0, middle, half};
}

ToneEntry RasterTrainer::entry(size_t level, const Point& point) {
  const double sum = sum_of_weights(point);
  const auto weight = [&](size_t i) {
    return static_cast<uint16_t>(std::lround(4095 * std::abs(point[i]) / sum));
  };
  const double half = kLeastHalf + std::abs(point[kHalf]);
  // 4095, as three roundings can add 1.5: the sum is at most 4096.
  const uint16_t right = weight(0), down_left = weight(1), down = weight(2);
  return {right,
          down_left,
          down,
          threshold(level, point[kMiddle] - half, kLeastOfEntry),
          threshold(level, point[kMiddle] + half, kLeastOfEntry)};
}

Point RasterTrainer::train(const LevelTask& task, uint32_t evaluations) const {
  const Integers tones = tones_of_level(task.level);
  const RasterLook plain = look(model_, tones, floyd_steinberg_entry());
  const auto total = [&](const Point& point) {
    const double pull = kSmoothnessOfMiddle * square(point[kMiddle] - task.start[kMiddle]);
    const double seen =
        relative_cost(task.level, look(model_, tones, entry(task.level, point)), plain);
    return seen + entry_penalty(point) + with_pull(pull, point, task);
  };
  return plainest_entry(train_level(task, evaluations, seed_, 0.1, total));
}

}  // namespace mezzo::train
