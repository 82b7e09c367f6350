#include "tools/synth/layout.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <utility>

#include "tools/synth/font.h"
#include "tools/synth/photo.h"

namespace mezzo::synth {
namespace {

constexpr double kLeastCap = 4.5;  // capitals lower than this cannot be read

int32_t rounded(double value) {
  return static_cast<int32_t>(std::lround(value));
}

/// Cuts a box into parts of these weights with gaps between, side by side or one above another.
std::vector<Box> split(const Box& box,
                       Direction direction,
                       std::initializer_list<double> weights,
                       int32_t gap) {
  const bool across = direction == Direction::kAcross;
  double total = 0;
  for (const double weight : weights) total += weight;
  const auto gaps = static_cast<int32_t>(weights.size() - 1) * gap;
  const int32_t length = std::max((across ? box.width() : box.height()) - gaps, 0);
  std::vector<Box> parts;
  double sum = 0;
  for (const double weight : weights) {
    const auto before = static_cast<int32_t>(parts.size()) * gap;
    const int32_t begin = rounded(length * sum / total) + before;
    sum += weight;
    const int32_t end = rounded(length * sum / total) + before;
    parts.push_back(across ? Box{box.x0 + begin, box.y0, box.x0 + end, box.y1}
                           : Box{box.x0, box.y0 + begin, box.x1, box.y0 + end});
  }
  return parts;
}

/// Part `i` of `count` equal parts side by side, without gaps.
Box cell(const Box& box, int32_t i, int32_t count) {
  const auto edge = [&](int32_t at) {
    return box.x0 + static_cast<int32_t>(int64_t{box.width()} * at / count);
  };
  return {edge(i), box.y0, edge(i + 1), box.y1};
}

/// Strip `i` of `count`, one above another.
Box strip(const Box& box, uint32_t i, uint32_t count) {
  const auto edge = [&](uint32_t at) {
    return box.y0 + static_cast<int32_t>(int64_t{box.height()} * at / count);
  };
  return {box.x0, edge(i), box.x1, edge(i + 1)};
}

Box middle_square(const Box& box) {
  const int32_t side = std::min(box.width(), box.height());
  const int32_t x = box.x0 + (box.width() - side) / 2, y = box.y0 + (box.height() - side) / 2;
  return {x, y, x + side, y + side};
}

class Layout {
 public:
  explicit Layout(const SynthOptions& options);
  ShapeList take();

 private:
  // Drawing.
  template <typename T, typename... Arguments>
  void add(Arguments&&... arguments);
  void fill(const Box& box, const Ink& ink) { add<Rectangle>(box, ink); }
  void frame(const Box& box);
  void label(const Box& box, const std::string& text, double cap, double align, const Ink& ink);
  Box captioned(const Box& box, const std::string& text);

  // The parts of the page.
  void marks(const Box& trim);
  void crop_mark(int32_t x, int32_t y, int32_t towards_x, int32_t towards_y);
  void register_mark(double x, double y);
  void ink_names(const Box& margin);
  void title(const Box& box);
  void portrait(const Box& box);
  void landscape(const Box& box);
  void picture(const Box& box);
  void zone_plate(const Box& box);
  void star(const Box& box);
  void tones(const Box& box);
  void wedge(const Box& box);
  void patches(const Box& box, int32_t first_percent, int32_t step, int32_t count);
  void colours(const Box& box);
  void across_ramp(const Box& box);
  void down_ramp(const Box& box);
  void extremes(const Box& box);
  void type(const Box& box, const std::string& caption, const Ink& paper, const Ink& ink);
  void line_art(const Box& box);
  void hairlines(const Box& box, Direction direction);
  void rings(const Box& box);
  void screens(const Box& box);

  Ink mix(double c, double m, double y, double k) const {
    return mix_ink(options_.planes, c, m, y, k);
  }
  bool coloured() const { return options_.planes > 1; }
  /// Ink of one plane alone, and its name.
  Ink plane_ink(uint32_t plane, double coverage = 1) const;
  const char* plane_name(uint32_t plane) const;

