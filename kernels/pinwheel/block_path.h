// The walk through one block, and the legal targets of each pixel's error.
//
// Block-interlaced pinwheel error diffusion (P. Li and J. P. Allebach, JEI 14(2), 2005, as Y. Zhang
// et al. describe it in "A Parallel Error Diffusion Implementation on a GPU") cuts a page into
// blocks of N x N pixels, coloured like a checkerboard. First all outward blocks are decided, each
// by itself and from its middle out; they hand errors to their neighbours across the border. Then
// all inward blocks are decided, from their borders in; the error of their last pixel is lost.
//
// A pixel's error may go to pixels of its own block that come later on the walk and, from an
// outward block, to the four blocks beside it, which are inward and come later too. The four blocks
// at the corners have the block's own colour: nothing may pass to them. The remaining targets are
// computed here, once, for every engine and any weights.
//
// A target is one of four. With d the way that the walk goes on and s the side where undecided
// pixels are, they are Floyd-Steinberg's: ahead d, side s, ahead-side s + d, behind-side s - d. At
// the four corners of an outward block, whose behind-side would be a diagonal block, they are the
// two pixels straight out and, beside the diagonal, the two flanks.
//
// A pixel's class says how far along the walk it lies from a turn and from the walk's ends: there,
// and only there, it is handed less than elsewhere, or more, so it has a threshold of its own.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/base/noise.h"

namespace mezzo::pinwheel {

inline constexpr int kLeastSize = 2;
inline constexpr int kMostSize = 64;  ///< of a block, pixels a side
inline constexpr int kTargets = 4;

enum class Path : uint8_t {
  kSpiral,      ///< clockwise from the top left corner, inwards
  kSerpentine,  ///< row by row from the top, to and fro
};

/// The kinds of weights of a pixel.
enum Kind : uint8_t {
  kCorner,  ///< of an outward block; spirals only
  kFour,    ///< all four targets, or any set of them that has no kind of its own
  kThree,   ///< ahead, side, ahead-side: after a turn of an inward spiral, or where a row begins
  kTwo,     ///< ahead, ahead-side: at a turn of an inward spiral
};
inline constexpr int kKinds = 4;

/// The classes of thresholds, of spirals. A pixel has the first class that fits; a serpentine only
/// those of an outward walk's first place, an inward one's last place, and the rest.
enum ThresholdClass : uint8_t {
  kOutwardPlace = 0,                 ///< + place, the first 16
  kOutwardRim = kOutwardPlace + 16,  ///< + steps since a corner of the block, 0 .. 2
  kOutwardLast = kOutwardRim + 3,
  kOutwardBefore = kOutwardLast + 1,   ///< + steps to the next turn or the end - 1, 0 .. 5
  kOutwardSince = kOutwardBefore + 6,  ///< + steps since a turn, 0 .. 6, where that is nearer
  kOutwardRest = kOutwardSince + 7,
  kInwardLeft = kOutwardRest + 1,       ///< + places to the last one, 0 .. 15
  kInwardPlace = kInwardLeft + 16,      ///< + place, the first 4
  kInwardRimBefore = kInwardPlace + 4,  ///< + steps to the next turn - 1, 0 .. 2, on the rim
  kInwardRim = kInwardRimBefore + 3,    ///< + steps since a turn, 0 .. 5 (or more), on the rim
  kInwardInside = kInwardRim + 6,       ///< the same inside the rim
  kInwardRest = kInwardInside + 5,
};
inline constexpr int kThresholdClasses = kInwardRest + 1;

/// The spread of a class's thresholds, in tone steps: as much more as less is handed to its pixels
/// than a whole error, and most where an outward walk begins, so that no two blocks of a flat tint
/// are alike.
constexpr int class_spread(int threshold_class) {
  constexpr int16_t kSpread[kOutwardSince + 2] = {
      4096, 2304, 2304, 2304, 2304, 2304, 1536, 1024, 2048, 1536, 1024, 2048, 1536, 256,
      768,  2048, 576,  576,  0,    768,  768,  288,  0,    0,    0,    0,    576,  96};
  return threshold_class < kOutwardSince + 2 ? kSpread[threshold_class] : 0;
}

enum Side : uint8_t { kAbove, kBelow, kLeft, kRight };

/// The place of a block on its page.
struct BlockShape {
  int rows = 0;  ///< 1 .. kMostSize; blocks at the right and bottom may be cut
  int columns = 0;
  bool outward = false;
  std::array<bool, 4> neighbours = {true, true, true, true};  ///< by Side: the page goes on there

