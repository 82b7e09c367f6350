// Drawing for the test page: shapes that ink one row at a time.
//
// A page of 100,000 rows is never held: every shape can draw its part of any row, in any order, on
// any thread, from its own constant data. Ink is a coverage of 0 (paper) to 65535 (solid) a plane;
// later shapes cover earlier ones. Positions are pixels; a pixel's centre lies at + 0.5.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace mezzo::synth {

inline constexpr uint32_t kMaxPlanes = 4;
inline constexpr uint16_t kFullInk = 65535;

/// Coverage in every plane of the page.
using Ink = std::array<uint16_t, kMaxPlanes>;

/// Columns [x0, x1) of rows [y0, y1). May reach beyond the page; drawing is clipped.
struct Box {
  int32_t x0 = 0;
  int32_t y0 = 0;
  int32_t x1 = 0;
  int32_t y1 = 0;

  int32_t width() const { return x1 - x0; }
  int32_t height() const { return y1 - y0; }
  bool empty() const { return x1 <= x0 || y1 <= y0; }
  Box inset(int32_t px) const { return {x0 + px, y0 + px, x1 - px, y1 - px}; }
};

/// The row being drawn, and working memory that the shapes may use as they like.
struct Row {
  int32_t y = 0;
  int32_t width_px = 0;
  uint32_t planes = 1;
  std::array<uint16_t*, kMaxPlanes> line = {};  ///< width_px coverages a plane
  std::array<std::vector<int32_t>, 4> scratch = {};

  void fill(int32_t x0, int32_t x1, const Ink& ink);
  /// Lays `ink` over the pixel with an opacity of 0 .. 1. x is a column of the page.
  void blend(int32_t x, double opacity, const Ink& ink);
};

/// Something to draw. Immutable, so threads share it.
class Shape {
 public:
  explicit Shape(const Box& box) : box_(box) {}
  virtual ~Shape() = default;
  Shape(const Shape&) = delete;
  Shape& operator=(const Shape&) = delete;

  const Box& box() const { return box_; }
  /// Draws the part in row.y, which lies in [box().y0, box().y1).
  virtual void draw(Row& row) const = 0;

 private:
  Box box_;
};

using ShapeList = std::vector<std::unique_ptr<const Shape>>;

class Rectangle final : public Shape {
 public:
  Rectangle(const Box& box, const Ink& ink) : Shape(box), ink_(ink) {}
  void draw(Row& row) const override;

 private:
  Ink ink_;
};

enum class Direction { kAcross, kDown };

/// A ramp from paper to `ink`, both ends exact.
class Ramp final : public Shape {
 public:
  Ramp(const Box& box, Direction direction, const Ink& ink);
  void draw(Row& row) const override;

 private:
  Direction direction_;
  Ink ink_;
  uint64_t step_;  // of the ramp's weight (0 .. 65535) a pixel, Q32
};

/// The area between two circles; a disc when the inner radius is 0.
class Ring final : public Shape {
 public:
  Ring(double centre_x, double centre_y, double inner, double outer, const Ink& ink);
  void draw(Row& row) const override;

 private:
  void draw_run(Row& row, double from, double to) const;

  double centre_x_, centre_y_, inner_, outer_;
  Ink ink_;
};

/// Circles whose spacing falls to 2 pixels in the corners: shows what a process does to every
/// frequency and direction at once.
class ZonePlate final : public Shape {
 public:
  ZonePlate(const Box& square, const Ink& ink);
  void draw(Row& row) const override;

 private:
  Ink ink_;
  uint32_t chirp_;  // phase a squared half-pixel, in 2^-32 turns
};

/// Spokes that meet in the centre, an even number of them.
class Star final : public Shape {
 public:
  Star(const Box& square, uint32_t spokes, const Ink& ink);
  void draw(Row& row) const override;

 private:
  Ink ink_;
  std::vector<double> cotangents_;  // of the edges in half a turn, falling
};

/// Squares or lines of `size_px` that alternate between paper and ink.
class Pattern final : public Shape {
 public:
  enum class Kind { kChecker, kAcross, kDown };
  Pattern(const Box& box, Kind kind, int32_t size_px, const Ink& ink)
      : Shape(box), kind_(kind), size_px_(size_px), ink_(ink) {}
  void draw(Row& row) const override;

 private:
  Kind kind_;
  int32_t size_px_;
  Ink ink_;
};

/// A line with round ends, drawn into the row: what letters are made of.
struct Stroke {
  double ax = 0;
  double ay = 0;
  double bx = 0;
  double by = 0;
};
void draw_stroke(Row& row, const Stroke& stroke, double radius, const Ink& ink);

}  // namespace mezzo::synth
