// Block-interlaced pinwheel error diffusion on a whole page, as its definition reads: no tables, no
// tricks, 64-bit integers. Every fast way to run the method must give these bits.
//
// The page is cut into blocks of N x N from (0,0), clipped at the right and bottom. Blocks whose
// coordinates have an even sum are *outward* and are decided first, the others are *inward*. Each
// block is decided along a path; a pixel hands its whole error to at most four *targets*, which are
// pixels that are certainly not decided yet: later ones of the own block or, from an outward block,
// those of the four blocks that share an edge with it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <vector>

#include "kernels/base/noise.h"

namespace mezzo::test {

/// A pixel of a page or of a block, a block of a page, or a step from one pixel to another.
struct At {
  int y = 0;
  int x = 0;
  bool operator==(const At&) const = default;
  At operator+(At b) const { return {y + b.y, x + b.x}; }
  At operator-(At b) const { return {y - b.y, x - b.x}; }
};

struct NaivePinwheel {
  enum class Path { kSpiral, kSerpentine };
  enum Kind { kFour, kThree, kTwo, kCorner };
  using Weights = std::array<int64_t, 4>;                 ///< by target, Q15, 0 .. 32768, sum 32768
  using WeightSet = std::array<std::vector<Weights>, 4>;  ///< [kind][level]
  static constexpr size_t kClasses = 69;
  using Thresholds = std::vector<std::vector<int64_t>>;  ///< [class][level]

  int block = 14;  ///< N, 2 .. 64
  Path path = Path::kSpiral;
  WeightSet weights = floyd_steinberg_weights();
  Thresholds thresholds = Thresholds(kClasses, std::vector<int64_t>(256, 2048));
  Thresholds spreads = Thresholds(kClasses, std::vector<int64_t>(256));  ///< 0 .. 8192
  int64_t threshold_noise = 0;  ///< A_t, tone units, 0 .. 2048
  int64_t start_noise = 0;      ///< A_s, tone units, 0 .. 2048
  int64_t weight_noise = 0;     ///< A_w, Q15, 0 .. 16384
  uint32_t seed = 0;
  uint32_t plane = 0;

  /// Weights of Floyd and Steinberg, alike for all levels.
  static WeightSet floyd_steinberg_weights() {
    WeightSet set;
    set[kFour].assign(256, {14336, 10240, 2048, 6144});
    set[kThree].assign(256, {17645, 12603, 2520, 0});
    set[kTwo].assign(256, {28672, 0, 4096, 0});
    set[kCorner].assign(256, {10240, 10240, 6144, 6144});
    return set;
  }
  /// A rectangle of the page and the order of its pixels.
  struct Block {
    At at;  ///< of the page's blocks
    At origin;
    int rows = 0, columns = 0;
    bool outward = false;
    std::vector<At> path;    ///< pixels of the block
    std::vector<int> order;  ///< of pixel y * columns + x: its place on the path
  };

  /// What a pixel does, apart from its tone.
  struct Step {
    Kind kind = kFour;
    std::array<At, 4> targets;  ///< steps from the pixel
    std::array<bool, 4> legal = {};
    int primary = -1;  ///< takes what the other targets leave; -1: there is no legal target
  };

  struct Result {
    std::vector<uint8_t> ink;  ///< 0 or 1, row by row
    int64_t lost = 0;          ///< sum of the errors of pixels without a target
    int64_t clamped = 0;       ///< pixels whose error was clamped
    int64_t cut = 0;           ///< sum of what clamping took from errors
    int64_t started = 0;       ///< sum of the starting errors
    int64_t largest = 0;       ///< the largest |tone + what was handed to a pixel|
  };

  /// What a test may want to watch or to change; any of them may be empty.
  struct Hooks {
    std::function<void(std::vector<At>&)> order_blocks;  ///< of one phase, by rows before
    std::function<void(At)> decided;
    std::function<void(At from, At to)> handed;  ///< also where the share is 0
  };

