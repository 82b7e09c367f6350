#include "tools/synth/photo.h"

#include <algorithm>
#include <cmath>

namespace mezzo::synth {
namespace {

constexpr int32_t kOneBits = 14;  // weights and lightness: 1.0 is 2^14
constexpr int32_t kOne = 1 << kOneBits;

/// A well mixed hash of a lattice point, -8192 .. 8191.
int32_t lattice(uint64_t seed, uint32_t x, uint32_t y) {
  uint64_t h = seed + (uint64_t{y} << 32 | x) * 0x9E3779B97F4A7C15ULL;
  h = (h ^ (h >> 31)) * 0xD6E8FEB86659FD93ULL;
  h ^= h >> 32;
  return static_cast<int32_t>(h & 0x3FFF) - 8192;
}

/// 3t^2 - 2t^3 for t = i / n, in Q14.
int32_t smooth(uint32_t i, uint32_t n) {
  const double t = double(i) / n;
  return static_cast<int32_t>(t * t * (3 - 2 * t) * kOne);
}

/// Value noise in octaves of halving cell and amplitude, a row at a time.
class NoiseField {
 public:
  NoiseField(uint64_t seed, uint32_t cell_x, uint32_t cell_y, uint32_t octaves) {
    for (uint32_t i = 0; i < octaves; ++i) {
      const uint32_t width = std::max(cell_x >> i, 1U), height = std::max(cell_y >> i, 1U);
      if (i > 0 && width < 2) break;
      Octave octave{seed * 977 + i, height, {}};
      for (uint32_t x = 0; x < width; ++x) octave.weights.push_back(smooth(x, width));
      octaves_.push_back(std::move(octave));
    }
  }

  /// Sum of the octaves at y for x in [0, out.size()): about -16384 .. 16383.
  void row(uint32_t y, std::vector<int32_t>& out) const {
    std::fill(out.begin(), out.end(), 0);
    for (size_t i = 0; i < octaves_.size(); ++i) add(octaves_[i], static_cast<int>(i), y, out);
  }

 private:
  struct Octave {
    uint64_t seed;
    uint32_t cell_y;
    std::vector<int32_t> weights;  // one a column of the cell
  };

  static void add(const Octave& octave, int halvings, uint32_t y, std::vector<int32_t>& out) {
    const uint32_t iy = y / octave.cell_y;
    const int32_t weight_y = smooth(y % octave.cell_y, octave.cell_y);
    const auto corner = [&](uint32_t ix) {
      const int32_t top = lattice(octave.seed, ix, iy), low = lattice(octave.seed, ix, iy + 1);
      return (top + ((low - top) * weight_y >> kOneBits)) >> halvings;
    };
    const size_t cell = octave.weights.size();
    const int32_t* weights = octave.weights.data();
    int32_t left = corner(0);
    uint32_t ix = 0;
    for (size_t x = 0; x < out.size(); x += cell) {
      const int32_t right = corner(++ix);
      const int32_t rise = right - left;
      const size_t count = std::min(cell, out.size() - x);
      int32_t* target = out.data() + x;
      for (size_t i = 0; i < count; ++i) target[i] += left + (rise * weights[i] >> kOneBits);
      left = right;
    }
  }

  std::vector<Octave> octaves_;
};

/// Noise along a line, -1 .. 1, with `octaves` of detail below cells of `cell` pixels.
double line_noise(uint64_t seed, double x, double cell, int octaves) {
  double sum = 0, amplitude = 0.5;
  for (int i = 0; i < octaves && cell >= 2; ++i, cell /= 2, amplitude /= 2) {
    const double position = x / cell;
    const auto index = static_cast<uint32_t>(position);
    const double t = position - index, s = t * t * (3 - 2 * t);
    const double a = lattice(seed + uint64_t(i), index, 7);
    const double b = lattice(seed + uint64_t(i), index + 1, 7);
    sum += amplitude * (a + (b - a) * s) / 8192;
  }
  return sum;
}

/// One range of mountains, or the wood on the near shore: everything below a line.
struct Ridge {
  std::vector<int32_t> top_q8;  // the line: row of the picture a column, in 1/256 pixels
  int32_t highest = 0;          // first row that it touches
  int32_t lowest = 0;           // first row that it fills
  Ink light = {};
  Ink shade = {};
  int32_t relief = 0;   // how strongly the surface shows, in 1/16
  int32_t haze_px = 1;  // rows below its top in which it fades towards `light`
};

class Landscape final : public Shape {
 public:
  Landscape(const Box& box, uint32_t planes, uint64_t seed);
  void draw(Row& row) const override;

