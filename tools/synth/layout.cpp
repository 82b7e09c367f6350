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

/// The page as it is being filled, in units of its size.
struct Form {
  explicit Form(const SynthOptions& all)
      : options(all),
        page{0, 0, static_cast<int32_t>(all.width_px), static_cast<int32_t>(all.height_px)},
        unit(std::min(page.x1, page.y1) / 100.0),
        cap(std::max(0.82 * unit, 5.0)),
        gap(std::max(rounded(1.5 * unit), 2)),
        line_px(std::max(rounded(0.1 * unit), 1)) {}

  template <typename T, typename... Arguments>
  void add(Arguments&&... arguments) {
    auto shape = std::make_unique<const T>(std::forward<Arguments>(arguments)...);
    const Box& box = shape->box();
    const bool seen =
        !box.empty() && box.x0 < page.x1 && box.x1 > 0 && box.y0 < page.y1 && box.y1 > 0;
    if (seen) shapes.push_back(std::move(shape));
  }

  void fill(const Box& box, const Ink& ink) { add<Rectangle>(box, ink); }

  void frame(const Box& box) {
    if (box.empty()) return;
    fill({box.x0, box.y0, box.x1, box.y0 + line_px}, black);
    fill({box.x0, box.y1 - line_px, box.x1, box.y1}, black);
    fill({box.x0, box.y0, box.x0 + line_px, box.y1}, black);
    fill({box.x1 - line_px, box.y0, box.x1, box.y1}, black);
  }

  /// A line of text in the middle of the box's height; `align` 0 is left, 0.5 middle, 1 right. The
  /// text shrinks to fit, and is left out when it would become illegible.
  void label(const Box& box, const std::string& text, double height, double align, const Ink& ink) {
    if (box.empty()) return;
    height =
        std::min({height, height * box.width() / text_width(text, height), box.height() * 0.9});
    if (height < kLeastCap) return;
    const double x = box.x0 + (box.width() - text_width(text, height)) * align;
    // Whole pixels: small letters keep crisp tops and feet.
    add<Text>(x, std::round((box.y0 + box.y1 + height) / 2), height, text, ink);
  }

  /// Writes a caption along the top of the box and returns the rest below it.
  Box captioned(const Box& box, const std::string& text) {
    const int32_t height = rounded(cap * 1.9);
    if (box.height() < 4 * height || box.width() < 6 * cap) return box;
    label({box.x0, box.y0, box.x1, box.y0 + rounded(cap * 1.15)}, text, cap, 0, black);
    return {box.x0, box.y0 + height, box.x1, box.y1};
  }

  Ink mix(double c, double m, double y, double k) const {
    return mix_ink(options.planes, c, m, y, k);
  }
  bool coloured() const { return options.planes > 1; }

  /// Ink of one plane alone, and its name.
  Ink plane_ink(uint32_t plane, double coverage = 1) const {
    Ink ink = {};
    ink[plane] = static_cast<uint16_t>(std::lround(coverage * kFullInk));
    return ink;
  }

  const char* plane_name(uint32_t plane) const {
    static constexpr const char* kInks[] = {"CYAN", "MAGENTA", "YELLOW", "BLACK"};
    static constexpr const char* kLights[] = {"RED", "GREEN", "BLUE"};
    if (!coloured()) return "BLACK";
    return options.planes == 3 ? kLights[plane] : kInks[plane];
  }

  SynthOptions options;
  ShapeList shapes = {};
  Box page;
  double unit;      ///< 1 % of the short side, pixels
  double cap;       ///< height of a label's capitals
  int32_t gap;      ///< between parts
  int32_t line_px;  ///< of frames
  Ink black = mix_ink(options.planes, 0, 0, 0, 1);
  Ink paper = {};
};

/// Two hairlines that point at a corner of the trimmed page from outside.
void crop_mark(Form& form, int32_t x, int32_t y, int32_t towards_x, int32_t towards_y) {
  const int32_t from = rounded(0.7 * form.unit), to = rounded(3.4 * form.unit);
  const int32_t half = form.line_px / 2;
  const auto run = [&](int32_t at, int32_t towards) {
    const int32_t a = at + towards * from, b = at + towards * to;
    return std::pair(std::min(a, b), std::max(a, b));
  };
  const auto [left, right] = run(x, towards_x);
  form.fill({left, y - half, right, y - half + form.line_px}, form.black);
  const auto [top, low] = run(y, towards_y);
  form.fill({x - half, top, x - half + form.line_px, low}, form.black);
}