  bool operator==(const BlockShape&) const = default;
};

/// A pixel of the walk.
struct Step {
  uint8_t y = 0;  ///< in the block
  uint8_t x = 0;
  Kind kind = kFour;
  uint8_t legal = 0;  ///< bit k: target k is there; the lowest is the primary target
  uint8_t threshold_class = 0;
  uint16_t noise_factor = 1;  ///< odd
  /// Of a target that is there: its place on the walk, or kBorder + border place.
  uint16_t targets[kTargets] = {};

  bool operator==(const Step&) const = default;
};

/// Errors that leave an outward block go to its border, kMostSize a side.
inline constexpr uint16_t kBorder = kMostSize * kMostSize;
constexpr uint16_t border_place(Side side, int along) {
  return static_cast<uint16_t>(kMostSize * side + along);
}
inline constexpr int kBorderPlaces = 4 * kMostSize;

struct Vector {
  int dy = 0;
  int dx = 0;
  constexpr Vector operator+(Vector o) const { return {dy + o.dy, dx + o.dx}; }
  constexpr Vector operator-(Vector o) const { return {dy - o.dy, dx - o.dx}; }
};

namespace detail {

/// Pixels of the inward walk, in order, to `visit(y, x)`.
template <typename Visit>
constexpr void walk_inward(int rows, int columns, Path path, Visit visit) {
  if (path == Path::kSerpentine) {
    for (int y = 0; y < rows; ++y) {
      for (int i = 0; i < columns; ++i) visit(y, y % 2 == 0 ? i : columns - 1 - i);
    }
    return;
  }
  int top = 0, left = 0, bottom = rows - 1, right = columns - 1;
  while (top <= bottom && left <= right) {
    for (int x = left; x <= right; ++x) visit(top, x);
    for (int y = top + 1; y <= bottom; ++y) visit(y, right);
    if (bottom > top) {
      for (int x = right - 1; x >= left; --x) visit(bottom, x);
    }
    if (right > left) {
      for (int y = bottom - 1; y > top; --y) visit(y, left);
    }
    ++top, ++left, --bottom, --right;
  }
}

/// The four targets of a pixel, legal or not.
struct Frame {
  std::array<Vector, kTargets> targets;
  bool corner = false;
};

constexpr Frame frame(const BlockShape& shape, Path path, Vector at, Vector before, Vector after) {
  if (path == Path::kSerpentine) {
    const bool forward = (at.dy % 2 == 0) != shape.outward;
    const Vector d{0, forward ? 1 : -1}, s{shape.outward ? -1 : 1, 0};
    return {{d, s, s + d, s - d}};
  }
  const bool at_edge_y = at.dy == 0 || at.dy == shape.rows - 1;
  const bool at_edge_x = at.dx == 0 || at.dx == shape.columns - 1;
  if (shape.outward && at_edge_y && at_edge_x) {
    const int cy = at.dy == 0 ? -1 : 1, cx = at.dx == 0 ? -1 : 1;
    return {{{{cy, 0}, {0, cx}, {cy, -cx}, {-cy, cx}}}, true};
  }
  Vector d = after - at;
  if (after.dy < 0) d = before.dy < 0 ? Vector{0, 1} : at - before;
  const Vector s{d.dx, -d.dy};
  return {{d, s, s + d, s - d}};
}

/// The place of a pixel between turns, in steps.
struct Stretch {
  int place = 0;
  int since = 0;             ///< since the last turn, or the walk's beginning
  int until = 99;            ///< to the next turn, if any
  bool from_corner = false;  ///< the last turn was at a corner of the block
};

constexpr int class_on_spiral(const BlockShape& shape, Vector at, const Stretch& stretch) {
  const auto [place, since, until, from_corner] = stretch;
  const auto least = [](int a, int b) { return a < b ? a : b; };
  const int last = shape.rows * shape.columns - 1;
  if (shape.outward) {
    if (place < 16) return kOutwardPlace + place;
    if (from_corner && since <= 2) return kOutwardRim + since;
    if (place == last) return kOutwardLast;
    if (until <= 6 && until <= since + 1) return kOutwardBefore + until - 1;
    return kOutwardSince + least(since, 7);
  }
  const bool rim =
      at.dy == 0 || at.dx == 0 || at.dy == shape.rows - 1 || at.dx == shape.columns - 1;
  if (last - place < 16) return kInwardLeft + last - place;
  if (place < 4) return kInwardPlace + place;
  if (rim && until <= 3) return kInwardRimBefore + until - 1;
  return (rim ? kInwardRim : kInwardInside) + least(since, 5);
}

/// Gives the steps of a walk, which know their pixels, their classes.
template <typename Steps>
constexpr void classify(const BlockShape& shape, Path path, Steps& steps) {
  const int last = shape.rows * shape.columns - 1;
  if (path == Path::kSerpentine) {
    for (int place = 0; place <= last; ++place) {
      steps[place].threshold_class = shape.outward ? (place == 0 ? kOutwardPlace : kOutwardRest)
                                                   : (place == last ? kInwardLeft : kInwardRest);
    }
    return;
  }
  const auto turns = [&](int place) {
    if (place <= 0 || place >= last) return false;
    const Step &a = steps[place - 1], &b = steps[place], &c = steps[place + 1];
    return b.y - a.y != c.y - b.y || b.x - a.x != c.x - b.x;
  };
  int next_turn = 0;
  Stretch stretch;
  for (int place = 0; place <= last; ++place) {
    Step& step = steps[place];
    stretch.place = place;
    ++stretch.since;
    if (place == 0 || turns(place)) {
      stretch.since = 0;
      stretch.from_corner =
          (step.y == 0 || step.y == shape.rows - 1) && (step.x == 0 || step.x == shape.columns - 1);
    }
    if (next_turn <= place) {
      do ++next_turn;
      while (next_turn < last && !turns(next_turn));
    }
    stretch.until = next_turn < last || shape.outward ? next_turn - place : 99;
    step.threshold_class = static_cast<uint8_t>(class_on_spiral(shape, {step.y, step.x}, stretch));
  }
}

}  // namespace detail

/// Fills `steps[0 .. rows * columns)` with the walk of such a block.
template <typename Steps>
constexpr void lay_out_block(const BlockShape& shape, Path path, Steps& steps) {
  constexpr Vector kNowhere{-1, -1};
  const int rows = shape.rows, columns = shape.columns, count = rows * columns;
  std::array<uint16_t, kMostSize * kMostSize> places{};  // of pixels on the walk
  int next = 0;
  detail::walk_inward(rows, columns, path, [&](int y, int x) {
    const int place = shape.outward ? count - 1 - next : next;
    ++next;
    steps[place].y = static_cast<uint8_t>(y);
    steps[place].x = static_cast<uint8_t>(x);
    steps[place].noise_factor =
        static_cast<uint16_t>(mix_bits(static_cast<uint32_t>(place) + 1) | 1);
    places[y * columns + x] = static_cast<uint16_t>(place);
  });
  const auto pixel = [&](int place) {
    return place < 0 || place >= count ? kNowhere : Vector{steps[place].y, steps[place].x};
  };
  for (int place = 0; place < count; ++place) {
    Step& step = steps[place];
    const Vector at = pixel(place);
    const auto [targets, corner] =
        detail::frame(shape, path, at, pixel(place - 1), pixel(place + 1));
    step.legal = 0;
    for (int k = 0; k < kTargets; ++k) {
      const auto [y, x] = at + targets[k];
      const bool in_rows = y >= 0 && y < rows, in_columns = x >= 0 && x < columns;
      if (in_rows && in_columns) {
        const uint16_t target = places[y * columns + x];
        if (target <= place) continue;
        step.targets[k] = target;
      } else {
        if (!shape.outward || in_rows == in_columns) continue;
        const Side side = in_columns ? (y < 0 ? kAbove : kBelow) : (x < 0 ? kLeft : kRight);
        if (!shape.neighbours[side]) continue;
        step.targets[k] = static_cast<uint16_t>(kBorder + border_place(side, in_columns ? x : y));
      }
      step.legal = static_cast<uint8_t>(step.legal | 1 << k);
    }
    step.kind = corner                 ? kCorner
                : step.legal == 0b0111 ? kThree
                : step.legal == 0b0101 ? kTwo
                                       : kFour;
  }
  detail::classify(shape, path, steps);
}

}  // namespace mezzo::pinwheel
