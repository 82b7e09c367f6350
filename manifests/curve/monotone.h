// Rising sequences and rising curves.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "kernels/band/tone_settings.h"

namespace mezzo::curve {

/// The rising (never falling) sequence nearest to `values` by least squares, each with its weight above
/// 0: isotonic regression by pooling adjacent violators.
std::vector<double> isotonic(std::span<const double> values, std::span<const double> weights);

/// The cubic through points whose slopes follow Fritsch and Carlson (1980) and Fritsch and Butland (1984):
/// it rises where the points rise, and never overshoots. It is what scipy calls PCHIP.
class MonotoneCubic {
 public:
  /// At least two points; x strictly rising.
  MonotoneCubic(std::vector<double> x, std::vector<double> y);

  /// Beyond the first and the last point it is held.
  double at(double x) const;

 private:
  std::vector<double> x_, y_, slope_;
};

/// Straight lines between points, held beyond the ends; at least one point, in_percent strictly rising.
double value_at(std::span<const CurvePoint> points, double in_percent);

/// As few points, and at most `most`, as keep straight lines between them within `tolerance` of a curve
/// from 0 to 100 percent, where `most` allows; rounded to 0.001 and never falling. The ends are points.
std::vector<CurvePoint> few_points(const std::function<double(double)>& curve,
                                   double tolerance,
                                   size_t most);

}  // namespace mezzo::curve