/// A cross in a circle, in all inks: they must fall on each other in print.
void register_mark(Form& form, double x, double y) {
  const double radius = 0.95 * form.unit;
  if (radius < 2.5) return;
  Ink all = {};
  all.fill(kFullInk);
  const double half = form.line_px / 2.0;
  const auto arm = static_cast<int32_t>(1.7 * form.unit);
  const int32_t cx = rounded(x - half), cy = rounded(y - half);
  const double mx = cx + half, my = cy + half;  // so that circle and cross share their centre
  form.add<Ring>(mx, my, radius - half, radius + half, all);
  form.add<Ring>(mx, my, 0.0, radius * 0.52, all);
  form.fill({cx - arm, cy, cx + arm + form.line_px, cy + form.line_px}, all);
  form.fill({cx, cy - arm, cx + form.line_px, cy + arm + form.line_px}, all);
  const auto core = static_cast<int32_t>(radius * 0.5);  // the cross is paper on the disc
  form.fill({cx - core, cy, cx + core + form.line_px, cy + form.line_px}, form.paper);
  form.fill({cx, cy - core, cx + form.line_px, cy + core + form.line_px}, form.paper);
}

/// Each plane names itself, in its own ink only: on a set of plates every plate carries its name.
void ink_names(Form& form, const Box& margin) {
  int32_t x = margin.x0;
  for (uint32_t plane = 0; plane < form.options.planes; ++plane) {
    const std::string name = form.plane_name(plane);
    const int32_t width = rounded(text_width(name, form.cap));
    if (x + width > margin.x1) return;
    form.label({x, margin.y0, x + width + 1, margin.y1}, name, form.cap, 0, form.plane_ink(plane));
    x += width + rounded(2.2 * form.cap);
  }
}

void marks(Form& form, const Box& trim) {
  crop_mark(form, trim.x0, trim.y0, -1, -1);
  crop_mark(form, trim.x1, trim.y0, 1, -1);
  crop_mark(form, trim.x0, trim.y1, -1, 1);
  crop_mark(form, trim.x1, trim.y1, 1, 1);
  const double edge = 2.2 * form.unit;
  register_mark(form, form.page.x1 / 2.0, edge);
  register_mark(form, form.page.x1 / 2.0, form.page.y1 - edge);
  register_mark(form, edge, form.page.y1 / 2.0);
  register_mark(form, form.page.x1 - edge, form.page.y1 / 2.0);
  const int32_t top = rounded(1.2 * form.unit), low = rounded(3.2 * form.unit);
  ink_names(
      form,
      {trim.x0 + rounded(2 * form.unit), top, form.page.x1 / 2 - rounded(4 * form.unit), low});
}

void title(Form& form, const Box& box) {
  form.fill(box, form.black);
  const char* colours[] = {"GREY", "GREY", "GREY", "RGB", "CMYK"};
  const std::string size =
      std::to_string(form.options.width_px) + " x " + std::to_string(form.options.height_px) +
      " px   " + std::to_string(std::lround(form.options.dpi)) + " dpi   " +
      std::to_string(form.options.bits) + "-bit " + colours[form.options.planes];
  const std::string name = "MEZZOTINT TEST FORM";
  const double cap = std::max(box.height() * 0.40, kLeastCap);
  const double small = std::max(cap * 0.72, kLeastCap);
  const int32_t pad = rounded(box.height() * 0.4);
  const Box inside = {box.x0 + pad, box.y0, box.x1 - pad, box.y1};
  const double needed = text_width(name, cap, Weight::kBold) + text_width(size, small) + 3 * pad;
  if (needed <= inside.width()) {
    form.add<Text>(
        inside.x0, std::round((box.y0 + box.y1 + cap) / 2), cap, name, form.paper, Weight::kBold);
    form.label(inside, size, small, 1, form.paper);
  } else {
    form.label(inside, size, cap, 0.5, form.paper);
  }
}

void picture(Form& form, const Box& box) {
  if (box.empty()) return;
  form.shapes.push_back(make_landscape(box, form.options.planes, form.options.seed));
  form.frame(box);
}

void zone_plate(Form& form, const Box& box) {
  const Box square = middle_square(box);
  if (square.width() > 3) form.add<ZonePlate>(square, form.black);
  form.frame(square);
}

