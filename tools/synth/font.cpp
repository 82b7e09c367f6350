#include "tools/synth/font.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace mezzo::synth {
namespace {

// A letter is drawn on a grid: x from 0, y from 0 (descender) over 3 (baseline) and A (height of a
// small x) to D (capital height). A point is two hexadecimal digits, x and y; lines join the points
// of a stroke, and a point behind ~ is a corner that the line rounds off. Strokes are parted by /.
struct Drawing {
  char letter;
  std::string_view strokes;
};

constexpr Drawing kDrawings[] = {
    {'A', "03 3D 63/16 56"},
    {'B', "03 0D 3D ~5D 5B 5A ~58 38 08/38 ~68 66 65 ~63 33 03"},
    {'C', "6B ~6D 3D ~0D 0A 06 ~03 33 ~63 65"},
    {'D', "03 0D 2D ~6D 69 67 ~63 23 03"},
    {'E', "5D 0D 03 53/08 48"},
    {'F', "5D 0D 03/08 48"},
    {'G', "6B ~6D 3D ~0D 0A 06 ~03 33 ~63 65 68 48"},
    {'H', "03 0D/63 6D/08 68"},
    {'I', "03 0D"},
    {'J', "4D 46 ~43 23 ~03 05"},
    {'K', "03 0D/6D 07/29 63"},
    {'L', "0D 03 53"},
    {'M', "03 0D 47 8D 83"},
    {'N', "03 0D 63 6D"},
    {'O', "33 ~63 66 6A ~6D 3D ~0D 0A 06 ~03 33"},
    {'P', "03 0D 3D ~6D 6B 6A ~67 37 07"},
    {'Q', "33 ~63 66 6A ~6D 3D ~0D 0A 06 ~03 33/45 72"},
    {'R', "03 0D 3D ~6D 6B 6A ~67 37 07/37 63"},
    {'S', "6B ~6D 3D ~0D 0B 0A ~08 38 ~68 66 65 ~63 33 ~03 05"},
    {'T', "0D 6D/3D 33"},
    {'U', "0D 06 ~03 33 ~63 66 6D"},
    {'V', "0D 33 6D"},
    {'W', "0D 23 4B 63 8D"},
    {'X', "03 6D/0D 63"},
    {'Y', "0D 38 6D/38 33"},
    {'Z', "0D 6D 03 63"},
    {'0', "23 33 ~53 56 5A ~5D 3D 2D ~0D 0A 06 ~03 23"},
    {'1', "0B 3D 33"},
    {'2', "0A 0B ~0D 2D 3D ~5D 5B 5A ~58 47 03 53"},
    {'3', "0D 5D 28 38 ~58 56 55 ~53 33 23 ~03 05"},
    {'4', "33 3D 06 56"},
    {'5', "5D 0D 08 38 ~58 56 55 ~53 33 23 ~03 05"},
    {'6', "5B ~5D 3D 2D ~0D 0A 06 ~03 23 33 ~53 55 57 ~59 39 29 ~09 07"},
    {'7', "0D 5D 23"},
    {'8', "28 ~08 0A 0B ~0D 2D 3D ~5D 5B 5A ~58 38 28 ~08 06 05 ~03 23 33 ~53 55 56 ~58 38"},
    {'9', "05 ~03 23 33 ~53 56 5A ~5D 3D 2D ~0D 0B 09 ~07 27 37 ~57 59"},
    {'a', "53 5A/58 ~5A 3A 2A ~0A 08 05 ~03 23 33 ~53 55"},
    {'b', "0D 03/05 ~03 23 33 ~53 55 58 ~5A 3A 2A ~0A 08"},
    {'c', "58 ~5A 3A 2A ~0A 08 05 ~03 23 33 ~53 55"},
    {'d', "5D 53/58 ~5A 3A 2A ~0A 08 05 ~03 23 33 ~53 55"},
    {'e', "07 57 58 ~5A 3A 2A ~0A 08 05 ~03 23 43"},
    {'f', "4D 3D ~1D 1B 13/0A 3A"},
    {'g', "5A 52 ~50 30 20 ~00 01/58 ~5A 3A 2A ~0A 08 05 ~03 23 33 ~53 55"},
    {'h', "0D 03/08 ~0A 2A 3A ~5A 58 53"},
    {'i', "03 0A/0D"},
    {'j', "1A 12 ~10 00/1D"},
    {'k', "0D 03/5A 06/17 53"},
    {'l', "0D 05 ~03 13"},
    {'m', "03 0A/08 ~0A 2A ~4A 48 43/48 ~4A 6A ~8A 88 83"},
    {'n', "03 0A/08 ~0A 2A 3A ~5A 58 53"},
    {'o', "23 33 ~53 55 58 ~5A 3A 2A ~0A 08 05 ~03 23"},
    {'p', "00 0A/05 ~03 23 33 ~53 55 58 ~5A 3A 2A ~0A 08"},
    {'q', "50 5A/58 ~5A 3A 2A ~0A 08 05 ~03 23 33 ~53 55"},
    {'r', "03 0A/08 ~0A 2A 3A"},
    {'s', "4A 1A ~0A 09 08 ~07 17 37 ~47 45 44 ~43 33 03"},
    {'t', "1D 15 ~13 33/0A 3A"},
    {'u', "0A 05 ~03 23 33 ~53 55/5A 53"},
    {'v', "0A 23 4A"},
    {'w', "0A 23 4A 63 8A"},
    {'x', "0A 53/5A 03"},
    {'y', "0A 23/5A 10"},
    {'z', "0A 4A 03 43"},
    {'.', "03"},
    {',', "13 01"},
    {'-', "07 37"},
    {'+', "08 68/35 3B"},
    {'/', "02 5E"},
    {':', "04/09"},
    {'(', "2E ~0D 0A 06 ~03 22"},
    {')', "0E ~2D 2A 26 ~23 02"},
    {'%', "03 6D/0B 0C ~0D 1D ~2D 2C 2B ~2A 1A ~0A 0B/44 45 ~46 56 ~66 65 64 ~63 53 ~43 44"},
};

constexpr double kCapUnits = 10;     // baseline to capital height
constexpr double kBaselineUnit = 3;  // of the grid
constexpr double kDescender = 4;     // below the baseline, with the stroke's own width
constexpr double kAscender = 12;     // above it
constexpr double kSpace = 4.5;
constexpr double kGap = 2.7;  // between letters

/// Distance from a stroke's middle to its edge, in units.
double half_stroke(Weight weight) {
  return weight == Weight::kBold ? 0.95 : 0.6;
}

struct Glyph {
  std::vector<Stroke> strokes;  // units, y upwards from the baseline
  double width = kSpace - kGap;
};

struct Point {
  double x;
  double y;
};

/// A quadratic curve from a to c that is drawn to b, as short lines.
void add_corner(Glyph& glyph, Point a, Point b, Point c) {
  constexpr int kPieces = 6;
  Point from = a;
  for (int i = 1; i <= kPieces; ++i) {
    const double t = double(i) / kPieces, s = 1 - t;
    const Point to = {s * s * a.x + 2 * s * t * b.x + t * t * c.x,
                      s * s * a.y + 2 * s * t * b.y + t * t * c.y};
    glyph.strokes.push_back({from.x, from.y, to.x, to.y});
    from = to;
  }
}

void add_stroke(Glyph& glyph, std::string_view text) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'A' + 10; };
  std::vector<Point> points;
  Point corner = {};
  bool rounded = false;
  for (size_t i = 0; i < text.size(); i += 3) {
    const bool is_corner = text[i] == '~';
    i += is_corner;
    const Point p = {double(digit(text[i])), digit(text[i + 1]) - kBaselineUnit};
    glyph.width = std::max(glyph.width, p.x);
    if (is_corner) {
      corner = p;
      rounded = true;
      continue;
    }
    if (rounded) {
      add_corner(glyph, points.back(), corner, p);
    } else if (!points.empty()) {
      glyph.strokes.push_back({points.back().x, points.back().y, p.x, p.y});
    }
    rounded = false;
    points.push_back(p);
  }
  if (points.size() == 1) {  // a dot
    glyph.strokes.push_back({points[0].x, points[0].y, points[0].x, points[0].y});
  }
}

