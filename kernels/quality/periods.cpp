#include "kernels/quality/periods.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "kernels/base/error.h"

namespace mezzo::quality {
namespace {

constexpr int kLowest = 2;  // steps from 0
constexpr int kOwn = 2;     // within which the power of a line lies
constexpr int kNeighbours = 9;
constexpr double kLineChance = 1e-3;
constexpr double kLeastLevel = 1e-4;  // of the mean power
constexpr size_t kMostLines = 16;

/// A frequency in steps; the plane goes on beyond its edges.
struct Step {
  int u = 0, v = 0;
};

/// The part of the power of a line that its window lets through so many steps away.
double leak(int steps) {
  const double d = std::abs(steps) - 0.5;  // a line lies up to half a step aside
  return d < 1.5 ? 1 : std::pow(std::numbers::pi * d * (d * d - 1), -2);
}

/// Powers of frequencies near one: as far from 0 as it is, and in its direction.
struct Neighbours {
  std::vector<double> around, along;
};

/// Reorders `values`.
double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

class PowerPlane {
 public:
  PowerPlane(const std::vector<double>& power, double independent, const PeriodRange& range)
      : power_(power), independent_(independent), side_(static_cast<int>(range.tile_px)) {
    judge(range.shortest_px > 0 ? side_ / range.shortest_px : side_);
  }

  Periods find() const;

 private:
  struct Judged {
    Step step;
    double level = 0, ratio = 0;
    double error = 0;  ///< relative, of the level
  };

  size_t index_of(int u, int v) const {
    const auto wrapped = [this](int step) {
      return static_cast<size_t>((step % side_ + side_) % side_);
    };
    return wrapped(u) * static_cast<size_t>(side_) + wrapped(v);
  }
  double at(int u, int v) const { return power_[index_of(u, v)]; }
  void judge(double highest);
  Judged judge(Step step, Neighbours& neighbours) const;
  double chance_of(const Judged& one) const;
  bool is_highest(Step step) const;
  double leaked(const std::vector<Judged>& lines, Step to) const;
  SpectrumLine line_of(const Judged& one) const;
  double offset(double before, double middle, double after) const;

