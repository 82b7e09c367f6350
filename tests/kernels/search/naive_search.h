// Search halftoning of one plane, as its definition reads: least error search in whole (LES) or in
// part (PES), and direct binary search (DBS). Each candidate's error is counted anew from the bits;
// nothing is carried from window to window or skipped. What a page asks for does not depend on bits
// and is worked out once. Every fast way must give these bits.
//
// Slow: a window of m x m pixels is 2^(m*m) candidates, so think of pages of some ten pixels.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numbers>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/base/noise.h"

namespace mezzo::test {

/// A plane of coverage 0 .. 4096, row by row.
struct Tones {
  uint32_t width = 0, height = 0;
  std::vector<int> values;

  int rows() const { return static_cast<int>(height); }
  int columns() const { return static_cast<int>(width); }
  bool has(int y, int x) const { return y >= 0 && y < rows() && x >= 0 && x < columns(); }
  size_t index(int y, int x) const {
    return static_cast<size_t>(y) * width + static_cast<size_t>(x);
  }
};

using NaiveBits = std::vector<uint8_t>;  ///< a byte a pixel, row by row; 1 is ink

/// Weights of the pixels about one, |dy|, |dx| <= radius; they sum to 16384 and K(d) = K(-d).
struct NaiveEye {
  int radius = 1;
  std::vector<int> weights;  ///< row by row

  /// 0 outside the radius.
  int at(int dy, int dx) const {
    if (std::abs(dy) > radius || std::abs(dx) > radius) return 0;
    return weights[size_t(dy + radius) * size_t(2 * radius + 1) + size_t(dx + radius)];
  }

  /// C(dy, dx): sum of K(p) K(p + d) over all points p.
  int64_t autocorrelation(int dy, int dx) const {
    int64_t sum = 0;
    for (int y = -radius; y <= radius; ++y) {
      for (int x = -radius; x <= radius; ++x) sum += int64_t{at(y, x)} * at(y + dy, x + dx);
    }
    return sum;
  }

  static NaiveEye gaussian(int radius, double sigma) {
    return rounded(radius,
                   [=](int y, int x) { return std::exp(-(y * y + x * x) / (2 * sigma * sigma)); });
  }

  /// `scale` is S, dots an inch times inches from the eye.
  static NaiveEye nasanen(int radius, double scale) {
    constexpr double kPi = std::numbers::pi;
    const double k = (kPi * scale / 180) / (0.525 * std::log(11.0) + 3.91);
    return rounded(radius, [=](int y, int x) {
      const double d = std::sqrt(y * y + x * x);
      const double taper = std::clamp(radius + 1 - d, 0.0, 1.0);
      return taper * std::pow(k * k + 4 * kPi * kPi * (y * y + x * x), -1.5);
    });
  }

