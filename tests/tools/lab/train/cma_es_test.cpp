#include "tools/lab/train/cma_es.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mezzo::train::cma_es_test {
namespace {

/// Rosenbrock's valley: curved, narrow, 0 at (1, 1, ...).
double rosenbrock(const Point& p) {
  double sum = 0;
  for (size_t i = 0; i + 1 < p.size(); ++i) {
    sum += 100 * std::pow(p[i + 1] - p[i] * p[i], 2) + std::pow(1 - p[i], 2);
  }
  return sum;
}

/// Its axes differ a thousandfold and are turned against the coordinates; 0 at (2, -1, 0.5).
double turned_ellipsoid(const Point& p) {
  const double a = p[0] - 2, b = p[1] + 1, c = p[2] - 0.5;
  return std::pow(a + b + c, 2) + 1e3 * std::pow(a - b, 2) + 1e6 * std::pow(a + b - 2 * c, 2);
}

TEST(CmaEs, FindsTheEndOfACurvedValley) {
  const Minimum found = minimise(rosenbrock, Point(5, -0.5), {0.3, 8000, 1});
  EXPECT_LT(found.value, 1e-8);
  for (const double v : found.at) EXPECT_NEAR(v, 1, 1e-3);
}

TEST(CmaEs, LearnsTheShapeOfTheFunction) {
  const Minimum found = minimise(turned_ellipsoid, Point(3), {0.3, 3000, 1});
  EXPECT_NEAR(found.at[0], 2, 1e-4);
  EXPECT_NEAR(found.at[1], -1, 1e-4);
  EXPECT_NEAR(found.at[2], 0.5, 1e-4);
}

TEST(CmaEs, GetsDownStairs) {
  const auto stairs = [](const Point& p) {
    return std::floor(20 * std::abs(p[0] - 3)) + std::floor(20 * std::abs(p[1] + 2));
  };
  EXPECT_EQ(minimise(stairs, {0, 0}, {0.3, 2000, 1}).value, 0);
}

TEST(CmaEs, KeepsToTheNumberOfEvaluations) {
  uint32_t calls = 0;
  const auto counted = [&](const Point& p) {
    ++calls;
    return rosenbrock(p);
  };
  minimise(counted, Point(4, 0), {0.3, 100, 1});
  EXPECT_LE(calls, 100U);
  EXPECT_GT(calls, 90U);
}

TEST(CmaEs, NeverEndsWorseThanItsStart) {
  // Nothing around the start is better.
  const auto needle = [](const Point& p) { return p == Point{1, 1} ? 0.0 : 1 + p[0] * p[0]; };
  EXPECT_EQ(minimise(needle, {1, 1}, {0.3, 500, 1}).at, (Point{1, 1}));
}

TEST(CmaEs, IsRepeatableAndSeeded) {
  const Search search{0.3, 500, 7};
  EXPECT_EQ(minimise(rosenbrock, Point(5, 0), search).at,
            minimise(rosenbrock, Point(5, 0), search).at);
  EXPECT_NE(minimise(rosenbrock, Point(5, 0), search).at,
            minimise(rosenbrock, Point(5, 0), {0.3, 500, 8}).at);
}

}  // namespace
}  // namespace mezzo::train::cma_es_test
