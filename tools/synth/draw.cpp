#include "tools/synth/draw.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mezzo::synth {
namespace {

/// Columns of the box that are on the page.
struct Columns {
  int32_t begin;
  int32_t end;
};

Columns columns(const Row& row, double from, double to) {
  const double width = row.width_px;
  return {static_cast<int32_t>(std::clamp(std::floor(from), 0.0, width)),
          static_cast<int32_t>(std::clamp(std::ceil(to), 0.0, width))};
}

Columns columns(const Row& row, const Box& box) {
  return {std::clamp(box.x0, 0, row.width_px), std::clamp(box.x1, 0, row.width_px)};
}

/// weight / 65535 of the coverage, rounded.
uint16_t scaled(uint16_t coverage, uint32_t weight) {
  return static_cast<uint16_t>((uint64_t{coverage} * weight + 32767) / 65535);
}

/// Half the length of the chord of a circle at this distance from its centre; 0 outside.
double half_chord(double radius, double distance) {
  return std::sqrt(std::max(0.0, radius * radius - distance * distance));
}

/// Squared distance from (x, y) to the stroke.
double squared_distance(const Stroke& s, double x, double y) {
  const double dx = s.bx - s.ax, dy = s.by - s.ay;
  const double length2 = dx * dx + dy * dy;
  const double along = (x - s.ax) * dx + (y - s.ay) * dy;
  const double t = length2 > 0 ? std::clamp(along / length2, 0.0, 1.0) : 0.0;
  const double ex = x - s.ax - t * dx, ey = y - s.ay - t * dy;
  return ex * ex + ey * ey;
}

/// Widens [from, to] by the columns in which a disc meets the line y.
void add_disc(double x, double distance, double radius, double& from, double& to) {
  if (std::abs(distance) >= radius) return;
  const double half = half_chord(radius, distance);
  from = std::min(from, x - half);
  to = std::max(to, x + half);
}

/// The columns in which the stroke, `radius` wide to each side, meets the line y; false when none.
/// It is convex, so the ends and the two long edges give the interval.
bool stroke_columns(const Stroke& s, double y, double radius, double& from, double& to) {
  from = 1e30;
  to = -1e30;
  add_disc(s.ax, y - s.ay, radius, from, to);
  add_disc(s.bx, y - s.by, radius, from, to);
  const double dx = s.bx - s.ax, dy = s.by - s.ay;
  const double length = std::sqrt(dx * dx + dy * dy);
  if (length > 0 && dy != 0) {
    const double across_x = -dy / length * radius, across_y = dx / length * radius;
    for (const double side : {-1.0, 1.0}) {
      const double t = (y - s.ay - side * across_y) / dy;
      if (t < 0 || t > 1) continue;
      const double x = s.ax + side * across_x + t * dx;
      from = std::min(from, x);
      to = std::max(to, x);
    }
  }
  return from <= to;
}

}  // namespace

void Row::fill(int32_t x0, int32_t x1, const Ink& ink) {
  x0 = std::clamp(x0, 0, width_px);
  x1 = std::clamp(x1, 0, width_px);
  for (uint32_t plane = 0; plane < planes; ++plane) {
    if (x0 < x1) std::fill(line[plane] + x0, line[plane] + x1, ink[plane]);
  }
}

void Row::blend(int32_t x, double opacity, const Ink& ink) {
  if (x < 0 || x >= width_px || opacity <= 0) return;
  opacity = std::min(opacity, 1.0);
  for (uint32_t plane = 0; plane < planes; ++plane) {
    const double under = line[plane][x];
    line[plane][x] = static_cast<uint16_t>(under + (ink[plane] - under) * opacity + 0.5);
  }
}

void Rectangle::draw(Row& row) const {
  row.fill(box().x0, box().x1, ink_);
}

Ramp::Ramp(const Box& box, Direction direction, const Ink& ink)
    : Shape(box), direction_(direction), ink_(ink) {
  const int32_t length = direction == Direction::kAcross ? box.width() : box.height();
  // Rounded up, so that the last pixel reaches 65535; the excess stays below 2^17 * 2^-32.
  const uint64_t steps = static_cast<uint64_t>(std::max(length - 1, 1));
  step_ = ((uint64_t{kFullInk} << 32) + steps - 1) / steps;
}