void star(Form& form, const Box& box) {
  const Box square = middle_square(box);
  form.frame(square);
  const Box inside = square.inset(form.line_px + rounded(square.width() * 0.05));
  if (inside.width() > 3) form.add<Star>(inside, 36U, form.black);
}

/// A wedge of `count` patches with their percentages below; a strip for each plane.
void patches(Form& form, const Box& box, int32_t first_percent, int32_t step, int32_t count) {
  if (box.empty()) return;
  const int32_t label_height = rounded(form.cap * 1.8);
  const bool labelled = box.height() >= 2 * label_height;
  const Box scale = {box.x0, box.y0, box.x1, labelled ? box.y1 - label_height : box.y1};
  for (int32_t i = 0; i < count; ++i) {
    const int32_t percent = first_percent + i * step;
    for (uint32_t plane = 0; plane < form.options.planes; ++plane) {
      form.fill(cell(strip(scale, plane, form.options.planes), i, count),
                form.plane_ink(plane, percent / 100.0));
    }
    const Box below = cell({box.x0, scale.y1 + rounded(form.cap * 0.4), box.x1, box.y1}, i, count);
    if (labelled && text_width("00", form.cap) < below.width()) {
      form.label(below, std::to_string(percent), form.cap, 0.5, form.black);
    }
  }
  form.frame(scale);
}

void wedge(Form& form, const Box& box) {
  const bool fine = box.width() / 21.0 >= text_width("100", form.cap) * 1.15;
  if (fine) {
    patches(form, box, 0, 5, 21);
  } else {
    patches(form, box, 0, 10, 11);
  }
}

/// Solids of every overprint above, a scale of three-colour grey against black below.
void colours(Form& form, const Box& box) {
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
    form.fill(patch, form.mix(p.c, p.m, p.y, p.k));
    const double dark = 0.30 * p.c + 0.59 * p.m + 0.11 * p.y + p.k;
    const Box name = {patch.x0, patch.y1 - rounded(form.cap * 2), patch.x1, patch.y1};
    form.label(name, p.name, form.cap * 0.9, 0.5, dark > 0.45 ? form.paper : form.black);
  }
  // The inks that print grey of coverage c: cyan is the weakest ink of the three.
  const bool inks = form.options.planes == 4;
  for (int32_t i = 0; i < 21; ++i) {
    const double f = i / 20.0;
    const double other = inks ? f * (0.72 + 0.28 * f) : f;
    form.fill(cell(rows[1], i, 21), form.mix(f, other, other, 0));
    form.fill(cell(rows[2], i, 21), form.mix(0, 0, 0, f));
  }
  form.frame(box);
}

void across_ramp(Form& form, const Box& box) {
  if (box.empty()) return;
  const int32_t ticks = rounded(form.cap * 2.1);
  const bool labelled = box.height() >= 2 * ticks;
  const Box ramp = {box.x0, box.y0, box.x1, labelled ? box.y1 - ticks : box.y1};
  for (uint32_t plane = 0; plane < form.options.planes; ++plane) {
    form.add<Ramp>(
        strip(ramp, plane, form.options.planes), Direction::kAcross, form.plane_ink(plane));
  }
  form.frame(ramp);
  if (!labelled) return;
  for (int32_t i = 0; i <= 10; ++i) {
    const int32_t x = ramp.x0 + rounded((ramp.width() - form.line_px) * i / 10.0);
    form.fill({x, ramp.y1, x + form.line_px, ramp.y1 + rounded(form.cap * 0.5)}, form.black);
    const int32_t half = ramp.width() / 20;
    const double align = i == 0 ? 0 : i == 10 ? 1 : 0.5;
    const auto shift = static_cast<int32_t>(half * 2 * align);
    form.label({x - shift, ramp.y1 + rounded(form.cap * 0.7), x - shift + 2 * half, box.y1},
               std::to_string(i * 10),
               form.cap,
               align,
               form.black);
  }
}