  SynthOptions options_;
  ShapeList shapes_;
  Box page_;
  double unit_;      // 1 % of the short side, pixels
  double cap_;       // height of a label's capitals
  int32_t gap_;      // between parts
  int32_t line_px_;  // of frames
  Ink black_ = mix_ink(options_.planes, 0, 0, 0, 1);
  Ink paper_ = {};
};

Layout::Layout(const SynthOptions& options)
    : options_(options),
      page_{0, 0, static_cast<int32_t>(options.width_px), static_cast<int32_t>(options.height_px)},
      unit_(std::min(page_.x1, page_.y1) / 100.0),
      cap_(std::max(0.82 * unit_, 5.0)),
      gap_(std::max(rounded(1.5 * unit_), 2)),
      line_px_(std::max(rounded(0.1 * unit_), 1)) {}

ShapeList Layout::take() {
  const int32_t trim_inset = rounded(4.2 * unit_);
  marks(page_.inset(trim_inset));
  const Box content = page_.inset(rounded(6.2 * unit_));
  const int32_t bar = std::max(rounded(4.4 * unit_), 9);
  title({content.x0, content.y0, content.x1, std::min(content.y0 + bar, content.y1)});
  const Box body = {content.x0, content.y0 + bar + gap_, content.x1, content.y1};
  const int32_t ramp_width = std::max(rounded(6.5 * unit_), 8);
  const Box main = {body.x0, body.y0, body.x1 - ramp_width - gap_, body.y1};
  down_ramp({body.x1 - ramp_width, body.y0, body.x1, body.y1});
  if (body.height() * 10 >= body.width() * 9) {
    portrait(main);
  } else {
    landscape(main);
  }
  return std::move(shapes_);
}

template <typename T, typename... Arguments>
void Layout::add(Arguments&&... arguments) {
  auto shape = std::make_unique<const T>(std::forward<Arguments>(arguments)...);
  const Box& box = shape->box();
  const bool seen =
      !box.empty() && box.x0 < page_.x1 && box.x1 > 0 && box.y0 < page_.y1 && box.y1 > 0;
  if (seen) shapes_.push_back(std::move(shape));
}

void Layout::frame(const Box& box) {
  if (box.empty()) return;
  fill({box.x0, box.y0, box.x1, box.y0 + line_px_}, black_);
  fill({box.x0, box.y1 - line_px_, box.x1, box.y1}, black_);
  fill({box.x0, box.y0, box.x0 + line_px_, box.y1}, black_);
  fill({box.x1 - line_px_, box.y0, box.x1, box.y1}, black_);
}

/// A line of text in the middle of the box's height; `align` 0 is left, 0.5 middle, 1 right. The
/// text shrinks to fit, and is left out when it would become illegible.
void Layout::label(
    const Box& box, const std::string& text, double cap, double align, const Ink& ink) {
  if (box.empty()) return;
  cap = std::min({cap, cap * box.width() / text_width(text, cap), box.height() * 0.9});
  if (cap < kLeastCap) return;
  const double x = box.x0 + (box.width() - text_width(text, cap)) * align;
  // Whole pixels: small letters keep crisp tops and feet.
  add<Text>(x, std::round((box.y0 + box.y1 + cap) / 2), cap, text, ink);
}

/// Writes a caption along the top of the box and returns the rest below it.
Box Layout::captioned(const Box& box, const std::string& text) {
  const int32_t height = rounded(cap_ * 1.9);
  if (box.height() < 4 * height || box.width() < 6 * cap_) return box;
  label({box.x0, box.y0, box.x1, box.y0 + rounded(cap_ * 1.15)}, text, cap_, 0, black_);
  return {box.x0, box.y0 + height, box.x1, box.y1};
}

Ink Layout::plane_ink(uint32_t plane, double coverage) const {
  Ink ink = {};
  ink[plane] = static_cast<uint16_t>(std::lround(coverage * kFullInk));
  return ink;
}

const char* Layout::plane_name(uint32_t plane) const {
  static constexpr const char* kInks[] = {"CYAN", "MAGENTA", "YELLOW", "BLACK"};
  static constexpr const char* kLights[] = {"RED", "GREEN", "BLUE"};
  if (!coloured()) return "BLACK";
  return options_.planes == 3 ? kLights[plane] : kInks[plane];
}

void Layout::marks(const Box& trim) {
  crop_mark(trim.x0, trim.y0, -1, -1);
  crop_mark(trim.x1, trim.y0, 1, -1);
  crop_mark(trim.x0, trim.y1, -1, 1);
  crop_mark(trim.x1, trim.y1, 1, 1);
  const double edge = 2.2 * unit_;
  register_mark(page_.x1 / 2.0, edge);
  register_mark(page_.x1 / 2.0, page_.y1 - edge);
  register_mark(edge, page_.y1 / 2.0);
  register_mark(page_.x1 - edge, page_.y1 / 2.0);
  const int32_t top = rounded(1.2 * unit_), low = rounded(3.2 * unit_);
  ink_names({trim.x0 + rounded(2 * unit_), top, page_.x1 / 2 - rounded(4 * unit_), low});
}

/// Two hairlines that point at a corner of the trimmed page from outside.
void Layout::crop_mark(int32_t x, int32_t y, int32_t towards_x, int32_t towards_y) {
  const int32_t from = rounded(0.7 * unit_), to = rounded(3.4 * unit_);
  const int32_t half = line_px_ / 2;
  const auto run = [&](int32_t at, int32_t towards) {
    const int32_t a = at + towards * from, b = at + towards * to;
    return std::pair(std::min(a, b), std::max(a, b));
  };
  const auto [left, right] = run(x, towards_x);
  fill({left, y - half, right, y - half + line_px_}, black_);
  const auto [top, low] = run(y, towards_y);
  fill({x - half, top, x - half + line_px_, low}, black_);
}

/// A cross in a circle, in all inks: they must fall on each other in print.
void Layout::register_mark(double x, double y) {
  const double radius = 0.95 * unit_;
  if (radius < 2.5) return;
  Ink all = {};
  all.fill(kFullInk);
  const double half = line_px_ / 2.0;
  const auto arm = static_cast<int32_t>(1.7 * unit_);
  const int32_t cx = rounded(x - half), cy = rounded(y - half);
  const double mx = cx + half, my = cy + half;  // so that circle and cross share their centre
  add<Ring>(mx, my, radius - half, radius + half, all);
  add<Ring>(mx, my, 0.0, radius * 0.52, all);
  fill({cx - arm, cy, cx + arm + line_px_, cy + line_px_}, all);
  fill({cx, cy - arm, cx + line_px_, cy + arm + line_px_}, all);
  const auto core = static_cast<int32_t>(radius * 0.5);  // the cross is paper on the disc
  fill({cx - core, cy, cx + core + line_px_, cy + line_px_}, paper_);
  fill({cx, cy - core, cx + line_px_, cy + core + line_px_}, paper_);
}

/// Each plane names itself, in its own ink only: on a set of plates every plate carries its name.
void Layout::ink_names(const Box& margin) {
  int32_t x = margin.x0;
  for (uint32_t plane = 0; plane < options_.planes; ++plane) {
    const std::string name = plane_name(plane);
    const int32_t width = rounded(text_width(name, cap_));
    if (x + width > margin.x1) return;
    label({x, margin.y0, x + width + 1, margin.y1}, name, cap_, 0, plane_ink(plane));
    x += width + rounded(2.2 * cap_);
  }
}

void Layout::title(const Box& box) {
  fill(box, black_);
  const char* colours[] = {"GREY", "GREY", "GREY", "RGB", "CMYK"};
  const std::string size = std::to_string(options_.width_px) + " x " +
                           std::to_string(options_.height_px) + " px   " +
                           std::to_string(std::lround(options_.dpi)) + " dpi   " +
                           std::to_string(options_.bits) + "-bit " + colours[options_.planes];
  const std::string name = "MEZZOTINT TEST FORM";
  const double cap = std::max(box.height() * 0.40, kLeastCap);
  const double small = std::max(cap * 0.72, kLeastCap);
  const int32_t pad = rounded(box.height() * 0.4);
  const Box inside = {box.x0 + pad, box.y0, box.x1 - pad, box.y1};
  const double needed = text_width(name, cap, Weight::kBold) + text_width(size, small) + 3 * pad;
  if (needed <= inside.width()) {
    add<Text>(inside.x0, std::round((box.y0 + box.y1 + cap) / 2), cap, name, paper_, Weight::kBold);
    label(inside, size, small, 1, paper_);
  } else {
    label(inside, size, cap, 0.5, paper_);
  }
}

void Layout::portrait(const Box& box) {
  const double tones_weight = coloured() ? 36 : 27;
  const auto rows = split(box, Direction::kDown, {36, tones_weight, 34}, gap_);
  const int32_t side = std::min((rows[0].height() - gap_) / 2, box.width() * 2 / 5);
  picture({rows[0].x0, rows[0].y0, rows[0].x1 - side - gap_, rows[0].y1});
  const auto targets = split(
      {rows[0].x1 - side, rows[0].y0, rows[0].x1, rows[0].y1}, Direction::kDown, {1, 1}, gap_);
  zone_plate(targets[0]);
  star(targets[1]);
  tones(rows[1]);
  const auto low = split(rows[2], Direction::kAcross, {38, 26, 36}, gap_);
  type(low[0], "TYPE", paper_, black_);
  type(low[1], "REVERSED TYPE", black_, paper_);
  line_art(low[2]);
}

void Layout::landscape(const Box& box) {
  const auto halves = split(box, Direction::kAcross, {54, 46}, gap_);
  const auto left = split(
      halves[0], Direction::kDown, {coloured() ? 46.0 : 54.0, coloured() ? 54.0 : 46.0}, gap_);
  picture(left[0]);
  tones(left[1]);
  const auto right = split(halves[1], Direction::kDown, {40, 60}, gap_);
  const auto targets = split(right[0], Direction::kAcross, {1, 1}, gap_);
  zone_plate(targets[0]);
  star(targets[1]);
  const auto low = split(right[1], Direction::kAcross, {36, 28, 36}, gap_);
  type(low[0], "TYPE", paper_, black_);
  type(low[1], "REVERSED", black_, paper_);
  line_art(low[2]);
}

void Layout::picture(const Box& box) {
  if (box.empty()) return;
  shapes_.push_back(make_landscape(box, options_.planes, options_.seed));
  frame(box);
}

void Layout::zone_plate(const Box& box) {
  const Box square = middle_square(box);
  if (square.width() > 3) add<ZonePlate>(square, black_);
  frame(square);
}

void Layout::star(const Box& box) {
  const Box square = middle_square(box);
  frame(square);
  const Box inside = square.inset(line_px_ + rounded(square.width() * 0.05));
  if (inside.width() > 3) add<Star>(inside, 36U, black_);
}

/// The tonal part: step wedge, colours, ramp, the ends of the scale.
void Layout::tones(const Box& box) {
  if (coloured()) {
    const auto rows = split(box, Direction::kDown, {34, 26, 22, 18}, gap_);
    wedge(captioned(rows[0], "STEP WEDGES, PERCENT OF EACH INK"));
    colours(captioned(rows[1], "OVERPRINTS AND GREY BALANCE"));
    across_ramp(captioned(rows[2], "CONTINUOUS RAMPS"));
    extremes(rows[3]);
    return;
  }
  const auto rows = split(box, Direction::kDown, {36, 32, 32}, gap_);
  wedge(captioned(rows[0], "STEP WEDGE, PERCENT"));
  across_ramp(captioned(rows[1], "CONTINUOUS RAMP"));
  extremes(rows[2]);
}

void Layout::wedge(const Box& box) {
  const bool fine = box.width() / 21.0 >= text_width("100", cap_) * 1.15;
  if (fine) {
    patches(box, 0, 5, 21);
  } else {
    patches(box, 0, 10, 11);
  }
}

/// A wedge of `count` patches with their percentages below; a strip for each plane.
void Layout::patches(const Box& box, int32_t first_percent, int32_t step, int32_t count) {
  if (box.empty()) return;
  const int32_t label_height = rounded(cap_ * 1.8);
  const bool labelled = box.height() >= 2 * label_height;
  const Box scale = {box.x0, box.y0, box.x1, labelled ? box.y1 - label_height : box.y1};
  for (int32_t i = 0; i < count; ++i) {
    const int32_t percent = first_percent + i * step;
    for (uint32_t plane = 0; plane < options_.planes; ++plane) {
      fill(cell(strip(scale, plane, options_.planes), i, count), plane_ink(plane, percent / 100.0));
    }
    const Box below = cell({box.x0, scale.y1 + rounded(cap_ * 0.4), box.x1, box.y1}, i, count);
    if (labelled && text_width("00", cap_) < below.width()) {
      label(below, std::to_string(percent), cap_, 0.5, black_);
    }
  }
  frame(scale);
}

/// Solids of every overprint above, a scale of three-colour grey against black below.
void Layout::colours(const Box& box) {
  struct Patch {
    const char* name;
    double c, m, y, k;
  };
  static constexpr Patch kPatches[] = {
      {"C", 1, 0, 0, 0},
      {"M", 0, 1, 0, 0},
      {"Y", 0, 0, 1, 0},
      {"K", 0, 0, 0, 1},
      {"MY", 0, 1, 1, 0},
      {"CY", 1, 0, 1, 0},
      {"CM", 1, 1, 0, 0},
      {"CMY", 1, 1, 1, 0},
      {"SKIN", 0.12, 0.38, 0.42, 0.02},
      {"LEAF", 0.62, 0.22, 0.88, 0.12},
      {"SKY", 0.58, 0.22, 0.02, 0},
      {"BRICK", 0.2, 0.76, 0.82, 0.14},
  };
  constexpr int32_t kCount = std::size(kPatches);
  const auto rows = split(box, Direction::kDown, {50, 25, 25}, 0);
  for (int32_t i = 0; i < kCount; ++i) {
    const Patch& p = kPatches[i];
    const Box patch = cell(rows[0], i, kCount);
    fill(patch, mix(p.c, p.m, p.y, p.k));
    const double dark = 0.30 * p.c + 0.59 * p.m + 0.11 * p.y + p.k;
    const Box name = {patch.x0, patch.y1 - rounded(cap_ * 2), patch.x1, patch.y1};
    label(name, p.name, cap_ * 0.9, 0.5, dark > 0.45 ? paper_ : black_);
  }
  // The inks that print grey of coverage c: cyan is the weakest ink of the three.
  const bool inks = options_.planes == 4;
  for (int32_t i = 0; i < 21; ++i) {
    const double f = i / 20.0;
    const double other = inks ? f * (0.72 + 0.28 * f) : f;
    fill(cell(rows[1], i, 21), mix(f, other, other, 0));
    fill(cell(rows[2], i, 21), mix(0, 0, 0, f));
  }
  frame(box);
}

void Layout::across_ramp(const Box& box) {
  if (box.empty()) return;
  const int32_t ticks = rounded(cap_ * 2.1);
  const bool labelled = box.height() >= 2 * ticks;
  const Box ramp = {box.x0, box.y0, box.x1, labelled ? box.y1 - ticks : box.y1};
  for (uint32_t plane = 0; plane < options_.planes; ++plane) {
    add<Ramp>(strip(ramp, plane, options_.planes), Direction::kAcross, plane_ink(plane));
  }
  frame(ramp);
  if (!labelled) return;
  for (int32_t i = 0; i <= 10; ++i) {
    const int32_t x = ramp.x0 + rounded((ramp.width() - line_px_) * i / 10.0);
    fill({x, ramp.y1, x + line_px_, ramp.y1 + rounded(cap_ * 0.5)}, black_);
    const int32_t half = ramp.width() / 20;
    const double align = i == 0 ? 0 : i == 10 ? 1 : 0.5;
    const auto shift = static_cast<int32_t>(half * 2 * align);
    label({x - shift, ramp.y1 + rounded(cap_ * 0.7), x - shift + 2 * half, box.y1},
          std::to_string(i * 10),
          cap_,
          align,
          black_);
  }
}

/// The ramp along the page's right side: all planes together.
void Layout::down_ramp(const Box& box) {
  if (box.empty()) return;
  const int32_t scale = rounded(text_width("100", cap_) + cap_ * 1.0);
  const bool labelled = box.width() >= 2 * scale && box.height() > 20 * cap_;
  const Box ramp = {box.x0, box.y0, labelled ? box.x1 - scale : box.x1, box.y1};
  const auto halves = split(ramp, Direction::kAcross, {1, coloured() ? 1.0 : 0.0}, 0);
  add<Ramp>(halves[0], Direction::kDown, black_);
  if (coloured()) add<Ramp>(halves[1], Direction::kDown, mix(1, 1, 1, 0));
  frame(ramp);
  for (int32_t i = 0; labelled && i <= 20; ++i) {
    const int32_t y = ramp.y0 + rounded((ramp.height() - line_px_) * i / 20.0);
    const bool named = i % 2 == 0;
    fill({ramp.x1, y, ramp.x1 + rounded(cap_ * (named ? 0.6 : 0.35)), y + line_px_}, black_);
    if (!named) continue;
    const int32_t height = rounded(cap_ * 1.2);
    const int32_t top = std::clamp(y - height / 2, box.y0, box.y1 - height);
    label({ramp.x1 + rounded(cap_ * 0.9), top, box.x1, top + height},
          std::to_string(i * 5),
          cap_,
          0,
          black_);
  }
}

/// Highlights and shadows in single percents, between paper and solid.
void Layout::extremes(const Box& box) {
  const auto halves = split(box, Direction::kAcross, {1, 1}, gap_);
  const bool fine = halves[0].width() / 11.0 >= text_width("00", cap_) * 1.1;
  const int32_t step = fine ? 1 : 2, count = fine ? 11 : 6;
  patches(captioned(halves[0], "HIGHLIGHTS"), 0, step, count);
  patches(captioned(halves[1], "SHADOWS"), 90, step, count);
}

/// Lines of type from 4 points up, until the box is full.
void Layout::type(const Box& box, const std::string& caption, const Ink& paper, const Ink& ink) {
  const Box area = captioned(box, caption);
  if (area.empty()) return;
  if (paper != paper_) fill(area, paper);
  const int32_t pad = paper != paper_ ? std::max(rounded(unit_ * 0.8), 2) : 0;
  const Box text = area.inset(pad);
  // Capitals are 0.7 of the point size. A page much larger than its dpi begins with larger sizes.
  const double least = std::max(text.height() / 70.0, kLeastCap);
  double y = text.y0;
  static constexpr double kSizes[] = {4, 5, 6, 7, 8, 9, 10, 12, 14, 18, 24, 30, 36, 48, 60, 72};
  const auto size_at = [](size_t i) {
    constexpr size_t kKnown = std::size(kSizes);
    return i < kKnown ? kSizes[i] : kSizes[kKnown - 1] * std::pow(1.25, double(i - kKnown + 1));
  };
  static constexpr const char* kCopy[] = {
      "Ink meets paper: the quick proof of a fine grain.",
      "Six jobs ran, yet no plate vexed us: big fonts zip quietly on.",
      "ABC DEF GHI JKL MNO PQR STU VWX YZ 0123456789",
      "Fit: 12.5% + 3/4 (at 2400 dpi) - exact every time.",
  };
  uint32_t line = 0;
  for (size_t i = 0; i < 200; ++i) {
    const double cap = size_at(i) * options_.dpi / 72 * 0.7;
    if (cap < least) continue;
    const double next = y + cap * 1.9;
    if (next > text.y1 + cap * 0.45) break;
    std::string words = std::to_string(std::lround(size_at(i))) + " pt ";
    do {
      words.append(" ").append(kCopy[line++ % std::size(kCopy)]);
    } while (text_width(words, cap) < text.width() && words.size() < 300);
    while (!words.empty() && text_width(words, cap) > text.width()) {
      const size_t space = words.find_last_of(' ');
      words.resize(space == std::string::npos ? 0 : space);
    }
    add<Text>(text.x0, std::round(y + cap * 1.25), cap, words, ink);
    y = next;
  }
}

void Layout::line_art(const Box& box) {
  const Box area = captioned(box, "LINE ART");
  const auto rows = split(area, Direction::kDown, {46, 34}, gap_);
  const auto top = split(rows[0], Direction::kAcross, {1, 1}, gap_);
  hairlines(top[0], Direction::kDown);
  rings(top[1]);
  const auto low = split(rows[1], Direction::kAcross, {1, 2}, gap_);
  hairlines(low[0], Direction::kAcross);
  screens(low[1]);
}

/// Lines of rising weight, from one pixel, each three times.
void Layout::hairlines(const Box& box, Direction direction) {
  frame(box);
  const Box area = box.inset(line_px_ + std::max(rounded(0.5 * unit_), 1));
  const bool down = direction == Direction::kDown;
  const int32_t length = down ? area.height() : area.width();
  int32_t at = 0;
  for (int32_t weight = 1; area.width() > 0 && area.height() > 0; ++weight) {
    // On a page too large for single pixels to be seen, weights double.
    const int32_t px = length > 400 ? 1 << std::min(weight - 1, 20) : weight;
    for (int32_t copy = 0; copy < 3; ++copy) {
      if (at + px > length) return;
      fill(down ? Box{area.x0, area.y0 + at, area.x1, area.y0 + at + px}
                : Box{area.x0 + at, area.y0, area.x0 + at + px, area.y1},
           black_);
      at += 2 * px + std::max(1, px / 2);
    }
    at += px + 1;
  }
}

/// Concentric circles.
void Layout::rings(const Box& box) {
  const Box square = middle_square(box);
  const double centre_x = (square.x0 + square.x1) / 2.0, centre_y = (square.y0 + square.y1) / 2.0;
  const double radius = square.width() / 2.0;
  if (radius < 2) return;
  const int32_t count = std::clamp(static_cast<int32_t>(radius / 4), 1, 12);
  const double spacing = radius / count;
  for (int32_t i = 1; i <= count; ++i) {
    const double outer = radius - (i - 1) * spacing;
    const double width = std::max(1.0, spacing * i / (count + 1.0) * 0.8);
    add<Ring>(centre_x, centre_y, std::max(outer - width, 0.0), outer, black_);
  }
}

/// Checkerboards and line screens of 1, 2 and 4 pixels.
void Layout::screens(const Box& box) {
  using Kind = Pattern::Kind;
  const Kind kinds[] = {Kind::kChecker, Kind::kAcross, Kind::kDown};
  const int32_t sizes[] = {1, 2, 4};
  const auto rows = split(box, Direction::kDown, {1, 1, 1}, std::max(gap_ / 3, 1));
  for (size_t i = 0; i < 3; ++i) {
    const auto cells = split(rows[i], Direction::kAcross, {1, 1, 1}, std::max(gap_ / 3, 1));
    for (size_t j = 0; j < 3; ++j) {
      if (!cells[j].empty()) add<Pattern>(cells[j], kinds[i], sizes[j], black_);
    }
  }
}

}  // namespace

ShapeList lay_out(const SynthOptions& options) {
  return Layout(options).take();
}

}  // namespace mezzo::synth