 private:
  Ink ink(double c, double m, double y, double k) const { return mix_ink(planes_, c, m, y, k); }
  void add_mountains(uint64_t seed);
  void add_wood(uint64_t seed);
  void finish(Ridge ridge);
  void draw_sky(Row& row, uint32_t y) const;
  void draw_water(Row& row, uint32_t y) const;
  void draw_ridge(Row& row, uint32_t y, const Ridge& ridge) const;
  void lay(Row& row, const Ink& from, const Ink& to) const;

  uint32_t planes_;
  int32_t width_, height_;
  int32_t horizon_;  // first row of the lake
  float sun_x_, sun_y_, sun_radius_;
  NoiseField clouds_, rock_, water_;
  std::vector<Ridge> far_;  // behind the lake, back to front
  std::vector<Ridge> near_;
};

uint32_t cell(int32_t length, int32_t parts) {
  return static_cast<uint32_t>(std::max(length / parts, 1));
}

Landscape::Landscape(const Box& box, uint32_t planes, uint64_t seed)
    : Shape(box),
      planes_(planes),
      width_(std::max(box.width(), 0)),
      height_(std::max(box.height(), 0)),
      horizon_(height_ * 70 / 100),
      sun_x_(0.66F * static_cast<float>(width_)),
      sun_y_(0.30F * static_cast<float>(height_)),
      sun_radius_(0.05F * static_cast<float>(height_) + 1),
      clouds_(seed + 1, cell(width_, 3), cell(height_, 7), 6),
      rock_(seed + 2, cell(width_, 12), cell(height_, 10), 7),
      water_(seed + 3, cell(width_, 7), cell(height_, 90), 5) {
  add_mountains(seed);
  add_wood(seed);
}

/// Four ranges, each nearer, lower and darker than the one behind it.
void Landscape::add_mountains(uint64_t seed) {
  struct Range {
    double base, swell, parts;  // mean height and its swing, of the picture's height
    Ink light, shade;
    int32_t relief;
  };
  const Range ranges[] = {
      {0.44, 0.26, 2.3, ink(.30, .19, .06, .00), ink(.52, .38, .14, .05), 9},
      {0.53, 0.20, 3.1, ink(.38, .22, .10, .03), ink(.66, .48, .20, .16), 15},
      {0.60, 0.15, 4.3, ink(.36, .18, .18, .06), ink(.72, .50, .36, .34), 20},
      {0.66, 0.07, 3.7, ink(.46, .22, .40, .12), ink(.80, .56, .62, .56), 24},
  };
  for (const Range& range : ranges) {
    ++seed;
    Ridge ridge;
    for (int32_t x = 0; x < width_; ++x) {
      // Ridged noise: where the swell crosses zero there is a sharp crest.
      const double swell = line_noise(seed * 31, x, width_ / range.parts, 1);
      const double crest = 1 - 2.6 * std::abs(swell);
      const double detail = line_noise(seed * 67, x, width_ / (range.parts * 4), 9);
      const double top = range.base - range.swell * (0.62 * crest + 0.42 * detail);
      ridge.top_q8.push_back(static_cast<int32_t>(top * height_ * 256));
    }
    ridge.light = range.light;
    ridge.shade = range.shade;
    ridge.relief = range.relief;
    ridge.haze_px = std::max(1, static_cast<int32_t>(height_ * (0.10 + range.swell)));
    finish(std::move(ridge));
    far_.push_back(std::move(near_.back()));
    near_.pop_back();
  }
}

/// Spruces in the near corners, cut against the lake.
void Landscape::add_wood(uint64_t seed) {
  Ridge ridge;
  const double bank = 0.97 * height_;
  std::vector<double> top(static_cast<size_t>(width_), bank);
  const int32_t trees = 46;
  for (int32_t i = 0; i < trees; ++i) {
    const auto index = static_cast<uint32_t>(i);
    const double spread = lattice(seed + 91, index, 1) / 8192.0;
    const double away = std::abs(2.0 * i / (trees - 1) - 0.86);  // tallest at the edges
    const double tall = height_ * 0.31 * away * away * (1 + 0.35 * spread);
    if (tall < 0.03 * height_) continue;
    const double middle = (i + 0.5 + 0.4 * lattice(seed + 92, index, 2) / 8192.0) * width_ / trees;
    const double half = tall * 0.21 + 1;
    const auto begin = static_cast<int32_t>(std::max(0.0, middle - half));
    const auto end = static_cast<int32_t>(std::min<double>(width_, middle + half + 1));
    for (int32_t x = begin; x < end; ++x) {
      const double out = std::min(1.0, std::abs(x + 0.5 - middle) / half);
      const double tiers = 8 * out;  // of branches, each with an eave
      const double eave = (tiers - std::floor(tiers)) * 0.55;
      const double reach = 1 - (std::floor(tiers) + eave) / 8;
      const auto column = static_cast<size_t>(x);
      top[column] = std::min(top[column], bank - tall * reach);
    }
  }
  for (const double y : top) ridge.top_q8.push_back(static_cast<int32_t>(y * 256));
  ridge.light = ink(.60, .40, .60, .62);
  ridge.shade = ink(.75, .65, .68, .95);
  ridge.relief = 10;
  ridge.haze_px = 1;
  finish(std::move(ridge));
}

void Landscape::finish(Ridge ridge) {
  if (!ridge.top_q8.empty()) {
    const auto [low, high] = std::ranges::minmax(ridge.top_q8);
    ridge.highest = low >> 8;
    ridge.lowest = (high >> 8) + 1;
  }
  near_.push_back(std::move(ridge));
}

void Landscape::draw(Row& row) const {
  for (auto& values : row.scratch) values.resize(static_cast<size_t>(width_));
  const auto y = static_cast<uint32_t>(row.y - box().y0);
  const auto line = static_cast<int32_t>(y);
  if (line >= horizon_) {
    draw_water(row, y);
  } else {
    // Ranges behind one that fills the row are not seen.
    size_t first = far_.size();
    while (first > 0 && line < far_[first - 1].lowest) --first;
    if (first == 0) draw_sky(row, y);
    rock_.row(y, row.scratch[2]);
    for (size_t i = first == 0 ? 0 : first - 1; i < far_.size(); ++i) {
      if (line >= far_[i].highest) draw_ridge(row, y, far_[i]);
    }
  }
  for (const Ridge& ridge : near_) {
    if (line < ridge.highest) continue;
    rock_.row(y, row.scratch[2]);
    draw_ridge(row, y, ridge);
  }
}

/// Lays the colours between `from` (lightness 0) and `to` (lightness 1) over the row, with the
/// lightness of scratch[0] and the opacity (Q8) of scratch[1].
void Landscape::lay(Row& row, const Ink& from, const Ink& to) const {
  const int32_t begin = std::max(box().x0, 0);
  const int32_t end = std::min(box().x1, row.width_px);
  for (uint32_t plane = 0; plane < row.planes; ++plane) {
    uint16_t* line = row.line[plane] + begin;
    const int32_t* lightness = row.scratch[0].data() + (begin - box().x0);
    const int32_t* opacity = row.scratch[1].data() + (begin - box().x0);
    const int32_t base = from[plane], change = to[plane] - from[plane];
    for (int32_t x = 0; x < end - begin; ++x) {
      const int32_t light = std::clamp(lightness[x], 0, kOne);
      const int32_t ink = base + (change * light >> kOneBits);
      line[x] = static_cast<uint16_t>(line[x] + ((ink - line[x]) * opacity[x] >> 8));
    }
  }
}

/// Deep above, pale at the horizon, lit around the sun, with clouds.
void Landscape::draw_sky(Row& row, uint32_t y) const {
  auto& lightness = row.scratch[0];
  clouds_.row(y, row.scratch[2]);
  const int32_t* cloud = row.scratch[2].data();
  const float dy = static_cast<float>(y) - sun_y_;
  const float r2 = sun_radius_ * sun_radius_;
  const auto fall = static_cast<float>(y) / static_cast<float>(horizon_);
  const float base = 0.02F + 0.84F * fall;
  for (int32_t x = 0; x < width_; ++x) {
    const float dx = static_cast<float>(x) - sun_x_;
    const float d2 = dx * dx + dy * dy;
    const float glow = 6 * r2 / (d2 + 9 * r2);
    const float disc = std::clamp((1.15F * r2 - d2) * 4 / r2, 0.0F, 1.0F);
    const int32_t over = std::max(cloud[x] + 1200, 0);  // only the tops of the noise are cloud
    const float light = base + glow * (1 - 0.5F * base) + disc;
    lightness[static_cast<size_t>(x)] = static_cast<int32_t>(light * kOne) + over;
  }
  std::fill(row.scratch[1].begin(), row.scratch[1].end(), 256);
  lay(row, ink(.78, .46, .06, .10), ink(0, .01, .05, 0));
}

/// A mirror of the sky, dark towards the viewer, broken by ripples; the sun's track on it.
void Landscape::draw_water(Row& row, uint32_t y) const {
  auto& lightness = row.scratch[0];
  water_.row(y, row.scratch[2]);
  const int32_t* ripple = row.scratch[2].data();
  const auto depth = static_cast<float>(static_cast<int32_t>(y) - horizon_);
  const float near = depth / static_cast<float>(std::max(1, height_ - horizon_));
  const float base = 0.74F - 0.50F * near;
  const float track = sun_radius_ * (0.9F + 2.2F * near);
  for (int32_t x = 0; x < width_; ++x) {
    const float dx = (static_cast<float>(x) - sun_x_) / track;
    const float shine = 1 / (1 + dx * dx * dx * dx);
    const auto wave = static_cast<float>(ripple[x]) / kOne;
    const float sparkle = std::clamp(wave * 5 + 0.5F, 0.0F, 1.0F) * shine * 0.6F;
    const float light = base + wave * (0.18F + 0.34F * near) + sparkle;
    lightness[static_cast<size_t>(x)] = static_cast<int32_t>(light * kOne);
  }
  std::fill(row.scratch[1].begin(), row.scratch[1].end(), 256);
  lay(row, ink(.86, .62, .28, .44), ink(.02, .02, .06, 0));
}

/// Lit from the side of the sun: the slope of the noise across the row serves as the rock's.
void Landscape::draw_ridge(Row& row, uint32_t y, const Ridge& ridge) const {
  const int32_t* rock = row.scratch[2].data();
  int32_t* lightness = row.scratch[0].data();
  int32_t* opacity = row.scratch[1].data();
  const int32_t edge = static_cast<int32_t>(y + 1) << 8;
  const int32_t away = std::max(1, width_ / 160);
  const int32_t fade = std::max(1, (ridge.haze_px << 8) / kOne + 1);
  for (int32_t x = 0; x < width_; ++x) {
    const int32_t below = edge - ridge.top_q8[static_cast<size_t>(x)];  // of the line, Q8
    opacity[x] = std::clamp(below, 0, 256);
    const int32_t slope = rock[x] - rock[std::max(x - away, 0)];
    const int32_t haze = std::min(below / fade, kOne) * 5 / 8;
    lightness[x] = kOne / 4 + haze - slope * ridge.relief / 16;
  }
  lay(row, ridge.shade, ridge.light);
}

}  // namespace

Ink mix_ink(uint32_t planes, double cyan, double magenta, double yellow, double black) {
  const auto level = [](double coverage) {
    return static_cast<uint16_t>(std::clamp(coverage, 0.0, 1.0) * kFullInk + 0.5);
  };
  if (planes == 1) return {level(0.30 * cyan + 0.59 * magenta + 0.11 * yellow + black)};
  if (planes == 4) return {level(cyan), level(magenta), level(yellow), level(black)};
  const double rest = 1 - black;
  return {level(1 - (1 - cyan) * rest),
          level(1 - (1 - magenta) * rest),
          level(1 - (1 - yellow) * rest)};
}

std::unique_ptr<const Shape> make_landscape(const Box& box, uint32_t planes, uint64_t seed) {
  return std::make_unique<Landscape>(box, planes, seed);
}

}  // namespace mezzo::synth