  static std::vector<At> inward_spiral(int rows, int columns) {
    std::vector<At> out;
    int t = 0, l = 0, b = rows - 1, r = columns - 1;
    while (t <= b && l <= r) {
      for (int x = l; x <= r; ++x) out.push_back({t, x});
      for (int y = t + 1; y <= b; ++y) out.push_back({y, r});
      if (b > t) {
        for (int x = r - 1; x >= l; --x) out.push_back({b, x});
      }
      if (r > l) {
        for (int y = b - 1; y >= t + 1; --y) out.push_back({y, l});
      }
      ++t, ++l, --b, --r;
    }
    return out;
  }

  static std::vector<At> inward_serpentine(int rows, int columns) {
    std::vector<At> out;
    for (int y = 0; y < rows; ++y) {
      for (int x = 0; x < columns; ++x) out.push_back({y, y % 2 == 0 ? x : columns - 1 - x});
    }
    return out;
  }

  /// The block at `at` of a page of that size.
  Block block_at(At at, int width, int height) const {
    Block b;
    b.at = at;
    b.origin = {at.y * block, at.x * block};
    b.rows = std::min(block, height - b.origin.y);
    b.columns = std::min(block, width - b.origin.x);
    b.outward = (at.y + at.x) % 2 == 0;
    b.path = path == Path::kSpiral ? inward_spiral(b.rows, b.columns)
                                   : inward_serpentine(b.rows, b.columns);
    if (b.outward) std::reverse(b.path.begin(), b.path.end());
    b.order.resize(b.path.size());
    for (size_t i = 0; i < b.path.size(); ++i) {
      b.order[index(b.path[i], b.columns)] = static_cast<int>(i);
    }
    return b;
  }

  /// May pixel `i` of the block's path hand something to the pixel `step` away?
  bool is_legal(const Block& b, int i, At step, int width, int height) const {
    const At pixel = b.path[static_cast<size_t>(i)];
    const At within = pixel + step, to = b.origin + within;
    if (to.y < 0 || to.y >= height || to.x < 0 || to.x >= width) return false;
    const At there = {to.y / block, to.x / block};
    if (there == b.at) return b.order[index(within, b.columns)] > i;
    return b.outward && std::abs(there.y - b.at.y) + std::abs(there.x - b.at.x) == 1;
  }

  Step step_at(const Block& b, int i, int width, int height) const {
    Step step;
    const At p = b.path[static_cast<size_t>(i)];
    const bool corner = path == Path::kSpiral && b.outward && (p.y == 0 || p.y == b.rows - 1) &&
                        (p.x == 0 || p.x == b.columns - 1);
    if (corner) {
      const int cy = p.y == 0 ? -1 : 1, cx = p.x == 0 ? -1 : 1;
      step.targets = {At{cy, 0}, At{0, cx}, At{cy, -cx}, At{-cy, cx}};
    } else {
      const At d = ahead(b, i), s = side(b, d);
      step.targets = {d, s, s + d, s - d};
    }
    for (size_t k = 0; k < 4; ++k) {
      step.legal[k] = is_legal(b, i, step.targets[k], width, height);
      if (step.legal[k] && step.primary < 0) step.primary = static_cast<int>(k);
    }
    constexpr std::array kThreeSet = {true, true, true, false};
    constexpr std::array kTwoSet = {true, false, true, false};
    step.kind = corner                    ? kCorner
                : step.legal == kThreeSet ? kThree
                : step.legal == kTwoSet   ? kTwo
                                          : kFour;
    return step;
  }

  /// Weights of the targets besides the primary, Q15; 0 of the others. `random` is the pixel's.
  Weights shares(const Step& step, int64_t level, uint32_t random) const {
    Weights w = weights[step.kind][static_cast<size_t>(level)];
    const auto sum_of_legal = [&] {
      int64_t sum = 0;
      for (size_t k = 0; k < 4; ++k) sum += step.legal[k] ? w[k] : 0;
      return sum;
    };
    if (sum_of_legal() == 0) w = {1, 1, 1, 1};
    const int64_t sum = sum_of_legal();
    const auto takes = [&](size_t k) {
      return step.legal[k] && static_cast<int>(k) != step.primary;
    };
    Weights v = {};
    for (size_t k = 0; k < 4; ++k) {
      if (takes(k)) v[k] = std::min<int64_t>(32767, (32768 * w[k] + sum / 2) / sum);
    }
    if (weight_noise > 0) {
      const int64_t k1 = (weight_noise * static_cast<int8_t>(random >> 16 & 0xFF)) >> 7;
      const int64_t k2 = (weight_noise * static_cast<int8_t>(random >> 24)) >> 7;
      const int64_t d1 = mul15(v[1], k1), d2 = mul15(v[2], k2);
      const Weights change = {0, d1, d2, -d2};
      for (size_t k = 0; k < 4; ++k) {
        if (takes(k)) v[k] = std::clamp<int64_t>(v[k] + change[k], -32768, 32767);
      }
    }
    return v;
  }