void Ramp::draw(Row& row) const {
  const auto weight = [&](int32_t i) {
    return static_cast<uint32_t>((static_cast<uint64_t>(i) * step_) >> 32);
  };
  if (direction_ == Direction::kDown) {
    Ink ink;
    for (uint32_t plane = 0; plane < kMaxPlanes; ++plane) {
      ink[plane] = scaled(ink_[plane], weight(row.y - box().y0));
    }
    row.fill(box().x0, box().x1, ink);
    return;
  }
  const Columns range = columns(row, box());
  for (uint32_t plane = 0; plane < row.planes; ++plane) {
    uint16_t* line = row.line[plane];
    for (int32_t x = range.begin; x < range.end; ++x) {
      line[x] = scaled(ink_[plane], weight(x - box().x0));
    }
  }
}

Ring::Ring(double centre_x, double centre_y, double inner, double outer, const Ink& ink)
    : Shape({static_cast<int32_t>(std::floor(centre_x - outer - 1)),
             static_cast<int32_t>(std::floor(centre_y - outer - 1)),
             static_cast<int32_t>(std::ceil(centre_x + outer + 1)),
             static_cast<int32_t>(std::ceil(centre_y + outer + 1))}),
      centre_x_(centre_x),
      centre_y_(centre_y),
      inner_(inner),
      outer_(outer),
      ink_(ink) {}

void Ring::draw(Row& row) const {
  const double dy = row.y + 0.5 - centre_y_;
  const double reach = half_chord(outer_ + 0.5, dy);
  if (reach == 0) return;
  const double hole = inner_ > 0 ? half_chord(inner_ - 0.5, dy) : 0;
  if (hole > 1) {
    draw_run(row, centre_x_ - reach, centre_x_ - hole);
    draw_run(row, centre_x_ + hole, centre_x_ + reach);
  } else {
    draw_run(row, centre_x_ - reach, centre_x_ + reach);
  }
}

void Ring::draw_run(Row& row, double from, double to) const {
  const Columns range = columns(row, from, to);
  const double dy = row.y + 0.5 - centre_y_;
  const double solid_out = outer_ - 0.5, solid_in = inner_ > 0 ? inner_ + 0.5 : 0;
  for (int32_t x = range.begin; x < range.end; ++x) {
    const double dx = x + 0.5 - centre_x_;
    const double d2 = dx * dx + dy * dy;
    if (solid_in <= solid_out && d2 >= solid_in * solid_in && d2 <= solid_out * solid_out) {
      for (uint32_t plane = 0; plane < row.planes; ++plane) row.line[plane][x] = ink_[plane];
      continue;
    }
    const double d = std::sqrt(d2);
    const double outside = std::clamp(outer_ + 0.5 - d, 0.0, 1.0);
    const double inside = inner_ > 0 ? std::clamp(inner_ + 0.5 - d, 0.0, 1.0) : 0.0;
    row.blend(x, outside - inside, ink_);
  }
}

ZonePlate::ZonePlate(const Box& square, const Ink& ink) : Shape(square), ink_(ink) {
  // The frequency at radius r is 2 k r turns a pixel; it reaches 1/2 in the corners. Radii are
  // counted in half pixels, hence 4 times as many to a square.
  const double radius = std::max(1, square.width()) * std::numbers::sqrt2 / 2.0;
  chirp_ = static_cast<uint32_t>(4294967296.0 * 0.25 / radius / 4.0);
}