/// The ramp along the page's right side: all planes together.
void down_ramp(Form& form, const Box& box) {
  if (box.empty()) return;
  const int32_t scale = rounded(text_width("100", form.cap) + form.cap * 1.0);
  const bool labelled = box.width() >= 2 * scale && box.height() > 20 * form.cap;
  const Box ramp = {box.x0, box.y0, labelled ? box.x1 - scale : box.x1, box.y1};
  const auto halves = split(ramp, Direction::kAcross, {1, form.coloured() ? 1.0 : 0.0}, 0);
  form.add<Ramp>(halves[0], Direction::kDown, form.black);
  if (form.coloured()) form.add<Ramp>(halves[1], Direction::kDown, form.mix(1, 1, 1, 0));
  form.frame(ramp);
  for (int32_t i = 0; labelled && i <= 20; ++i) {
    const int32_t y = ramp.y0 + rounded((ramp.height() - form.line_px) * i / 20.0);
    const bool named = i % 2 == 0;
    form.fill({ramp.x1, y, ramp.x1 + rounded(form.cap * (named ? 0.6 : 0.35)), y + form.line_px},
              form.black);
    if (!named) continue;
    const int32_t height = rounded(form.cap * 1.2);
    const int32_t top = std::clamp(y - height / 2, box.y0, box.y1 - height);
    form.label({ramp.x1 + rounded(form.cap * 0.9), top, box.x1, top + height},
               std::to_string(i * 5),
               form.cap,
               0,
               form.black);
  }
}

/// Highlights and shadows in single percents, between paper and solid.
void extremes(Form& form, const Box& box) {
  const auto halves = split(box, Direction::kAcross, {1, 1}, form.gap);
  const bool fine = halves[0].width() / 11.0 >= text_width("00", form.cap) * 1.1;
  const int32_t step = fine ? 1 : 2, count = fine ? 11 : 6;
  patches(form, form.captioned(halves[0], "HIGHLIGHTS"), 0, step, count);
  patches(form, form.captioned(halves[1], "SHADOWS"), 90, step, count);
}

/// The tonal part: step wedge, colours, ramp, the ends of the scale.
void tones(Form& form, const Box& box) {
  if (form.coloured()) {
    const auto rows = split(box, Direction::kDown, {34, 26, 22, 18}, form.gap);
    wedge(form, form.captioned(rows[0], "STEP WEDGES, PERCENT OF EACH INK"));
    colours(form, form.captioned(rows[1], "OVERPRINTS AND GREY BALANCE"));
    across_ramp(form, form.captioned(rows[2], "CONTINUOUS RAMPS"));
    extremes(form, rows[3]);
    return;
  }
  const auto rows = split(box, Direction::kDown, {36, 32, 32}, form.gap);
  wedge(form, form.captioned(rows[0], "STEP WEDGE, PERCENT"));
  across_ramp(form, form.captioned(rows[1], "CONTINUOUS RAMP"));
  extremes(form, rows[2]);
}

/// Lines of type from 4 points up, until the box is full.
void type(
    Form& form, const Box& box, const std::string& caption, const Ink& paper, const Ink& ink) {
  const Box area = form.captioned(box, caption);
  if (area.empty()) return;
  if (paper != form.paper) form.fill(area, paper);
  const int32_t pad = paper != form.paper ? std::max(rounded(form.unit * 0.8), 2) : 0;
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
    const double cap = size_at(i) * form.options.dpi / 72 * 0.7;
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
    form.add<Text>(text.x0, std::round(y + cap * 1.25), cap, words, ink);
    y = next;
  }
}

/// Lines of rising weight, from one pixel, each three times.
void hairlines(Form& form, const Box& box, Direction direction) {
  form.frame(box);
  const Box area = box.inset(form.line_px + std::max(rounded(0.5 * form.unit), 1));
  const bool down = direction == Direction::kDown;
  const int32_t length = down ? area.height() : area.width();
  int32_t at = 0;
  for (int32_t weight = 1; area.width() > 0 && area.height() > 0; ++weight) {
    // On a page too large for single pixels to be seen, weights double.
    const int32_t px = length > 400 ? 1 << std::min(weight - 1, 20) : weight;
    for (int32_t copy = 0; copy < 3; ++copy) {
      if (at + px > length) return;
      form.fill(down ? Box{area.x0, area.y0 + at, area.x1, area.y0 + at + px}
                     : Box{area.x0 + at, area.y0, area.x0 + at + px, area.y1},
                form.black);
      at += 2 * px + std::max(1, px / 2);
    }
    at += px + 1;
  }
}

/// Concentric circles.
void rings(Form& form, const Box& box) {
  const Box square = middle_square(box);
  const double centre_x = (square.x0 + square.x1) / 2.0, centre_y = (square.y0 + square.y1) / 2.0;
  const double radius = square.width() / 2.0;
  if (radius < 2) return;
  const int32_t count = std::clamp(static_cast<int32_t>(radius / 4), 1, 12);
  const double spacing = radius / count;
  for (int32_t i = 1; i <= count; ++i) {
    const double outer = radius - (i - 1) * spacing;
    const double width = std::max(1.0, spacing * i / (count + 1.0) * 0.8);
    form.add<Ring>(centre_x, centre_y, std::max(outer - width, 0.0), outer, form.black);
  }
}