 private:
  static NaiveEye rounded(int radius, const std::function<double(int, int)>& value) {
    double whole = 0;
    for (int y = -radius; y <= radius; ++y) {
      for (int x = -radius; x <= radius; ++x) whole += value(y, x);
    }
    NaiveEye eye{radius, {}};
    int64_t others = 0;
    for (int y = -radius; y <= radius; ++y) {
      for (int x = -radius; x <= radius; ++x) {
        const auto weight = static_cast<int>(std::llround(value(y, x) / whole * 16384));
        eye.weights.push_back(weight);
        if (y != 0 || x != 0) others += weight;
      }
    }
    eye.weights[eye.weights.size() / 2] = static_cast<int>(16384 - others);
    return eye;
  }
};

inline NaiveBits naive_random_start(const Tones& tones, uint32_t seed, uint32_t plane) {
  NaiveBits bits;
  for (uint32_t y = 0; y < tones.height; ++y) {
    for (uint32_t x = 0; x < tones.width; ++x) {
      const auto noise = static_cast<int>(pixel_noise(seed, plane, y, x) >> 20);
      bits.push_back(noise < tones.values[size_t{y} * tones.width + x]);
    }
  }
  return bits;
}

inline NaiveBits naive_floyd_steinberg_start(const Tones& tones) {
  NaiveBits bits;
  std::vector<int> errors(tones.values.size());
  const auto error = [&](int y, int x) { return tones.has(y, x) ? errors[tones.index(y, x)] : 0; };
  for (int y = 0; y < tones.rows(); ++y) {
    for (int x = 0; x < tones.columns(); ++x) {
      const int collected =
          7 * error(y, x - 1) + error(y - 1, x - 1) + 5 * error(y - 1, x) + 3 * error(y - 1, x + 1);
      const int s = tones.values[tones.index(y, x)] + ((collected + 8) >> 4);
      bits.push_back(s >= 2048);
      errors[tones.index(y, x)] = s - (s >= 2048 ? 4096 : 0);
    }
  }
  return bits;
}

enum class NaiveUntil { kConverged, kSettled };

/// What all searches have in common.
struct NaiveSearch {
  NaiveEye eye;
  int cell = 0;    ///< q: side of the cells, see is_legal_cell()
  int rounds = 0;  ///< at most; 0: no limit
  NaiveUntil until = NaiveUntil::kConverged;
  bool backwards = false;  ///< cells of a group in reverse order: must give the same bits
};

struct NaiveSearchResult {
  NaiveBits bits;
  std::vector<int64_t> errors;  ///< the start's, then after each round
};

/// Sum of K(d) over the pixels (y, x) + d of the page for which `counts` holds.
template <class Counts>
int64_t naive_seen(const Tones& tones, const NaiveEye& eye, int y, int x, Counts&& counts) {
  const int r = eye.radius;
  const int top = std::max(y - r, 0), bottom = std::min(y + r, tones.rows() - 1);
  const int left = std::max(x - r, 0), right = std::min(x + r, tones.columns() - 1);
  int64_t sum = 0;
  for (int row = top; row <= bottom; ++row) {
    const int* weight = eye.weights.data() + (row - y + r) * (2 * r + 1) + (left - x + r);
    size_t i = tones.index(row, left);
    for (int column = left; column <= right; ++column) sum += int64_t{*weight++} * counts(i++);
  }
  return sum;
}

/// Pixels top <= y < bottom, left <= x < right; of itself everything.
struct NaiveBox {
  static constexpr int kFar = std::numeric_limits<int>::max();
  int top = -kFar, left = -kFar, bottom = kFar, right = kFar;
};

/// M: what of the eye's weights lies on the page.
inline int64_t naive_mass(const Tones& tones, const NaiveEye& eye, int y, int x) {
  return naive_seen(tones, eye, y, x, [](size_t) { return 1; });
}

/// Rounds of `visit(y, x)` for places 0 <= y < rows, 0 <= x < columns, by cells of four groups.
/// A round that changes nothing is always the last one.
template <class Error, class Visit>
NaiveSearchResult naive_rounds(
    NaiveBits& bits, int rows, int columns, const NaiveSearch& how, Error&& error, Visit&& visit) {
  NaiveSearchResult result{{}, {error()}};
  for (int round = 1; how.rounds == 0 || round <= how.rounds; ++round) {
    const NaiveBits before = bits;  // NOLINT(performance-*): visit() changes the bits
    for (int group = 0; group < 4; ++group) {
      std::vector<std::pair<int, int>> cells;
      for (int y = group / 2 * how.cell; y < rows; y += 2 * how.cell) {
        for (int x = group % 2 * how.cell; x < columns; x += 2 * how.cell) cells.push_back({y, x});
      }
      if (how.backwards) std::reverse(cells.begin(), cells.end());
      for (const auto& [top, left] : cells) {
        for (int y = top; y < std::min(top + how.cell, rows); ++y) {
          for (int x = left; x < std::min(left + how.cell, columns); ++x) visit(y, x);
        }
      }
    }
    const int64_t last = result.errors.back(), now = error();
    result.errors.push_back(now);
    if (bits == before) break;
    if (how.until == NaiveUntil::kSettled && 200 * (last - now) < last) break;
  }
  result.bits = bits;
  return result;
}

struct NaiveLes : NaiveSearch {
  int window = 3;        ///< m, 2 .. 5; the time doubles with each pixel of a window
  bool partial = false;  ///< PES