  /// A class of thresholds, of pixel `i` of the block's path. Along a spiral there are turns, which
  /// are pixels where the path changes its direction. Classes 0 .. 32 are of outward blocks:
  ///     0 .. 15   the path's first 16 pixels
  ///     16 .. 18  up to two steps after a turn at a corner of the block, by steps
  ///     19        the path's last pixel
  ///     20 .. 25  one to six steps before a turn or the last pixel, if no turn behind is nearer
  ///     26 .. 32  up to six steps after a turn;  33 the rest
  /// and the others of inward ones:
  ///     34 .. 49  the last 16 pixels, from the last on;  50 .. 53  the first four
  ///     54 .. 56  on the block's edge, one to three steps before a turn
  ///     57 .. 62  on the edge, by steps since a turn, 5 for more
  ///     63 .. 68  the same within
  /// The first that fits counts. A serpentine has 0 for the first pixel of an outward block, 34
  /// for the last of an inward one, and 33 and 68.
  size_t threshold_class(const Block& b, int i) const {
    const int last = static_cast<int>(b.path.size()) - 1;
    if (path == Path::kSerpentine) return b.outward ? (i == 0 ? 0 : 33) : (i == last ? 34 : 68);
    const auto at = [&](int j) { return b.path[static_cast<size_t>(j)]; };
    const auto is_turn = [&](int j) {
      return j > 0 && j < last && !(at(j + 1) - at(j) == at(j) - at(j - 1));
    };
    const auto on_edge = [&](At p) {
      return std::array{p.y == 0 || p.y == b.rows - 1, p.x == 0 || p.x == b.columns - 1};
    };
    int back = i;  // the last turn, or the path's first pixel
    while (back > 0 && !is_turn(back)) --back;
    int on = i + 1;  // the next turn, or the last pixel
    while (on < last && !is_turn(on)) ++on;
    const int since = i - back;
    int until = on - i;
    const auto number = [](int value) { return static_cast<size_t>(value); };
    if (b.outward) {
      if (i < 16) return number(i);
      const auto [y_edge, x_edge] = on_edge(at(back));
      if (y_edge && x_edge && since <= 2) return number(16 + since);
      if (i == last) return 19;
      if (until <= 6 && until <= since + 1) return number(20 + until - 1);
      return number(26 + std::min(since, 7));
    }
    if (on >= last) until = 1000;
    const auto [y_edge, x_edge] = on_edge(at(i));
    const bool edge = y_edge || x_edge;
    if (last - i < 16) return number(34 + last - i);
    if (i < 4) return number(50 + i);
    if (edge && until <= 3) return number(54 + until - 1);
    return number((edge ? 57 : 63) + std::min(since, 5));
  }

  /// Of pixel `i` of the block's path. `random` is the pixel's.
  int64_t threshold(const Block& b, int i, int64_t level, uint32_t random) const {
    const size_t cls = threshold_class(b, i), l = static_cast<size_t>(level);
    const uint32_t of_block =
        pixel_noise(
            seed, plane, static_cast<uint32_t>(b.origin.y), static_cast<uint32_t>(b.origin.x)) >>
        16;
    const uint32_t factor = (mix_bits(static_cast<uint32_t>(i) + 1) & 0xFFFF) | 1;
    const auto n = static_cast<int16_t>(of_block * factor & 0xFFFF);
    return thresholds[cls][l] + ((spreads[cls][l] * n) >> 16) +
           mul15(threshold_noise, static_cast<int16_t>(random & 0xFFFF));
  }

