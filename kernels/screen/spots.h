// Spot functions: the shapes of the dots of AM screens. The pixels of a cell take ink in the order of
// these numbers, the largest first.
//
// They are those of PDF (ISO 32000-1, table 128) in integers: only the order counts, so roots are left
// out and fractions are multiplied away. The rhomboid has its sign turned, so that all dots grow from
// the middle of their cell. `euclidean` is PDF's Round.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace mezzo::screen {

enum class Dot : uint8_t {
  kRound,
  kEuclidean,
  kEllipse,
  kDiamond,
  kRhomboid,
  kSquare,
  kCross,
  kLine
};

/// As users write them.
inline constexpr std::string_view kDots[] = {
    "round", "euclidean", "ellipse", "diamond", "rhomboid", "square", "cross", "line"};

/// The number of the place (a, b) of a cell whose middle is (0, 0) and whose edges are at -c and c;
/// c <= 2^18.
inline int64_t spot(Dot dot, int64_t a, int64_t b, int64_t c) {
  a = std::abs(a);
  b = std::abs(b);
  const auto squares = [](int64_t x, int64_t y) { return x * x + y * y; };
  switch (dot) {
    case Dot::kRound:
      return -squares(a, b);
    case Dot::kEuclidean:
      return a + b <= c ? c * c - squares(a, b) : squares(c - a, c - b) - c * c;
    case Dot::kEllipse: {  // times 36 c^2
      const int64_t w = 3 * a + 4 * b - 3 * c;
      if (w < 0) return 36 * c * c - squares(3 * a, 4 * b);
      if (w > c) return squares(3 * (c - a), 4 * (c - b)) - 36 * c * c;
      return 18 * c * c - 36 * c * w;
    }
    case Dot::kDiamond:  // times 20 c^2
      if (4 * (a + b) <= 3 * c) return 20 * (c * c - squares(a, b));
      if (100 * (a + b) <= 123 * c) return c * (20 * c - 17 * a - 20 * b);
      return 20 * (squares(c - a, c - b) - c * c);
    case Dot::kRhomboid:
      return -(9 * a + 10 * b);
    case Dot::kSquare:
      return -std::max(a, b);
    case Dot::kCross:
      return -std::min(a, b);
    case Dot::kLine:
      return -b;
  }
  return 0;
}

}  // namespace mezzo::screen