  const std::vector<double>& power_;
  double independent_;
  int side_;
  double least_level_ = 0;
  std::vector<double> ratios_;
  std::vector<Judged> judged_;
};

/// One half of the plane, without the frequencies next to 0, and those of them up to `highest`.
void PowerPlane::judge(double highest) {
  const double sum = std::accumulate(power_.begin(), power_.end(), 0.0);
  ratios_.assign(power_.size(), 0.0);
  if (sum == 0) return;
  least_level_ = kLeastLevel * sum / static_cast<double>(power_.size());
  Neighbours neighbours;
  for (int u = 0; u <= side_ / 2; ++u) {
    for (int v = -side_ / 2 + 1; v <= side_ / 2; ++v) {
      const bool is_half = (u > 0 && u < side_ / 2) || v >= 0;
      const double distance = std::hypot(u, v);
      if (!is_half || distance < kLowest || distance > highest + kOwn + 1) continue;
      const Judged one = judge({u, v}, neighbours);
      ratios_[index_of(u, v)] = ratios_[index_of(-u, -v)] = one.ratio;
      if (distance <= highest) judged_.push_back(one);
    }
  }
}

PowerPlane::Judged PowerPlane::judge(Step step, Neighbours& neighbours) const {
  const double distance = std::hypot(step.u, step.v);
  neighbours.around.clear();
  neighbours.along.clear();
  for (int du = -kNeighbours; du <= kNeighbours; ++du) {
    for (int dv = -kNeighbours; dv <= kNeighbours; ++dv) {
      if (std::abs(du) <= kOwn && std::abs(dv) <= kOwn) continue;
      const double other = std::hypot(step.u + du, step.v + dv);
      if (other < kLowest) continue;
      if (std::abs(other - distance) <= 1.5 + distance / 16) {
        neighbours.around.push_back(at(step.u + du, step.v + dv));
      }
      const double outward = std::abs(du * step.u + dv * step.v) / distance;
      const double aside = std::abs(du * step.v - dv * step.u) / distance;
      if (aside <= kOwn && outward > kOwn && outward <= kNeighbours - kOwn) {
        neighbours.along.push_back(at(step.u + du, step.v + dv));
      }
    }
  }
  const size_t least = std::min(neighbours.around.size(), neighbours.along.size());
  // The error of a median, of neighbours that are 2.25 times alike by their window.
  const double error = 1.25 * 1.5 / std::sqrt(static_cast<double>(least) * independent_);
  const double middle = std::max(median(neighbours.around), median(neighbours.along));
  const double level = std::max(middle / std::pow(1 - 1 / (9 * independent_), 3), least_level_);
  return {step, level, at(step.u, step.v) / level, error};
}

double PowerPlane::chance_of(const Judged& one) const {
  const double ratio = one.ratio / (1 + 3 * one.error);
  return std::min(
      1.0, static_cast<double>(judged_.size()) * upper_gamma(independent_, independent_ * ratio));
}

bool PowerPlane::is_highest(Step step) const {
  const double ratio = ratios_[index_of(step.u, step.v)];
  for (int du = -kOwn; du <= kOwn; ++du) {
    for (int dv = -kOwn; dv <= kOwn; ++dv) {
      if (ratios_[index_of(step.u + du, step.v + dv)] > ratio) return false;
    }
  }
  return true;
}

double PowerPlane::leaked(const std::vector<Judged>& lines, Step to) const {
  double sum = 0;
  for (const Judged& line : lines) {
    for (const int sign : {1, -1}) {
      // Frequencies wrap around at half a cycle a pixel.
      const auto away = [this](int from, int at) {
        const int steps = std::abs(from - at) % side_;
        return std::min(steps, side_ - steps);
      };
      sum += at(line.step.u, line.step.v) * leak(away(sign * line.step.u, to.u)) *
             leak(away(sign * line.step.v, to.v));
    }
  }
  return sum;
}

/// How many steps a line lies beside the highest of three powers, for the window sin^2.
double PowerPlane::offset(double before, double middle, double after) const {
  const double beside = std::sqrt(std::max({before, after, 0.0}) / middle);
  const double steps = std::clamp((2 * beside - 1) / (beside + 1), 0.0, 0.5);
  return after > before ? steps : -steps;
}

SpectrumLine PowerPlane::line_of(const Judged& one) const {
  const auto [u, v] = one.step;
  const double power = at(u, v) - one.level;
  const double by_u = offset(at(u - 1, v) - one.level, power, at(u + 1, v) - one.level);
  const double by_v = offset(at(u, v - 1) - one.level, power, at(u, v + 1) - one.level);
  const auto response = [](double d) {
    return d == 0 ? 1 : std::sin(std::numbers::pi * d) / (std::numbers::pi * d * (1 - d * d));
  };
  SpectrumLine line{(u + by_u) / side_, (v + by_v) / side_, one.ratio, chance_of(one), 0};
  if (line.across < 0) line = {-line.across, -line.down, line.ratio, line.chance, 0};
  // A wave has half of its amplitude at either sign of its frequency, both at once where they meet.
  const bool meets = u % (side_ / 2) == 0 && v % (side_ / 2) == 0;
  const double window = side_ * side_ / 4.0;  // sum of the weights
  line.amplitude = (meets ? 1 : 2) * std::sqrt(power) / window / response(by_u) / response(by_v);
  return line;
}

Periods PowerPlane::find() const {
  Periods found;
  std::vector<Judged> by_power = judged_;
  std::ranges::sort(
      by_power, std::greater<>(), [&](const Judged& one) { return at(one.step.u, one.step.v); });
  std::vector<Judged> lines;
  for (const Judged& one : by_power) {
    if (one.ratio <= 1 || !is_highest(one.step)) continue;
    if (at(one.step.u, one.step.v) <= 4 * leaked(lines, one.step)) continue;
    found.highest_ratio = std::max(found.highest_ratio, one.ratio);
    if (chance_of(one) < kLineChance) lines.push_back(one);
  }
  std::ranges::stable_sort(lines, std::greater<>(), &Judged::ratio);
  if (lines.size() > kMostLines) lines.resize(kMostLines);
  for (const Judged& one : lines) found.lines.push_back(line_of(one));
  double low = 1, high = 1000;
  while (high - low > 1e-3) {
    const double middle = (low + high) / 2;
    const double reached =
        static_cast<double>(judged_.size()) * upper_gamma(independent_, independent_ * middle);
    (reached < kLineChance ? high : low) = middle;
  }
  found.noise_ratio = high;
  return found;
}

/// Independent tiles of `count` that overlap by half: neighbours share 1/36 of their variance.
double independent_of(uint32_t count) {
  return 1.0 * count * count / (count + (count - 1) / 18.0);
}

}  // namespace

double SpectrumLine::angle_degrees() const {
  if (down == 0) return 0;
  const double angle = std::atan2(-down, across) * 180 / std::numbers::pi;
  return angle < 0 ? angle + 180 : angle;
}

double upper_gamma(double a, double x) {
  MZ_ASSERT(a > 0 && x >= 0);
  if (x == 0) return 1;
  const double factor = std::exp(a * std::log(x) - x - std::lgamma(a));
  if (x < a + 1) {  // a series of the lower one
    double term = 1 / a, sum = term;
    for (double n = a + 1; std::abs(term) > 1e-16 * sum; ++n) sum += term *= x / n;
    return 1 - sum * factor;
  }
  // A continued fraction, by Lentz.
  double b = x + 1 - a, c = 1e300, d = 1 / b, value = d;
  for (int i = 1; i < 10'000; ++i) {
    const double n = -i * (i - a);
    b += 2;
    d = 1 / (n * d + b);
    c = b + n / c;
    value *= d * c;
    if (std::abs(d * c - 1) < 1e-15) break;
  }
  return factor * value;
}

PeriodFinder::PeriodFinder(const PeriodRange& range)
    : range_(range),
      fft_(range.tile_px, range.tile_px),
      power_(size_t{range.tile_px} * range.tile_px, 0.0) {
  MZ_ASSERT(range.tile_px % 2 == 0 && range.tile_px >= 32);
  for (uint32_t x = 0; x < range.tile_px; ++x) {
    const double sine = std::sin(std::numbers::pi * (x + 0.5) / range.tile_px);
    weights_.push_back(sine * sine);
  }
}

void PeriodFinder::add(const BandView<const double>& tile) {
  const uint32_t side = range_.tile_px;
  MZ_ASSERT(tile.width_px == side && tile.rows == side);
  double sum = 0;
  for (uint32_t y = 0; y < side; ++y) {
    double of_row = 0;
    for (uint32_t x = 0; x < side; ++x) of_row += weights_[x] * tile.row(y)[x];
    sum += weights_[y] * of_row;
  }
  const double mean = sum / (side * side / 4.0);
  for (uint32_t y = 0; y < side; ++y) {
    std::complex<double>* values = fft_.values().data() + size_t{y} * side;
    for (uint32_t x = 0; x < side; ++x) {
      values[x] = weights_[y] * weights_[x] * (tile.row(y)[x] - mean);
    }
  }
  fft_.forward();
  for (size_t i = 0; i < power_.size(); ++i) power_[i] += std::norm(fft_.spectrum()[i]);
  ++tiles_;
}

Periods PeriodFinder::find(double independent) const {
  Periods found;
  found.highest_ratio = std::numeric_limits<double>::quiet_NaN();
  if (tiles_ > 0) {
    MZ_ASSERT(independent >= 1 && independent <= tiles_);
    std::vector<double> mean = power_;
    for (double& power : mean) power /= tiles_;
    found = PowerPlane(mean, independent, range_).find();
  }
  found.tiles = tiles_;
  return found;
}

Periods find_periods(const BandView<const double>& field, const PeriodRange& range) {
  PeriodFinder finder(range);
  const uint32_t side = range.tile_px;
  uint32_t across = 0, down = 0;
  for (uint32_t y = 0; y + side <= field.rows; y += side / 2) {
    across = 0;
    for (uint32_t x = 0; x + side <= field.width_px; x += side / 2) {
      finder.add({field.row(y) + x, side, side, field.stride_px, 0});
      ++across;
    }
    ++down;
  }
  if (across == 0 || down == 0) return finder.find(1);
  return finder.find(independent_of(across) * independent_of(down));
}

Periods find_periods(const BitBand& bits, const PeriodRange& range) {
  std::vector<double> field(size_t{bits.width_px} * bits.rows);
  for (uint32_t y = 0; y < bits.rows; ++y) {
    for (uint32_t x = 0; x < bits.width_px; ++x) {
      field[size_t{y} * bits.width_px + x] = bits.ink(x, y) ? 1 : 0;
    }
  }
  return find_periods(
      BandView<const double>{field.data(), bits.width_px, bits.rows, bits.width_px, 0}, range);
}

}  // namespace mezzo::quality
