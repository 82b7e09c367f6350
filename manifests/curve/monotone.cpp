#include "manifests/curve/monotone.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "kernels/base/error.h"

namespace mezzo::curve {
namespace {

struct Block {
  double mean = 0;
  double weight = 0;
  size_t count = 0;
};

/// The slope at an end, of the parabola through three points, kept from overshooting. `h` are widths
/// and `d` slopes of the pieces, the outer one first.
double end_slope(double h0, double h1, double d0, double d1) {
  const double slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
  if (slope * d0 <= 0) return 0;
  if (d0 * d1 <= 0 && std::abs(slope) > 3 * std::abs(d0)) return 3 * d0;
  return slope;
}

double rounded(double value) {
  return std::round(value * 1000) / 1000;
}

/// The samples between `begin` and `end` and the one farthest from the line between these.
struct Piece {
  size_t begin = 0, end = 0, farthest = 0;
  double distance = 0;
  bool operator<(const Piece& other) const { return distance < other.distance; }
};

Piece piece_of(const std::vector<CurvePoint>& samples, size_t begin, size_t end) {
  Piece piece{begin, end, begin, 0};
  const CurvePoint ends[] = {samples[begin], samples[end]};
  for (size_t i = begin + 1; i < end; ++i) {
    const double distance =
        std::abs(samples[i].out_percent - value_at(ends, samples[i].in_percent));
    if (distance > piece.distance) piece = {begin, end, i, distance};
  }
  return piece;
}

}  // namespace

std::vector<double> isotonic(std::span<const double> values, std::span<const double> weights) {
  MZ_ASSERT(values.size() == weights.size());
  std::vector<Block> blocks;
  for (size_t i = 0; i < values.size(); ++i) {
    blocks.push_back({values[i], weights[i], 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean > blocks.back().mean) {
      const Block last = blocks.back();
      blocks.pop_back();
      Block& into = blocks.back();
      const double weight = into.weight + last.weight;
      into = {(into.mean * into.weight + last.mean * last.weight) / weight,
              weight,
              into.count + last.count};
    }
  }
  std::vector<double> rising;
  for (const Block& block : blocks) rising.insert(rising.end(), block.count, block.mean);
  return rising;
}

MonotoneCubic::MonotoneCubic(std::vector<double> x, std::vector<double> y)
    : x_(std::move(x)), y_(std::move(y)), slope_(x_.size()) {
  const size_t count = x_.size();
  MZ_ASSERT(count >= 2 && y_.size() == count);
  std::vector<double> h, d;
  for (size_t i = 0; i + 1 < count; ++i) {
    MZ_ASSERT(x_[i] < x_[i + 1]);
    h.push_back(x_[i + 1] - x_[i]);
    d.push_back((y_[i + 1] - y_[i]) / h.back());
  }
  if (count == 2) {
    slope_ = {d[0], d[0]};
    return;
  }
  for (size_t i = 1; i + 1 < count; ++i) {
    if (d[i - 1] * d[i] <= 0) continue;  // 0
    const double a = 2 * h[i] + h[i - 1], b = h[i] + 2 * h[i - 1];
    slope_[i] = (a + b) / (a / d[i - 1] + b / d[i]);
  }
  slope_.front() = end_slope(h[0], h[1], d[0], d[1]);
  slope_.back() = end_slope(h[count - 2], h[count - 3], d[count - 2], d[count - 3]);
}

double MonotoneCubic::at(double x) const {
  if (x <= x_.front()) return y_.front();
  if (x >= x_.back()) return y_.back();
  const auto i = static_cast<size_t>(std::ranges::upper_bound(x_, x) - x_.begin() - 1);
  const double h = x_[i + 1] - x_[i], t = (x - x_[i]) / h, u = 1 - t;
  return u * u * ((1 + 2 * t) * y_[i] + t * h * slope_[i]) +
         t * t * ((1 + 2 * u) * y_[i + 1] - u * h * slope_[i + 1]);
}

double value_at(std::span<const CurvePoint> points, double in_percent) {
  const auto next = std::ranges::upper_bound(points, in_percent, {}, &CurvePoint::in_percent);
  if (next == points.begin()) return next->out_percent;
  const CurvePoint& a = *std::prev(next);
  if (next == points.end()) return a.out_percent;
  return a.out_percent + (next->out_percent - a.out_percent) * (in_percent - a.in_percent) /
                             (next->in_percent - a.in_percent);
}

std::vector<CurvePoint> few_points(const std::function<double(double)>& curve,
                                   double tolerance,
                                   size_t most) {
  constexpr size_t kSamples = 1000;
  std::vector<CurvePoint> samples;
  for (size_t i = 0; i <= kSamples; ++i) {
    const double in = 100.0 * static_cast<double>(i) / kSamples;
    samples.push_back({in, curve(in)});
  }
  std::vector<size_t> kept = {0, kSamples};
  std::priority_queue<Piece> pieces;
  pieces.push(piece_of(samples, 0, kSamples));
  while (kept.size() < most && pieces.top().distance > tolerance) {
    const Piece piece = pieces.top();
    pieces.pop();
    kept.push_back(piece.farthest);
    pieces.push(piece_of(samples, piece.begin, piece.farthest));
    pieces.push(piece_of(samples, piece.farthest, piece.end));
  }
  std::ranges::sort(kept);
  std::vector<CurvePoint> points;
  for (const size_t i : kept) {
    const double last = points.empty() ? 0 : points.back().out_percent;
    points.push_back({samples[i].in_percent, std::max(last, rounded(samples[i].out_percent))});
  }
  return points;
}

}  // namespace mezzo::curve
