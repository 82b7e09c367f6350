#include "kernels/screen/cells.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <numbers>
#include <numeric>
#include <optional>
#include <tuple>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/screen/tile.h"

namespace mezzo::screen {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kRadians = std::numbers::pi / 180;
constexpr double kMmPerInch = 25.4;

/// Numbers are compared with nine digits, for the last ones differ from machine to machine.
double rounded(double value) {
  return std::round(value * 1e9) / 1e9;
}

/// A number as people write it: 0.1, 50.
std::string text_of(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

/// Lines per pixel, across them.
struct Frequency {
  double x, y;

  Frequency turned() const { return {-y, x}; }  ///< by 90 degrees
  Frequency mirrored() const { return {y, x}; }
  double length() const { return std::hypot(x, y); }
};

Frequency operator+(Frequency a, Frequency b) {
  return {a.x + b.x, a.y + b.y};
}
Frequency operator-(Frequency a, Frequency b) {
  return {a.x - b.x, a.y - b.y};
}

Frequency frequency_of(const Cell& cell) {
  const auto pixels = static_cast<double>(pixels_of(cell));
  return {cell.repeats * double{1} * cell.m / pixels, cell.repeats * double{1} * cell.n / pixels};
}

Cell mirrored(const Cell& cell) {
  return {cell.repeats, cell.n, cell.m};
}

/// A cell that comes near the one that was asked for.
struct Candidate {
  Cell cell;
  Frequency frequency;
  uint64_t pixels;  ///< of its tile
  double error;     ///< of the frequency, as a share of it
};

/// Three candidates 30 degrees apart.
struct Triple {
  std::array<Cell, 3> cells;
  uint64_t pixels;
  double error;
  double remainder;  ///< lines per pixel
};

/// The cells of a side, in pixels, and an angle between 0 and 90 degrees within the tolerance: those
/// with the smallest tiles.
class Candidates {
 public:
  Candidates(double side, double angle, double tolerance)
      : x_(side * std::cos(angle * kRadians)),
        y_(side * std::sin(angle * kRadians)),
        tolerance_(tolerance),
        form_(rounded(angle) == 0        ? Form::kUpright
              : rounded(angle - 45) == 0 ? Form::kDiagonal
                                         : Form::kAny) {
    for (int32_t repeats = 1; repeats <= kMostRepeats; ++repeats) add(repeats);
    constexpr size_t kMost = 128;
    std::ranges::sort(found_, {}, [](const Candidate& one) {
      return std::tuple(one.pixels, one.error, one.cell.repeats, one.cell.m, one.cell.n);
    });
    if (found_.size() > kMost) found_.resize(kMost);
  }

  const std::vector<Candidate>& found() const { return found_; }

 private:
  /// At 0 and 45 degrees only cells at exactly these are taken, so that mirror images are equal.
  enum class Form { kAny, kUpright, kDiagonal };

  static int32_t below(double value) { return static_cast<int32_t>(std::floor(value)); }

  void add(int32_t repeats) {
    if (repeats * (std::max(x_, y_) - 1) > std::sqrt(kMostTile)) return;
    const double reach = 1 + repeats * std::hypot(x_, y_) * tolerance_ * 1.02;
    for (int32_t m = below(repeats * x_ - reach); m <= repeats * x_ + reach; ++m) {
      if (form_ == Form::kUpright) {
        consider({repeats, m, 0});
      } else if (form_ == Form::kDiagonal) {
        consider({repeats, m, m});
      } else {
        for (int32_t n = below(repeats * y_ - reach); n <= repeats * y_ + reach; ++n) {
          consider({repeats, m, n});
        }
      }
    }
  }

  void consider(const Cell& cell) {
    if (cell.m <= 0 || cell.n < 0 || !fault_of(cell).empty()) return;
    if (std::gcd(std::gcd(cell.m, cell.n), cell.repeats) != 1) return;
    const double side = std::hypot(x_, y_);
    const Frequency frequency = frequency_of(cell);
    const Frequency wanted{x_ / (side * side), y_ / (side * side)};
    const double error = rounded((frequency - wanted).length() * side);
    if (error > tolerance_) return;
    found_.push_back({cell, frequency, pixels_of(filled(cell)), error});
  }

  double x_, y_;  // px, of the cell that was asked for
  double tolerance_;
  Form form_;
  std::vector<Candidate> found_;
};

/// The best triple of a side at `angle`, 0 .. 15 degrees, and at 30 and 60 degrees more.
class Triples {
 public:
  Triples(double side, double resolution, double angle, double tolerance)
      : first_(side, angle, tolerance),
        second_(side, angle + 30, tolerance),
        side_(side),
        longest_(kMmPerInch / resolution / kLongMoire),
        is_first_mirrored_(rounded(angle - 15) == 0),
        is_second_mirrored_(rounded(angle) == 0) {
    const bool has_third = !is_first_mirrored_ && !is_second_mirrored_;
    const Candidates third(side, angle + 60, has_third ? tolerance : -1);
    for (const Candidate& a : first_.found()) {
      for (const Candidate& b : second_.found()) {
        if (is_first_mirrored_) consider(a, b, mirror_of(a));
        if (is_second_mirrored_) consider(a, b, mirror_of(b));
        for (const Candidate& c : third.found()) consider(a, b, c);
      }
    }
  }

  /// The smallest with a long period.
  const std::optional<Triple>& smallest() const { return smallest_; }
  /// That with the longest period.
  const std::optional<Triple>& best() const { return best_; }

 private:
  static Candidate mirror_of(const Candidate& one) {
    return {mirrored(one.cell), one.frequency.mirrored(), one.pixels, one.error};
  }

  void consider(const Candidate& a, const Candidate& b, const Candidate& c) {
    const Frequency sum = a.frequency + b.frequency.turned() - c.frequency;
    const double remainder = rounded(sum.length() * side_) / side_;
    const Triple triple{{a.cell, b.cell, c.cell},
                        a.pixels + b.pixels + c.pixels,
                        rounded(a.error + b.error + c.error),
                        remainder};
    const auto size = [](const Triple& t) { return std::tuple(t.pixels, t.error); };
    const auto moire = [](const Triple& t) { return std::tuple(t.remainder, t.pixels, t.error); };
    if (remainder <= longest_ && (!smallest_ || size(triple) < size(*smallest_)))
      smallest_ = triple;
    if (!best_ || moire(triple) < moire(*best_)) best_ = triple;
  }

  Candidates first_, second_;
  double side_, longest_;
  bool is_first_mirrored_, is_second_mirrored_;
  std::optional<Triple> smallest_, best_;
};

std::array<Cell, 3> find_triple(double resolution, double ruling, double angle) {
  const double side = resolution / ruling;
  std::optional<Triple> best;
  for (const double tolerance : {0.001, 0.002, 0.005, 0.01}) {
    const Triples triples(side, resolution, angle, tolerance);
    if (triples.smallest()) return triples.smallest()->cells;
    best = triples.best();
  }
  MZ_ASSERT(best);
  return best->cells;
}

/// Jobs ask for the same few again and again.
std::array<Cell, 3> choose_triple(double resolution, double ruling, double angle) {
  static std::mutex mutex;
  static std::map<std::array<double, 3>, std::array<Cell, 3>> known;
  const std::array key{resolution, ruling, angle};
  const std::lock_guard lock(mutex);
  const auto found = known.find(key);
  return found != known.end() ? found->second : known[key] = find_triple(resolution, ruling, angle);
}

/// Sums of two screens that are a rosette, and of three, in lines of a cell: two at 15 degrees, as
/// yellow and cyan have, sum up to 0.26, and those 4 to 11 degrees apart are seen as lozenges.
constexpr double kRosetteOfTwo = 0.2, kRosetteOfThree = 1.0 / 16;

/// The sums of `base` and one line of each of `others` that are below `rosette`: the longest.
void find_moire(Frequency base,
                std::span<const Frequency> others,
                double least_line,
                double rosette,
                double& longest) {
  if (others.empty()) {
    const double sum = base.length();
    const double share = rounded(sum / least_line);
    if (share > 0 && share < rosette) longest = std::max(longest, sum);
    return;
  }
  Frequency line = others.front();
  for (int quarter = 0; quarter < 4; ++quarter, line = line.turned()) {
    find_moire(base + line, others.subspan(1), least_line, rosette, longest);
  }
}

}  // namespace

double side_of(const Cell& cell) {
  return std::sqrt(static_cast<double>(pixels_of(cell))) / cell.repeats;
}

double ruling_of(const Cell& cell, double resolution) {
  return resolution / side_of(cell);
}

double angle_of(const Cell& cell) {
  const double angle = std::atan2(cell.n, cell.m) / kRadians;
  return angle < 0 ? angle + 360 : angle;
}

uint32_t levels_of(const Cell& cell) {
  return static_cast<uint32_t>(std::min<uint64_t>(pixels_of(filled(cell)), kSolid)) + 1;
}

Cell filled(const Cell& cell) {
  constexpr uint64_t kRanks = 4096;
  constexpr int32_t kCells = 8;
  int32_t times = 1;
  const auto multiplied = [&cell](int32_t by) {
    return Cell{cell.repeats * by, cell.m * by, cell.n * by};
  };
  while (pixels_of(multiplied(times)) < kRanks || cell.repeats * times < kCells) {
    if (pixels_of(multiplied(times + 1)) > kMostTile) break;
    ++times;
  }
  return multiplied(times);
}

std::string fault_of(const Cell& cell) {
  const auto text = [&cell] {
    return "a cell of (" + std::to_string(cell.m) + ", " + std::to_string(cell.n) + ") / " +
           std::to_string(cell.repeats) + " px ";
  };
  if (cell.repeats < 1 || cell.repeats > kMostRepeats) {
    return text() + "must repeat after 1 to " + std::to_string(kMostRepeats) + " cells";
  }
  if (pixels_of(cell) > kMostTile) {
    return text() + "takes more than the " + std::to_string(kMostTile) + " px of a tile";
  }
  if (side_of(cell) < kLeastCellSide) return text() + "is less than 4 px wide";
  return {};
}

Cell choose_cell(double resolution, double ruling, double angle) {
  constexpr std::string_view kRuling = "halftone.ruling";
  const double side = resolution / ruling;
  if (!(ruling >= kLeastRuling)) {
    throw Error(ErrorKind::kUsage, "a ruling must be at least " + text_of(kLeastRuling) + " lpi")
        .about(kRuling);
  }
  if (rounded(side) < kLeastCellSide) {
    throw Error(ErrorKind::kUsage,
                "a ruling of " + text_of(ruling) + " lpi at " + text_of(resolution) +
                    " dpi leaves less than 4 px to a cell",
                "give the plates' resolution, such as 2400 dpi, or use at most " +
                    text_of(std::floor(resolution / kLeastCellSide)) + " lpi")
        .about(kRuling);
  }
  constexpr double kMostSide = 500;  // px; a little below the root of kMostTile, to leave a choice
  if (side > kMostSide) {
    throw Error(ErrorKind::kUsage,
                "a ruling of " + text_of(ruling) + " lpi at " + text_of(resolution) +
                    " dpi makes cells of more than 500 px",
                "use at least " + text_of(std::ceil(resolution / kMostSide)) + " lpi")
        .about(kRuling);
  }
  const double turned = angle - 90 * std::floor(angle / 90);  // 0 .. 90
  const double third = turned - 30 * std::floor(turned / 30);
  const bool is_mirrored = rounded(third - 15) > 0;
  const double upright = is_mirrored ? 90 - turned : turned;
  const auto member = static_cast<size_t>(std::floor(rounded(upright) / 30));
  const std::array<Cell, 3> cells =
      choose_triple(resolution, ruling, upright - 30 * static_cast<double>(member));
  Cell cell = is_mirrored ? mirrored(cells[member]) : cells[member];
  for (double left = angle; left >= 90; left -= 90) cell = {cell.repeats, -cell.n, cell.m};
  return cell;
}

double moire_period(std::span<const Cell> cells, double resolution) {
  std::vector<Frequency> lines;
  for (const Cell& cell : cells) lines.push_back(frequency_of(cell));
  double longest = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    for (size_t j = i + 1; j < lines.size(); ++j) {
      const double least = std::min(lines[i].length(), lines[j].length());
      find_moire(lines[i], std::array{lines[j]}, least, kRosetteOfTwo, longest);
      for (size_t k = j + 1; k < lines.size(); ++k) {
        find_moire(lines[i],
                   std::array{lines[j], lines[k]},
                   std::min(least, lines[k].length()),
                   kRosetteOfThree,
                   longest);
      }
    }
  }
  return longest == 0 ? kInfinite : kMmPerInch / resolution / longest;
}

}  // namespace mezzo::screen