void ZonePlate::draw(Row& row) const {
  const Columns range = columns(row, box());
  const int32_t double_cx = box().x0 + box().x1, double_cy = box().y0 + box().y1;
  const auto dy = static_cast<uint32_t>(2 * row.y + 1 - double_cy);
  const uint32_t start = dy * dy;  // wraps, as phases do
  for (uint32_t plane = 0; plane < row.planes; ++plane) {
    uint16_t* line = row.line[plane];
    const uint32_t ink = ink_[plane];
    for (int32_t x = range.begin; x < range.end; ++x) {
      const auto dx = static_cast<uint32_t>(2 * x + 1 - double_cx);
      const uint32_t phase = (dx * dx + start) * chirp_;
      // A triangle wave, bent by 3t^2 - 2t^3 into an apparent sine.
      const uint32_t t = (phase < 0x80000000U ? phase : ~phase) >> 19;  // 0 .. 4095
      const uint32_t wave = (t * t >> 12) * (3 * 4096 - 2 * t) >> 12;   // 0 .. 4093
      const uint32_t full = wave * 16 + (wave >> 8);                    // 0 .. 65503
      line[x] = static_cast<uint16_t>((full * (ink >> 8)) >> 8);
    }
  }
}

Star::Star(const Box& square, uint32_t spokes, const Ink& ink) : Shape(square), ink_(ink) {
  // The horizontal lies in the middle of a spoke, so the half turn begins and ends inside one.
  constexpr double kBeyond = 1e9;
  cotangents_.push_back(kBeyond);
  for (uint32_t i = 0; i < spokes; ++i) {
    const double angle = std::numbers::pi * (i + 0.5) / spokes;
    cotangents_.push_back(std::cos(angle) / std::sin(angle));
  }
  cotangents_.push_back(-kBeyond);
}

void Star::draw(Row& row) const {
  const double centre_x = (box().x0 + box().x1) / 2.0;
  const double centre_y = (box().y0 + box().y1) / 2.0;
  double dy = row.y + 0.5 - centre_y;
  if (dy == 0) dy = 0.001;
  const double reach = half_chord(box().width() / 2.0, dy);
  if (reach == 0) return;
  // Edges pass through the centre, and opposite spokes are alike (their number is even), so the
  // same list serves above the centre, mirrored by the sign of dy.
  for (size_t i = 0; i + 1 < cotangents_.size(); i += 2) {
    const double a = cotangents_[i] * dy, b = cotangents_[i + 1] * dy;
    const double from = centre_x + std::clamp(std::min(a, b), -reach, reach);
    const double to = centre_x + std::clamp(std::max(a, b), -reach, reach);
    if (from >= to) continue;
    const Columns range = columns(row, from, to);
    for (int32_t x = range.begin; x < range.end; ++x) {
      row.blend(x, std::min(to, x + 1.0) - std::max(from, double(x)), ink_);
    }
  }
}

void Pattern::draw(Row& row) const {
  const Columns range = columns(row, box());
  const int32_t down = (row.y - box().y0) / size_px_;
  for (int32_t x = range.begin; x < range.end; ++x) {
    const int32_t across = (x - box().x0) / size_px_;
    const int32_t count = kind_ == Kind::kChecker  ? across + down
                          : kind_ == Kind::kAcross ? across
                                                   : down;
    if (count % 2 != 0) continue;
    for (uint32_t plane = 0; plane < row.planes; ++plane) row.line[plane][x] = ink_[plane];
  }
}

void draw_stroke(Row& row, const Stroke& stroke, double radius, const Ink& ink) {
  const double y = row.y + 0.5;
  const auto [low, high] = std::minmax(stroke.ay, stroke.by);
  if (y < low - radius - 0.5 || y > high + radius + 0.5) return;
  double from = 0, to = 0, solid_from = 0, solid_to = 0;
  if (!stroke_columns(stroke, y, radius + 0.5, from, to)) return;
  const bool solid = radius > 0.5 && stroke_columns(stroke, y, radius - 0.5, solid_from, solid_to);
  const Columns range = columns(row, from - 0.5, to + 0.5);
  for (int32_t x = range.begin; x < range.end; ++x) {
    if (solid && x + 0.5 >= solid_from && x + 0.5 <= solid_to) {
      const auto end = std::clamp(
          static_cast<int32_t>(std::floor(solid_to - 0.5)) + 1, x + 1, std::max(x + 1, range.end));
      row.fill(x, end, ink);
      x = end - 1;
      continue;
    }
    const double distance = std::sqrt(squared_distance(stroke, x + 0.5, y));
    row.blend(x, radius + 0.5 - distance, ink);
  }
}

}  // namespace mezzo::synth
