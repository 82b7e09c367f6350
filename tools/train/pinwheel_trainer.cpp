#include "tools/train/pinwheel_trainer.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace mezzo::train {
namespace {

using pinwheel::Level;

/// A point holds the weights of the kinds, then middle and half width of the thresholds, as parts
/// of one. Weights are taken without sign and made to sum to 1.
struct KindPart {
  size_t kind, first;
  std::vector<size_t> targets;
  std::vector<double> most;  ///< of each weight
};
// Most meets in the last pixel of an inward block: a whole error, four.side, 2 three.side,
// three.ahead_side and 3 two.ahead_side. These bounds keep it below 3.4, so that sums of errors fit
// 16 bits.
const std::vector<KindPart> kKindParts = {{pinwheel::kFour, 0, {0, 1, 2, 3}, {1, 0.32, 0.4, 0.4}},
                                          {pinwheel::kCorner, 4, {0, 1, 2, 3}, {1, 0.6, 0.5, 0.5}},
                                          {pinwheel::kThree, 8, {0, 1, 2}, {1, 0.45, 0.25}},
                                          {pinwheel::kTwo, 11, {0, 2}, {1, 0.28}}};
constexpr size_t kFirstThreshold = 13, kSize = kFirstThreshold + 2 * pinwheel::kThresholdClasses;

/// Plain Floyd-Steinberg is about that, in the mean over the levels: the coarse scale, which is
/// harder on pinwheels, counts a little more.
constexpr double kFineScale = 2.6, kCoarseScale = 0.45;
/// Texture that repeats is seen more easily than noise of the same strength.
constexpr double kRepeated = 1.5;
/// A bias of this many 255ths costs as much as half the texture of Floyd-Steinberg at one scale. At
/// most half a dot is lost in two blocks, so small blocks are allowed more.
double bias_scale(uint32_t block) {
  const double by_size = 14.0 / block;
  return 0.07 * std::max(1.0, by_size * by_size);
}
/// Errors above this, in units of solid ink, may come near the clamp on some page.
constexpr double kLargeError = 1.1;
constexpr double kLeastThreshold = 0.125;

/// The penalty that keeps a point inside the ranges of a row; 0 well inside.
double row_penalty(const Point& point) {
  double penalty = 0;
  for (const KindPart& part : kKindParts) {
    const std::span weights = std::span(point).subspan(part.first, part.targets.size());
    const double sum = sum_of_sizes(weights);
    for (size_t i = 1; i < weights.size(); ++i) {
      penalty += 100 * excess(std::abs(weights[i]) / sum - part.most[i]);
    }
    penalty += square(sum - 1);  // a point and its multiples are the same row
  }
  for (size_t i = kFirstThreshold; i < kSize; i += 2) {
    penalty += threshold_cost(point[i], std::abs(point[i + 1]), kLeastThreshold);
  }
  return penalty;
}

/// The same row in its plainest_row form, so that rows can be averaged.
Point plainest_row(Point point) {
  for (const KindPart& part : kKindParts) {
    const std::span weights = std::span(point).subspan(part.first, part.targets.size());
    const double sum = sum_of_sizes(weights);
    for (double& w : weights) w = std::abs(w) / sum;
  }
  for (size_t i = kFirstThreshold; i < kSize; i += 2) point[i + 1] = std::abs(point[i + 1]);
  return point;
}

}  // namespace

