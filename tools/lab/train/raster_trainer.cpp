#include "tools/lab/train/raster_trainer.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "kernels/quality/wsnr.h"
#include "tools/lab/train/levels.h"
#include "tools/lab/train/raster_pages.h"

namespace mezzo::train {
namespace {

using diffusion::ToneEntry;
using diffusion::ToneRows;
using diffusion::ToneTable;

/// A point holds the four weights, then middle and half width of the thresholds, as parts of one.
constexpr size_t kWeights = 4, kMiddle = 4, kHalf = 5;
constexpr size_t kPageSize = 128, kStartRows = 16;
/// Rows and columns that are left out at the borders, and more at the top, where pages start.
constexpr size_t kSide = 16, kTop = 40;
/// The side of the square whose spectrum is looked at.
constexpr size_t kTested = 64;
constexpr double kLeastOfEntry = 1 / 64.0;
/// The noise that sets apart the dots of inks, whose noise differs: the least half width of the
/// thresholds, and that of tones whose patterns are so regular that little noise does not move them
/// (1/6, 1/4, 1/3 and 1/2), which falls to nothing within so many levels.
constexpr double kLeastHalf = 0.015, kLeastHalfOfRegular = 0.06;
constexpr double kRegularLevels[] = {42.5, 63.75, 85, 127.5}, kReachOfRegular = 6;
constexpr double kFirstStep = 0.06;
constexpr uint32_t kRounds = 8;
constexpr size_t kPictures = 2;  ///< sets of pages
/// The weight of the pull to the line between the neighbouring knots.
constexpr double kPull = 1, kPullOfMiddle = 10;

double sum_of_weights(const Point& point) {
  return sum_of_sizes(std::span(point).first(kWeights));
}

double half_width(size_t level, const Point& point) {
  double half = std::max(kLeastHalf, std::abs(point[kHalf]));
  for (const double regular : kRegularLevels) {
    const double distance = std::abs(static_cast<double>(level) - regular);
    half = std::max(half, kLeastHalfOfRegular * (1 - distance / kReachOfRegular));
  }
  return half;
}

double point_penalty(size_t level, const Point& point) {
  // A point and its multiples are the same entry: the sum is 1.
  return square(sum_of_weights(point) - 1) +
         threshold_cost(point[kMiddle], half_width(level, point), kLeastOfEntry);
}

Point plainest_point(Point point) {
  const double sum = sum_of_weights(point);
  for (size_t i = 0; i < kWeights; ++i) point[i] = std::abs(point[i]) / sum;
  point[kHalf] = std::abs(point[kHalf]);
  return point;
}

ToneEntry entry(size_t level, const Point& point) {
  const double sum = sum_of_weights(point), half = half_width(level, point);
  const auto weight = [&](size_t i) {
    return static_cast<uint16_t>(std::lround(4095 * std::abs(point[i]) / sum));
  };
  // 4095, as three roundings can add 1.5: the sum is at most 4096.
  return {weight(0),
          weight(1),
          weight(2),
          threshold(level, point[kMiddle] - half, kLeastOfEntry),
          threshold(level, point[kMiddle] + half, kLeastOfEntry)};
}

/// On the line between two points, `part` of the way.
Point between(const Point& from, const Point& to, double part) {
  Point point = from;
  for (size_t i = 0; i < point.size(); ++i) point[i] += part * (to[i] - from[i]);
  return point;
}

double part_of_way(size_t from, size_t at, size_t to) {
  return static_cast<double>(at - from) / static_cast<double>(to - from);
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
Window inside(size_t page, size_t step) {
  return {kSide / step, kTop / step, (page - kSide) / step, (page - kSide) / step};
}

/// A metric, and the part of Floyd-Steinberg's that it is to be below.
struct Target {
  double RasterLook::*metric;
  double part;
};
constexpr Target kTargets[] = {{&RasterLook::finest, 0.97},
                               {&RasterLook::fine, 0.96},
                               {&RasterLook::coarse, 0.95},
                               {&RasterLook::weighted, 0.97},
                               {&RasterLook::start_rms, 0.92}};

/// The visible error relative to Floyd-Steinberg's. To miss a target costs more than that can bring
/// in another metric.
double relative_error(const RasterLook& seen, const RasterLook& plain) {
  double sum = 0;
  for (const auto& [metric, part] : kTargets) {
    const double ratio = seen.*metric / std::max(plain.*metric, 1e-3);
    sum += ratio + 40 * excess(ratio - part);
  }
  return sum;
}

/// What flat tints show more clearly than pictures.
double flat_cost(const RasterLook& seen, const RasterLook& plain, size_t level) {
  const double ratio = seen.anisotropy / std::max(plain.anisotropy, 1e-3);
  // In highlights a page must not start a quarter too light, and nowhere by two levels.
  const double start = seen.start_bias / std::clamp(0.25 * static_cast<double>(level), 0.5, 2.0);
  return 0.5 * ratio + 20 * excess(ratio - 1) + square(start) + 0.5 * square(seen.bias / 0.1);
}

/// The pages of a knot, and how Floyd-Steinberg looks on them.
class KnotPages {
 public:
  KnotPages(const RasterModel& model, size_t knot, uint32_t seed)
      : model_(model), level_(kKnots[knot]) {
    const auto tone = [](size_t level) { return static_cast<int>((level * 4096 + 127) / 255); };
    const size_t last_knot = kKnots.size() - 1;
    const int first = tone(knot == 0 ? level_ : (kKnots[knot - 1] + level_) / 2);
    const int last = tone(knot == last_knot ? level_ + 1 : (kKnots[knot + 1] + level_ + 1) / 2);
    flat_ = flat_pages(model.size(), first, last);
    plain_flat_ = look(model, flat_, floyd_steinberg_table());
    for (size_t i = 0; i < kPictures; ++i) {
      const size_t number = i * kKnots.size() + knot;
      pictures_[i] = picture_pages(model.size(), first, last, seed + static_cast<uint32_t>(number));
      plain_pictures_[i] = look(model, pictures_[i], floyd_steinberg_table());
    }
  }

  double cost(const ToneTable& table) const {
    const RasterLook flat = look(model_, flat_, table);
    double sum = relative_error(flat, plain_flat_) + flat_cost(flat, plain_flat_, level_);
    for (size_t i = 0; i < kPictures; ++i) {
      sum += relative_error(look(model_, pictures_[i], table), plain_pictures_[i]);
    }
    return sum;
  }

 private:
  const RasterModel& model_;
  size_t level_;
  IntegerField flat_;
  RasterLook plain_flat_;
  std::array<IntegerField, kPictures> pictures_;
  std::array<RasterLook, kPictures> plain_pictures_;
};

/// Where the neighbours have a knot: on the line between them; at an end its own place.
Point line_at(const std::vector<Point>& points, size_t knot) {
  if (knot == 0 || knot + 1 == points.size()) return points[knot];
  const double part = part_of_way(kKnots[knot - 1], kKnots[knot], kKnots[knot + 1]);
  return between(points[knot - 1], points[knot + 1], part);
}

Point train_knot(const KnotPages& pages,
                 const std::vector<Point>& points,
                 size_t knot,
                 const Search& search) {
  const Point line = line_at(points, knot);
  std::vector<Point> tried = points;
  const auto total = [&](const Point& point) {
    tried[knot] = point;
    double sum = point_penalty(kKnots[knot], point);
    for (size_t i = 0; i < point.size(); ++i) {
      sum += (i == kMiddle ? kPullOfMiddle : kPull) * square(point[i] - line[i]);
    }
    return sum + pages.cost(mirrored_table(RasterTrainer::rows(tried)));
  };
  return plainest_point(minimise(total, points[knot], search).at);
}

}  // namespace

RasterLook look(const RasterModel& model, const IntegerField& tones, const ToneTable& table) {
  static const std::vector<float> kFinest = gaussian(1), kFine = gaussian(1.5);
  static const std::vector<float> kFineToCoarse = gaussian(std::sqrt(3.0 * 3.0 - 1.5 * 1.5) / 2);
  const ErrorField field = model.render(tones, table);
  const ErrorField finest = blurred(field, kFinest, 2), fine = blurred(field, kFine, 2);
  const ErrorField coarse = blurred(fine, kFineToCoarse, 2);
  const size_t page = model.size();
  RasterLook result;
  result.finest = std::sqrt(mean_square(finest, inside(page, 2)));
  result.fine = std::sqrt(mean_square(fine, inside(page, 2)));
  result.coarse = std::sqrt(mean_square(coarse, inside(page, 4)));
  static const std::vector<double> kSensitivity = quality::squared_sensitivity(kTested, kTested);
  const Window tested = {(page - kTested) / 2, kTop, (page + kTested) / 2, kTop + kTested};
  result.weighted = std::sqrt(filtered_mean_square(field, tested, kSensitivity));
  result.anisotropy = anisotropy(fine, inside(page, 2));
  result.bias = mean_error(field, kTop, page);
  result.start_bias = mean_error(field, 0, kStartRows);
  const Window start = {kSide / 2, 0, (page - kSide) / 2, kStartRows / 2};
  result.start_rms = std::sqrt(mean_square(fine, start));
  return result;
}

ToneTable floyd_steinberg_table() {
  ToneTable table;
  table.fill({7 * 256, 3 * 256, 5 * 256, 2048, 2048});
  return table;
}

RasterTrainer::RasterTrainer(uint32_t seed) : model_(kPageSize, seed), seed_(seed) {}

double RasterTrainer::cost(size_t knot, const ToneTable& table) const {
  return KnotPages(model_, knot, seed_).cost(table);
}

std::vector<Point> RasterTrainer::untrained() {
  std::vector<Point> points;
  for (const size_t level : kKnots) {
    // Highlights need thresholds that the first rows of a page get to.
    const double middle = 0.36 + 0.14 * static_cast<double>(level) / kKnots.back();
    points.push_back({7 / 16.0, 3 / 16.0, 5 / 16.0, 1 / 16.0, middle, 0.01});
  }
  return points;
}

ToneRows RasterTrainer::rows(const std::vector<Point>& points) {
  std::vector<Point> plain(points.size());
  std::ranges::transform(points, plain.begin(), plainest_point);
  ToneRows rows{};
  rows[0] = entry(0, plain[0]);
  for (size_t level = kKnots[0], above = 1; level < rows.size(); ++level) {
    if (level > kKnots[above]) ++above;
    const double part = part_of_way(kKnots[above - 1], level, kKnots[above]);
    rows[level] = entry(level, between(plain[above - 1], plain[above], part));
  }
  return rows;
}

std::vector<Point> RasterTrainer::train(uint32_t evaluations, unsigned threads) const {
  std::vector<Point> points = untrained();
  for (uint32_t round = 0; round < kRounds; ++round) {
    for (size_t first = 0; first < 2; ++first) {
      std::vector<Point> trained = points;
      in_parallel((kKnots.size() - first + 1) / 2, threads, [&](size_t i) {
        const size_t knot = 2 * i + first;
        const uint32_t seed = seed_ + 100 * round;
        const KnotPages pages(model_, knot, seed);
        trained[knot] =
            train_knot(pages,
                       points,
                       knot,
                       {kFirstStep / (1 + round), evaluations, seed + static_cast<uint32_t>(knot)});
      });
      points = trained;
    }
  }
  return points;
}

}  // namespace mezzo::train
