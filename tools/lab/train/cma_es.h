// Minimisation of a function that has no gradient and may have steps: CMA-ES, the evolution
// strategy with covariance matrix adaptation (N. Hansen, "The CMA Evolution Strategy: A Tutorial",
// 2016).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace mezzo::train {

using Point = std::vector<double>;

struct Minimum {
  Point at;
  double value = 0;
};

struct Search {
  double step = 0.1;            ///< how far the first points lie from the start, in each coordinate
  uint32_t evaluations = 1000;  ///< of the function, at most
  uint32_t seed = 1;
};

/// The best point found, the start included. The same arguments give the same point.
Minimum minimise(const std::function<double(const Point&)>& function,
                 const Point& start,
                 const Search& search);

}  // namespace mezzo::train