PinwheelLook look(const PinwheelModel& model, const Integers& tones, const Level& row) {
  static const std::vector<float> kFine = gaussian(1.5);
  static const std::vector<float> kFineToCoarse = gaussian(std::sqrt(3.0 * 3.0 - 1.5 * 1.5) / 2);
  const Rendered rendered = model.render(tones, row);
  const ErrorField fine = blurred(rendered.field, kFine, 2);
  // Every other pixel again, where the blocks fit.
  const size_t step = fine.width % 2 == 0 ? 2 : 1;
  const ErrorField coarse = blurred(fine, kFineToCoarse, step);
  PinwheelLook result;
  result.fine = std::sqrt(mean_square(fine));
  result.coarse = std::sqrt(mean_square(coarse));
  const size_t period = model.block();  // two blocks, at every other pixel
  if (fine.width >= 2 * period) {
    result.fine_repeated = std::sqrt(repeated_mean_square(fine, period));
    if (period % step == 0) {
      result.coarse_repeated = std::sqrt(repeated_mean_square(coarse, period / step));
    }
  }
  std::array<double, kLanes> sums{};
  for (const Reals& error : rendered.field.errors) {
    for (size_t l = 0; l < kLanes; ++l) sums[l] += error.lane[l];
  }
  for (const double sum : sums) {
    const double bias = 255 * sum / static_cast<double>(rendered.field.errors.size());
    result.mean_bias += bias / kLanes;
    result.bias += bias * bias / kLanes;
  }
  result.bias = std::sqrt(result.bias);
  result.largest_error = rendered.largest_error;
  return result;
}

Level untrained_row() {
  return {{{{14336, 10240, 2048, 6144},
            {10240, 10240, 6144, 6144},
            {17646, 12602, 2520, 0},
            {28672, 0, 4096, 0}}},
          {2048, 2048, 2048},
          {2048, 2048, 2048}};
}

PinwheelTrainer::PinwheelTrainer(const std::vector<uint32_t>& blocks,
                                 const Mask& mask,
                                 uint32_t seed)
    : seed_(seed) {
  // Parts of the mask twice as many as there are lanes: less is learnt by heart.
  for (const uint32_t block : blocks) {
    models_.emplace_back(block, mask, seed);
    models_.emplace_back(block, mask, seed + 0x100);
  }
}

double PinwheelTrainer::cost(size_t level, const Level& row) const {
  const Integers tones = tones_of_level(level);
  double sum = 0;
  for (const PinwheelModel& model : models_) {
    const PinwheelLook seen = look(model, tones, row);
    sum += std::sqrt(square(seen.fine) + kRepeated * square(seen.fine_repeated)) / kFineScale;
    sum += std::sqrt(square(seen.coarse) + kRepeated * square(seen.coarse_repeated)) / kCoarseScale;
    sum += 0.5 * square(seen.bias / bias_scale(model.block()));
    sum += 20 * excess(seen.largest_error / 4096.0 - kLargeError);
  }
  return sum / static_cast<double>(models_.size());
}

Point PinwheelTrainer::untrained(size_t) {
  const Level plain = untrained_row();
  Point point;
  for (const KindPart& part : kKindParts) {
    for (const size_t target : part.targets) {
      point.push_back(plain.weights[part.kind][target] / 32768.0);
    }
  }
  for (size_t c = 0; c < pinwheel::kThresholdClasses; ++c) {
    point.push_back(0.5);
    point.push_back(0.05);
  }
  return point;
}

Level PinwheelTrainer::row(size_t level, const Point& point) {
  Level row{};
  for (const KindPart& part : kKindParts) {
    const std::span weights = std::span(point).subspan(part.first, part.targets.size());
    const double sum = sum_of_sizes(weights);
    int rest = 32768;
    for (size_t i = weights.size(); i-- > 0;) {
      const double weight = std::min(std::abs(weights[i]) / sum, part.most[i]);
      const int parts = static_cast<int>(std::lround(32768 * weight));
      const int given = i == 0 ? rest : std::min(parts, rest);
      row.weights[part.kind][part.targets[i]] = static_cast<uint16_t>(given);
      rest -= given;
    }
  }
  for (size_t c = 0; c < pinwheel::kThresholdClasses; ++c) {
    const double middle = point[kFirstThreshold + 2 * c];
    const double half = std::abs(point[kFirstThreshold + 2 * c + 1]);
    row.lower[c] = threshold(level, middle - half, kLeastThreshold);
    row.upper[c] = threshold(level, middle + half, kLeastThreshold);
  }
  return row;
}

Point PinwheelTrainer::train(const LevelTask& task, uint32_t evaluations) const {
  const auto total = [&](const Point& point) {
    return cost(task.level, row(task.level, point)) + row_penalty(point) +
           with_pull(0, point, task);
  };
  return plainest_row(train_level(task, evaluations, seed_, 0.07, total));
}

}  // namespace mezzo::train