  /// Tones 0 .. 4096, row by row; a byte a pixel, 1 is ink.
  std::vector<uint8_t> halftone(const std::vector<uint16_t>& tones, int width, int height) const {
    return run(tones, width, height).ink;
  }

  Result run(const std::vector<uint16_t>& tones,
             int width,
             int height,
             const Hooks& hooks = {}) const {
    Result result;
    result.ink.assign(tones.size(), 0);
    std::vector<int64_t> sums(tones.begin(), tones.end());
    for (const bool outward : {true, false}) {
      std::vector<At> blocks;
      for (int by = 0; by * block < height; ++by) {
        for (int bx = 0; bx * block < width; ++bx) {
          if (((by + bx) % 2 == 0) == outward) blocks.push_back({by, bx});
        }
      }
      if (hooks.order_blocks) hooks.order_blocks(blocks);
      for (const At at : blocks)
        decide(block_at(at, width, height), tones, width, height, sums, result, hooks);
    }
    return result;
  }

  static size_t index(At pixel, int width) {
    return static_cast<size_t>(pixel.y) * static_cast<size_t>(width) + static_cast<size_t>(pixel.x);
  }
  /// A product of which one factor is in Q15, rounded.
  static int64_t mul15(int64_t a, int64_t b) { return (a * b + 16384) >> 15; }

 private:
  /// Where the path goes: to the next pixel, or along the row.
  At ahead(const Block& b, int i) const {
    const auto at = static_cast<size_t>(i);
    if (path == Path::kSerpentine) return {0, (b.path[at].y % 2 == 0) != b.outward ? 1 : -1};
    if (b.path.size() == 1) return {0, 1};
    return at + 1 < b.path.size() ? b.path[at + 1] - b.path[at] : b.path[at] - b.path[at - 1];
  }

  At side(const Block& b, At d) const {
    if (path == Path::kSerpentine) return {b.outward ? -1 : 1, 0};
    return {d.x, -d.y};
  }

  void decide(const Block& b,
              const std::vector<uint16_t>& tones,
              int width,
              int height,
              std::vector<int64_t>& sums,
              Result& result,
              const Hooks& hooks) const {
    for (int i = 0; i < static_cast<int>(b.path.size()); ++i) {
      const At pixel = b.origin + b.path[static_cast<size_t>(i)];
      const size_t here = index(pixel, width);
      const uint32_t random =
          pixel_noise(seed, plane, static_cast<uint32_t>(pixel.y), static_cast<uint32_t>(pixel.x));
      const int64_t level = (255 * int64_t{tones[here]} + 2048) >> 12;
      const Step step = step_at(b, i, width, height);

      int64_t u = sums[here];
      if (i == 0) {
        const auto n = static_cast<int16_t>(mix_bits(random) & 0xFFFF);
        u += mul15(start_noise, n);
        result.started += mul15(start_noise, n);
      }
      const bool may = u >= threshold(b, i, level, random);
      const bool ink = tones[here] == 4096 || (tones[here] != 0 && may);
      result.ink[here] = ink;
      const int64_t whole = u - (ink ? 4096 : 0), e = std::clamp<int64_t>(whole, -5632, 5632);
      result.largest = std::max(result.largest, std::abs(u));
      result.clamped += e != whole;
      result.cut += whole - e;
      if (hooks.decided) hooks.decided(pixel);

      const Weights v = shares(step, level, random);
      int64_t left = e;
      const auto hand = [&](size_t k, int64_t share) {
        const At to = pixel + step.targets[k];
        sums[index(to, width)] += share;
        left -= share;
        if (hooks.handed) hooks.handed(pixel, to);
      };
      for (size_t k = 0; k < 4; ++k) {
        if (step.legal[k] && static_cast<int>(k) != step.primary) hand(k, mul15(v[k], e));
      }
      if (step.primary >= 0) hand(static_cast<size_t>(step.primary), left);
      result.lost += left;
    }
  }
};

}  // namespace mezzo::test
