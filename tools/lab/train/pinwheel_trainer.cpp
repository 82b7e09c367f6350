#include "tools/lab/train/pinwheel_trainer.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace mezzo::train {
namespace {

using pinwheel::Level;

/// A point holds the weights of the kinds, then the spread of the thresholds, as parts of one.
/// Weights are taken without sign and made to sum to 1.
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
constexpr size_t kSpreadIndex = 13;

/// Plain Floyd-Steinberg is about that, in the mean over the levels: the coarse scale, which is
/// harder on pinwheels, counts a little more.
constexpr double kFineScale = 2.6, kCoarseScale = 0.45;
/// Errors above this, in units of solid ink, may come near the clamp on some page.
constexpr double kLargeError = 1.1;

/// The least spread of a level, in tone units, between these. Few dots in a block lie where its walk
/// puts them, unless that is spread, and near one half a chequerboard lies alike in all blocks but
/// large ones. In small blocks few places have a class of their own.
double least_spread(size_t level, uint32_t block) {
  struct Knot {
    double level, spread;
  };
  constexpr Knot kKnots[] = {
      {0, 4096}, {7, 4096}, {11, 2048}, {26, 256}, {40, 224}, {106, 224}, {118, 640}, {127, 640}};
  const auto at = static_cast<double>(level);
  const Knot* above = std::begin(kKnots) + 1;
  while (above->level < at) ++above;
  const Knot& below = above[-1];
  const double part = (at - below.level) / (above->level - below.level);
  const double spread = below.spread + part * (above->spread - below.spread);
  if (block >= 24) return level < 26 ? spread : 0;
  return block < 12 ? std::max(spread, 1280.0) : spread;
}

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
  return penalty + 10 * excess(std::abs(point[kSpreadIndex]) - 0.5);
}

/// The same row in its plainest_row form, so that rows can be averaged.
Point plainest_row(Point point) {
  for (const KindPart& part : kKindParts) {
    const std::span weights = std::span(point).subspan(part.first, part.targets.size());
    const double sum = sum_of_sizes(weights);
    for (double& w : weights) w = std::abs(w) / sum;
  }
  point[kSpreadIndex] = std::abs(point[kSpreadIndex]);
  return point;
}

}  // namespace

PinwheelLook look(const Rendered& rendered) {
  static const std::vector<float> kFine = gaussian(1.5);
  static const std::vector<float> kFineToCoarse = gaussian(std::sqrt(3.0 * 3.0 - 1.5 * 1.5) / 2);
  const ErrorField fine = blurred(rendered.field, kFine, 2);
  // Every other pixel again, where the blocks fit.
  const ErrorField coarse = blurred(fine, kFineToCoarse, fine.width % 2 == 0 ? 2 : 1);
  PinwheelLook result;
  result.fine = std::sqrt(mean_square(fine));
  result.coarse = std::sqrt(mean_square(coarse));
  double sum = 0;
  for (const Reals& error : rendered.field.errors) {
    for (const float lane : error.lane) sum += static_cast<double>(lane);
  }
  result.mean_bias = 255 * sum / static_cast<double>(rendered.field.errors.size() * kLanes);
  result.largest_error = rendered.largest_error;
  return result;
}

Level untrained_row() {
  Level row{{{{10240, 10240, 6144, 6144},
              {14336, 10240, 2048, 6144},
              {17646, 12602, 2520, 0},
              {28672, 0, 4096, 0}}},
            {}};
  row.thresholds.fill(2048);
  return row;
}

double cost(const Rendered& rendered) {
  const PinwheelLook seen = look(rendered);
  return seen.fine / kFineScale + seen.coarse / kCoarseScale +
         20 * excess(seen.largest_error / 4096.0 - kLargeError);
}

PinwheelTrainer::PinwheelTrainer(const std::vector<uint32_t>& blocks, uint32_t seed) : seed_(seed) {
  for (const uint32_t block : blocks) models_.emplace_back(block, seed);
}

double PinwheelTrainer::cost(size_t level, const Level& row) const {
  const Integers tones = tones_of_level(level);
  double sum = 0;
  for (const PinwheelModel& model : models_) sum += train::cost(model.render(tones, row));
  return sum / static_cast<double>(models_.size());
}

void PinwheelTrainer::balance(size_t level, Level& row) const {
  constexpr int kRounds = 40;
  constexpr double kLeastDensity = 0.05;  // of sums near the threshold, per dot
  constexpr double kMostChange = 150;
  const Integers tones = tones_of_level(level);
  std::array<double, pinwheel::kThresholdClasses> thresholds{}, means{};
  for (int round = 0; round <= kRounds; ++round) {
    std::array<ClassSums, pinwheel::kThresholdClasses> sums{};
    for (const PinwheelModel& model : models_) {
      const Rendered seen =
          round == 0 ? model.render_balanced(tones, row) : model.render(tones, row);
      for (size_t c = 0; c < sums.size(); ++c) {
        sums[c].pixels += seen.classes[c].pixels;
        sums[c].error += seen.classes[c].error;
        sums[c].near += seen.classes[c].near;
        sums[c].thresholds += seen.classes[c].thresholds;
      }
    }
    for (size_t c = 0; c < sums.size(); ++c) {
      if (sums[c].pixels == 0) {
        thresholds[c] = means[c] = 2048;
      } else if (round == 0) {
        thresholds[c] = sums[c].thresholds / sums[c].pixels;
      } else {
        const double mean = 4096 * sums[c].error / sums[c].pixels;
        const double density = sums[c].near / sums[c].pixels * 4096 / (2 * kNear);
        thresholds[c] -=
            std::clamp(0.5 * mean / std::max(kLeastDensity, density), -kMostChange, kMostChange);
      }
      // The mean over the second half of the rounds.
      if (2 * round > kRounds) means[c] += 2 * thresholds[c] / kRounds;
      const double threshold = round == kRounds ? means[c] : thresholds[c];
      row.thresholds[c] = static_cast<int16_t>(std::lround(std::clamp(
          threshold, -1.0 * pinwheel::kMostThreshold, 4096.0 + pinwheel::kMostThreshold)));
    }
  }
}

Point PinwheelTrainer::untrained(size_t) {
  const Level plain = untrained_row();
  Point point;
  for (const KindPart& part : kKindParts) {
    for (const size_t target : part.targets) {
      point.push_back(plain.weights[part.kind][target] / 32768.0);
    }
  }
  point.push_back(0.05);
  return point;
}

Level PinwheelTrainer::row(size_t level, const Point& point) const {
  const uint32_t block = models_.front().block();
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
  const double spread = std::max(least_spread(level, block), 4096 * std::abs(point[kSpreadIndex]));
  row.spread = static_cast<int16_t>(std::min<long>(std::lround(spread), pinwheel::kMostSpread));
  return row;
}

Point PinwheelTrainer::train(const LevelTask& task, uint32_t evaluations) const {
  const Integers tones = tones_of_level(task.level);
  const auto total = [&](const Point& point) {
    const Rendered seen = models_.front().render_balanced(tones, row(task.level, point));
    return train::cost(seen) + row_penalty(point) + with_pull(0, point, task);
  };
  return plainest_row(train_level(task, evaluations, seed_, 0.07, total));
}

}  // namespace mezzo::train