std::array<Glyph, 128> make_glyphs() {
  std::array<Glyph, 128> glyphs;
  for (const Drawing& drawing : kDrawings) {
    Glyph& glyph = glyphs[static_cast<unsigned char>(drawing.letter)];
    glyph.width = 0;
    std::string_view rest = drawing.strokes;
    while (!rest.empty()) {
      const size_t end = std::min(rest.find('/'), rest.size());
      add_stroke(glyph, rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return glyphs;
}

const Glyph& glyph_of(char letter) {
  static const std::array<Glyph, 128> kGlyphs = make_glyphs();
  const auto code = static_cast<unsigned char>(letter);
  return kGlyphs[code < 128 ? code : ' '];
}

Box text_box(double x, double baseline, double cap_px, std::string_view text, Weight weight) {
  const double unit = cap_px / kCapUnits;
  return {static_cast<int32_t>(std::floor(x - unit)) - 1,
          static_cast<int32_t>(std::floor(baseline - kAscender * unit)) - 1,
          static_cast<int32_t>(std::ceil(x + text_width(text, cap_px, weight) + unit)) + 1,
          static_cast<int32_t>(std::ceil(baseline + kDescender * unit)) + 1};
}

}  // namespace

double text_width(std::string_view text, double cap_px, Weight weight) {
  double units = 2 * half_stroke(weight) - kGap;
  for (const char letter : text) units += glyph_of(letter).width + kGap;
  return text.empty() ? 0 : units * cap_px / kCapUnits;
}

Text::Text(
    double x, double baseline, double cap_px, std::string text, const Ink& ink, Weight weight)
    : Shape(text_box(x, baseline, cap_px, text, weight)),
      x_(x),
      baseline_(baseline),
      cap_px_(cap_px),
      text_(std::move(text)),
      ink_(ink),
      weight_(weight) {}

void Text::draw(Row& row) const {
  const double unit = cap_px_ / kCapUnits;
  const double half = half_stroke(weight_);
  const double radius = std::max(half * unit, 0.5);
  const double height = (baseline_ - row.y - 0.5) / unit;  // of this row, in units
  const double reach = (radius + 0.5) / unit;
  double x = x_ + half * unit;
  for (const char letter : text_) {
    const Glyph& glyph = glyph_of(letter);
    for (const Stroke& s : glyph.strokes) {
      if (height < std::min(s.ay, s.by) - reach || height > std::max(s.ay, s.by) + reach) continue;
      draw_stroke(
          row,
          {x + s.ax * unit, baseline_ - s.ay * unit, x + s.bx * unit, baseline_ - s.by * unit},
          radius,
          ink_);
    }
    x += (glyph.width + kGap) * unit;
  }
}

}  // namespace mezzo::synth
