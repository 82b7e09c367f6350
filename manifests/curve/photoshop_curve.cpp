#include "manifests/curve/photoshop_curve.h"

#include <algorithm>
#include <optional>

namespace mezzo::curve {
namespace {

constexpr size_t kLevelCount = 256;
constexpr size_t kMostTables = 17;  // a master and 16 channels
constexpr size_t kFewestPoints = 2, kMostPoints = 19;

/// A big-endian number of 16 bits; empty beyond the end.
std::optional<uint32_t> number_at(std::string_view bytes, size_t at) {
  if (at + 2 > bytes.size()) return std::nullopt;
  return static_cast<uint32_t>(static_cast<unsigned char>(bytes[at])) << 8 |
         static_cast<unsigned char>(bytes[at + 1]);
}

struct LevelPoint {
  double in = 0, out = 0;
};

/// The natural cubic spline: its second derivatives at the points, by the usual elimination.
std::vector<double> curvatures(const std::vector<LevelPoint>& points) {
  const size_t count = points.size();
  std::vector<double> second(count), factor(count);
  for (size_t i = 1; i + 1 < count; ++i) {
    const double before = points[i].in - points[i - 1].in, after = points[i + 1].in - points[i].in;
    const double change =
        (points[i + 1].out - points[i].out) / after - (points[i].out - points[i - 1].out) / before;
    const double pivot = 2 * (before + after) - before * factor[i - 1];
    factor[i] = after / pivot;
    second[i] = (6 * change - before * second[i - 1]) / pivot;
  }
  for (size_t i = count - 1; i-- > 1;) second[i] -= factor[i] * second[i + 1];
  return second;
}

LevelTable spline_of(const std::vector<LevelPoint>& points) {
  const std::vector<double> second = curvatures(points);
  LevelTable table{};
  size_t piece = 0;
  for (size_t level = 0; level < kLevelCount; ++level) {
    const double in = std::clamp(static_cast<double>(level), points.front().in, points.back().in);
    while (piece + 2 < points.size() && in > points[piece + 1].in) ++piece;
    const LevelPoint &a = points[piece], &b = points[piece + 1];
    const double h = b.in - a.in, t = (in - a.in) / h, u = 1 - t;
    const double bend = ((u * u * u - u) * second[piece] + (t * t * t - t) * second[piece + 1]);
    table[level] = std::clamp(u * a.out + t * b.out + h * h / 6 * bend, 0.0, 255.0);
  }
  return table;
}

/// The points of a curve, and moves `at` behind them; or a mistake.
std::variant<std::vector<LevelPoint>, std::string> points_at(std::string_view bytes, size_t& at) {
  const auto count = number_at(bytes, at);
  at += 2;
  if (!count) return "the file ends before all of its curves: it is cut";
  if (*count < kFewestPoints || *count > kMostPoints) {
    return "a curve has " + std::to_string(*count) + " points, and Photoshop's have 2 to 19";
  }
  std::vector<LevelPoint> points;
  for (uint32_t i = 0; i < *count; ++i, at += 4) {
    const auto out = number_at(bytes, at), in = number_at(bytes, at + 2);
    if (!in || !out) return "the file ends within a curve: it is cut";
    if (*in > 255 || *out > 255) {
      return "a point is at " + std::to_string(*in) + ", " + std::to_string(*out) +
             ", and levels end at 255";
    }
    if (!points.empty() && *in <= points.back().in) {
      return "the points of a curve do not rise from level to level";
    }
    points.push_back({static_cast<double>(*in), static_cast<double>(*out)});
  }
  return points;
}

}  // namespace

bool is_acv(std::string_view bytes) {
  const auto version = number_at(bytes, 0), count = number_at(bytes, 2);
  return version && count && (*version == 1 || *version == 4) && *count <= 255;
}

bool is_amp(std::string_view bytes) {
  const bool is_text = std::ranges::none_of(bytes, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && c != '\t' && c != '\n' && c != '\r';
  });
  return !is_text && !bytes.empty() && bytes.size() % kLevelCount == 0;
}

std::variant<std::vector<LevelTable>, std::string> parse_acv(std::string_view bytes) {
  const uint32_t count = number_at(bytes, 2).value_or(0);
  if (count < 1 || count > kMostTables) {
    return "the file says that it has " + std::to_string(count) + " curves, and 1 to 17 are read";
  }
  std::vector<LevelTable> tables;
  size_t at = 4;
  for (uint32_t i = 0; i < count; ++i) {
    auto points = points_at(bytes, at);
    if (auto* wrong = std::get_if<std::string>(&points)) return std::move(*wrong);
    tables.push_back(spline_of(std::get<std::vector<LevelPoint>>(points)));
  }
  // Later versions repeat all in a part that begins with this.
  if (at < bytes.size() && !bytes.substr(at).starts_with("Crv ")) {
    return "the file goes on behind its curves, with something that is not known";
  }
  return tables;
}

std::variant<std::vector<LevelTable>, std::string> parse_amp(std::string_view bytes) {
  const size_t count = bytes.size() / kLevelCount;
  if (count > kMostTables) {
    return "the file has " + std::to_string(count) + " tables, and 1 to 17 are read";
  }
  std::vector<LevelTable> tables(count);
  for (size_t i = 0; i < bytes.size(); ++i) {
    tables[i / kLevelCount][i % kLevelCount] = static_cast<unsigned char>(bytes[i]);
  }
  return tables;
}

}  // namespace mezzo::curve