  bool is_legal_cell() const { return cell >= 2 * eye.radius + window - 1; }
};

/// What the eye should see at a pixel.
inline int64_t naive_target(const Tones& tones, const NaiveEye& eye, int y, int x) {
  return (tones.values[tones.index(y, x)] * naive_mass(tones, eye, y, x) + 2048) >> 12;
}

/// The targets of all pixels, row by row.
inline std::vector<int64_t> naive_targets(const Tones& tones, const NaiveEye& eye) {
  std::vector<int64_t> targets;
  for (int y = 0; y < tones.rows(); ++y) {
    for (int x = 0; x < tones.columns(); ++x) targets.push_back(naive_target(tones, eye, y, x));
  }
  return targets;
}

/// The signed error of a pixel.
inline int64_t naive_error(
    const Tones& tones, const NaiveBits& bits, const NaiveEye& eye, int y, int x) {
  return naive_target(tones, eye, y, x) -
         naive_seen(tones, eye, y, x, [&](size_t i) { return bits[i]; });
}

/// Sum of |error| over the part of the page within `box`.
inline int64_t naive_total_error(const Tones& tones,
                                 const NaiveBits& bits,
                                 const NaiveEye& eye,
                                 const std::vector<int64_t>& targets,
                                 NaiveBox box) {
  int64_t sum = 0;
  for (int y = std::max(box.top, 0); y < std::min(box.bottom, tones.rows()); ++y) {
    for (int x = std::max(box.left, 0); x < std::min(box.right, tones.columns()); ++x) {
      const int64_t seen = naive_seen(tones, eye, y, x, [&](size_t i) { return bits[i]; });
      sum += std::abs(targets[tones.index(y, x)] - seen);
    }
  }
  return sum;
}

/// Of the page.
inline int64_t naive_total_error(const Tones& tones, const NaiveBits& bits, const NaiveEye& eye) {
  return naive_total_error(tones, bits, eye, naive_targets(tones, eye), {});
}

/// A pattern of a window and what it costs, ordered by (error, difference).
struct NaiveChoice {
  int64_t error = std::numeric_limits<int64_t>::max();
  uint32_t difference = 0;  ///< pattern XOR current
  uint32_t pattern = 0;     ///< the window's first pixel is the most significant bit
  bool operator<(const NaiveChoice& b) const {
    return std::tie(error, difference) < std::tie(b.error, b.difference);
  }
};

/// What a search does with the best pattern of each number of ones, 0 .. best.size() - 1.
inline NaiveChoice naive_choose(const std::vector<NaiveChoice>& best, size_t ones, bool partial) {
  if (!partial) return *std::min_element(best.begin(), best.end());
  size_t at = ones;
  if (ones > 0 && best[ones - 1] < best[at]) at = ones - 1;
  if (ones + 1 < best.size() && best[ones + 1] < best[at]) at = ones + 1;
  if (at == ones) return best[at];
  const bool up = at > ones;
  while (up ? at + 1 < best.size() : at > 0) {
    const size_t next = up ? at + 1 : at - 1;
    if (best[next].error >= best[at].error) break;
    at = next;
  }
  return best[at];
}

inline NaiveSearchResult naive_les(const Tones& tones, NaiveBits bits, const NaiveLes& how) {
  const int rows = std::min(how.window, tones.rows());
  const int columns = std::min(how.window, tones.columns());
  const int reach = how.eye.radius, pixels = rows * columns;
  const std::vector<int64_t> targets = naive_targets(tones, how.eye);
  const auto search = [&](int top, int left) {
    const NaiveBox affected = {
        top - reach, left - reach, top + rows + reach, left + columns + reach};
    const auto pixel = [&](int i) -> uint8_t& {
      return bits[tones.index(top + i / columns, left + i % columns)];
    };
    uint32_t current = 0;
    for (int i = 0; i < pixels; ++i) current = 2 * current + pixel(i);
    const auto set = [&](uint32_t pattern) {
      for (int i = 0; i < pixels; ++i) pixel(i) = pattern >> (pixels - 1 - i) & 1;
    };
    std::vector<NaiveChoice> best(static_cast<size_t>(pixels) + 1);
    for (uint32_t pattern = 0; pattern < uint32_t{1} << pixels; ++pattern) {
      set(pattern);
      const int64_t error = naive_total_error(tones, bits, how.eye, targets, affected);
      NaiveChoice& of_ones = best[static_cast<size_t>(std::popcount(pattern))];
      of_ones = std::min(of_ones, {error, pattern ^ current, pattern});
    }
    set(naive_choose(best, static_cast<size_t>(std::popcount(current)), how.partial).pattern);
  };
  return naive_rounds(
      bits,
      tones.rows() - rows + 1,
      tones.columns() - columns + 1,
      how,
      [&] { return naive_total_error(tones, bits, how.eye, targets, {}); },
      search);
}

enum class NaiveTarget { kOriginal, kFiltered };

struct NaiveDbs : NaiveSearch {
  NaiveTarget target = NaiveTarget::kFiltered;