/// Checkerboards and line screens of 1, 2 and 4 pixels.
void screens(Form& form, const Box& box) {
  using Kind = Pattern::Kind;
  const Kind kinds[] = {Kind::kChecker, Kind::kAcross, Kind::kDown};
  const int32_t sizes[] = {1, 2, 4};
  const auto rows = split(box, Direction::kDown, {1, 1, 1}, std::max(form.gap / 3, 1));
  for (size_t i = 0; i < 3; ++i) {
    const auto cells = split(rows[i], Direction::kAcross, {1, 1, 1}, std::max(form.gap / 3, 1));
    for (size_t j = 0; j < 3; ++j) {
      if (!cells[j].empty()) form.add<Pattern>(cells[j], kinds[i], sizes[j], form.black);
    }
  }
}

void line_art(Form& form, const Box& box) {
  const Box area = form.captioned(box, "LINE ART");
  const auto rows = split(area, Direction::kDown, {46, 34}, form.gap);
  const auto top = split(rows[0], Direction::kAcross, {1, 1}, form.gap);
  hairlines(form, top[0], Direction::kDown);
  rings(form, top[1]);
  const auto low = split(rows[1], Direction::kAcross, {1, 2}, form.gap);
  hairlines(form, low[0], Direction::kAcross);
  screens(form, low[1]);
}

void portrait(Form& form, const Box& box) {
  const double tones_weight = form.coloured() ? 36 : 27;
  const auto rows = split(box, Direction::kDown, {36, tones_weight, 34}, form.gap);
  const int32_t side = std::min((rows[0].height() - form.gap) / 2, box.width() * 2 / 5);
  picture(form, {rows[0].x0, rows[0].y0, rows[0].x1 - side - form.gap, rows[0].y1});
  const auto targets = split(
      {rows[0].x1 - side, rows[0].y0, rows[0].x1, rows[0].y1}, Direction::kDown, {1, 1}, form.gap);
  zone_plate(form, targets[0]);
  star(form, targets[1]);
  tones(form, rows[1]);
  const auto low = split(rows[2], Direction::kAcross, {38, 26, 36}, form.gap);
  type(form, low[0], "TYPE", form.paper, form.black);
  type(form, low[1], "REVERSED TYPE", form.black, form.paper);
  line_art(form, low[2]);
}

void landscape(Form& form, const Box& box) {
  const auto halves = split(box, Direction::kAcross, {54, 46}, form.gap);
  const auto left = split(halves[0],
                          Direction::kDown,
                          {form.coloured() ? 46.0 : 54.0, form.coloured() ? 54.0 : 46.0},
                          form.gap);
  picture(form, left[0]);
  tones(form, left[1]);
  const auto right = split(halves[1], Direction::kDown, {40, 60}, form.gap);
  const auto targets = split(right[0], Direction::kAcross, {1, 1}, form.gap);
  zone_plate(form, targets[0]);
  star(form, targets[1]);
  const auto low = split(right[1], Direction::kAcross, {36, 28, 36}, form.gap);
  type(form, low[0], "TYPE", form.paper, form.black);
  type(form, low[1], "REVERSED", form.black, form.paper);
  line_art(form, low[2]);
}

}  // namespace

ShapeList lay_out(const SynthOptions& options) {
  Form form(options);
  const int32_t trim_inset = rounded(4.2 * form.unit);
  marks(form, form.page.inset(trim_inset));
  const Box content = form.page.inset(rounded(6.2 * form.unit));
  const int32_t bar = std::max(rounded(4.4 * form.unit), 9);
  title(form, {content.x0, content.y0, content.x1, std::min(content.y0 + bar, content.y1)});
  const Box body = {content.x0, content.y0 + bar + form.gap, content.x1, content.y1};
  const int32_t ramp_width = std::max(rounded(6.5 * form.unit), 8);
  const Box main = {body.x0, body.y0, body.x1 - ramp_width - form.gap, body.y1};
  down_ramp(form, {body.x1 - ramp_width, body.y0, body.x1, body.y1});
  if (body.height() * 10 >= body.width() * 9) {
    portrait(form, main);
  } else {
    landscape(form, main);
  }
  return std::move(form.shapes);
}

}  // namespace mezzo::synth