  bool is_legal_cell() const { return cell >= 2 * eye.radius + 2; }
};

/// G at a point of the page or at most a radius outside it.
inline int64_t naive_goal(const Tones& tones, const NaiveDbs& how, int y, int x) {
  const int nearest_y = std::clamp(y, 0, tones.rows() - 1);
  const int nearest_x = std::clamp(x, 0, tones.columns() - 1);
  const int64_t goal =
      how.target == NaiveTarget::kFiltered
          ? naive_seen(tones, how.eye, y, x, [&](size_t i) { return tones.values[i]; })
          : tones.values[tones.index(nearest_y, nearest_x)] * naive_mass(tones, how.eye, y, x);
  return (goal + 2048) >> 12;
}

/// G of the extended domain.
class NaiveGoals {
 public:
  NaiveGoals(const Tones& tones, const NaiveDbs& how)
      : radius_(how.eye.radius), width_(tones.columns() + 2 * radius_) {
    for (int y = -radius_; y < tones.rows() + radius_; ++y) {
      for (int x = -radius_; x < tones.columns() + radius_; ++x) {
        values_.push_back(naive_goal(tones, how, y, x));
      }
    }
  }

  int64_t at(int y, int x) const {
    return values_[static_cast<size_t>((y + radius_) * width_ + x + radius_)];
  }

 private:
  int radius_, width_;
  std::vector<int64_t> values_;
};

/// f = B - G at a point of the page or at most a radius outside it.
inline int64_t naive_difference(
    const Tones& tones, const NaiveBits& bits, const NaiveDbs& how, int y, int x) {
  return naive_seen(tones, how.eye, y, x, [&](size_t i) { return bits[i]; }) -
         naive_goal(tones, how, y, x);
}

/// Sum of f^2 over the part of the extended domain within `box`.
inline int64_t naive_energy(const Tones& tones,
                            const NaiveBits& bits,
                            const NaiveDbs& how,
                            const NaiveGoals& goals,
                            NaiveBox box) {
  const int r = how.eye.radius;
  int64_t sum = 0;
  for (int y = std::max(box.top, -r); y < std::min(box.bottom, tones.rows() + r); ++y) {
    for (int x = std::max(box.left, -r); x < std::min(box.right, tones.columns() + r); ++x) {
      const int64_t f =
          naive_seen(tones, how.eye, y, x, [&](size_t i) { return bits[i]; }) - goals.at(y, x);
      sum += f * f;
    }
  }
  return sum;
}

/// E, or the part of it within `box`.
inline int64_t naive_energy(const Tones& tones,
                            const NaiveBits& bits,
                            const NaiveDbs& how,
                            NaiveBox box = {}) {
  return naive_energy(tones, bits, how, NaiveGoals(tones, how), box);
}

/// Candidates of a pixel: itself (a toggle), then those it may be swapped with, in raster order.
inline std::vector<size_t> naive_candidates(const Tones& tones,
                                            const NaiveBits& bits,
                                            int y,
                                            int x) {
  const size_t here = tones.index(y, x);
  std::vector<size_t> others = {here};
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (!tones.has(y + dy, x + dx)) continue;
      const size_t there = tones.index(y + dy, x + dx);
      if (bits[there] != bits[here]) others.push_back(there);
    }
  }
  return others;
}

inline NaiveSearchResult naive_dbs(const Tones& tones, NaiveBits bits, const NaiveDbs& how) {
  const int reach = how.eye.radius + 1;  // of a swap with a neighbour
  const NaiveGoals goals(tones, how);
  const auto visit = [&](int y, int x) {
    const NaiveBox affected = {y - reach, x - reach, y + reach + 1, x + reach + 1};
    const auto energy = [&] { return naive_energy(tones, bits, how, goals, affected); };
    const size_t here = tones.index(y, x);
    const auto change = [&](size_t other) {  // undoes itself
      bits[here] ^= 1;
      if (other != here) bits[other] ^= 1;
    };
    int64_t least = energy();
    size_t chosen = bits.size();
    for (const size_t other : naive_candidates(tones, bits, y, x)) {
      change(other);
      if (const int64_t now = energy(); now < least) least = now, chosen = other;
      change(other);
    }
    if (chosen != bits.size()) change(chosen);
  };
  return naive_rounds(
      bits,
      tones.rows(),
      tones.columns(),
      how,
      [&] { return naive_energy(tones, bits, how, goals, {}); },
      visit);
}

}  // namespace mezzo::test
