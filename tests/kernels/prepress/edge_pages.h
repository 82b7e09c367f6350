// Pages of ink15 with type, line work and photographs, for tests of scaling by edges.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numbers>
#include <random>
#include <span>
#include <vector>

#include "kernels/band/ink15.h"
#include "tests/kernels/prepress/scale_planes.h"

namespace mezzo::test::edge_pages {

constexpr int kSolid = static_cast<int>(kInk15);

/// The distance of a point from the border of a shape, px of the page; less than 0 inside.
using Shape = std::function<double(double x, double y)>;

inline Shape disc(double x0, double y0, double diameter) {
  return [=](double x, double y) { return std::hypot(x - x0, y - y0) - diameter / 2; };
}

inline Shape bar(double x0, double y0, double degrees, double width, double length) {
  const double angle = degrees * std::numbers::pi / 180;
  return [=, c = std::cos(angle), s = std::sin(angle)](double x, double y) {
    const double along = (x - x0) * c + (y - y0) * s, across = (y - y0) * c - (x - x0) * s;
    return std::max(std::abs(along) - length / 2, std::abs(across) - width / 2);
  };
}

/// The part of a pixel that a shape covers.
inline double coverage(const Shape& shape, uint32_t x, uint32_t y) {
  constexpr int kParts = 16;
  const double middle = shape(x + 0.5, y + 0.5);
  if (std::abs(middle) > 1) return middle < 0 ? 1 : 0;
  int inside = 0;
  for (int part = 0; part < kParts * kParts; ++part) {
    inside += shape(x + (part % kParts + 0.5) / kParts, y + (part / kParts + 0.5) / kParts) <= 0;
  }
  return inside / double{kParts * kParts};
}

/// Puts `ink` where the shape is, its border anti-aliased: the mean over each pixel, in levels of 8
/// bits as a page has them.
inline void draw(const Shape& shape, int ink, Plane& page) {
  for (uint32_t y = 0; y < page.height_px; ++y) {
    for (uint32_t x = 0; x < page.width_px; ++x) {
      uint16_t& sample = page.samples[size_t{y} * page.width_px + x];
      const double mixed = sample + (ink - sample) * coverage(shape, x, y);
      sample = static_cast<uint16_t>(std::lround(mixed / 128) * 128);
    }
  }
}

inline Plane filled(uint32_t width, uint32_t height, int ink) {
  Plane page(width, height);
  std::ranges::fill(page.samples, static_cast<uint16_t>(ink));
  return page;
}

/// Strokes and dots of several levels on several grounds, as type is.
inline Plane type_page(uint32_t width, uint32_t height, uint32_t seed) {
  std::mt19937 random(seed);
  const auto up_to = [&](uint32_t most) { return static_cast<double>(random() % (most + 1)); };
  constexpr int kInks[] = {0, kSolid, kSolid, kSolid / 5 * 2, kSolid / 5 * 3, kSolid / 8, 128};
  Plane page = filled(width, height, kInks[random() % std::size(kInks)]);
  const uint32_t shapes = 3 + width * height / 300;
  for (uint32_t i = 0; i < shapes; ++i) {
    const double x = up_to(10 * width) / 10, y = up_to(10 * height) / 10;
    const double thick = 0.3 + up_to(40) / 10;
    const int ink = kInks[random() % std::size(kInks)];
    if (i % 3 == 0) {
      draw(disc(x, y, 2 * thick), ink, page);
    } else {
      draw(bar(x, y, up_to(180), thick, 4 + up_to(20)), ink, page);
    }
  }
  return page;
}

/// `page` with a grain of `most` ink15 at most.
inline Plane grained(Plane page, int most, uint32_t seed) {
  std::mt19937 random(seed);
  for (uint16_t& sample : page.samples) {
    const int grain = static_cast<int>(random() % (2 * static_cast<uint32_t>(most) + 1)) - most;
    sample = static_cast<uint16_t>(std::clamp(sample + grain, 0, kSolid));
  }
  return page;
}

/// `page` out of focus: means of 3x3 pixels, twice.
inline Plane blurred(const Plane& page) {
  Plane from = page;
  for (int time = 0; time < 2; ++time) {
    const Plane sharp = from;
    for (int64_t y = 0; y < page.height_px; ++y) {
      for (int64_t x = 0; x < page.width_px; ++x) {
        int sum = 0;
        for (int part = 0; part < 9; ++part) sum += sharp.at(x + part % 3 - 1, y + part / 3 - 1);
        from.samples[static_cast<size_t>(y * page.width_px + x)] = static_cast<uint16_t>(sum / 9);
      }
    }
  }
  return from;
}

inline Plane noise(uint32_t width, uint32_t height, uint32_t seed) {
  Plane page(width, height);
  std::mt19937 random(seed);
  for (uint16_t& sample : page.samples) {
    const uint32_t kind = random() % 4;
    sample = static_cast<uint16_t>(kind == 0 ? 0 : kind == 1 ? kInk15 : random() % (kInk15 + 1));
  }
  return page;
}

/// The left half of one page beside the right half of another.
inline Plane halves(const Plane& left, Plane right) {
  for (uint32_t y = 0; y < right.height_px; ++y) {
    const auto row = left.samples.begin() + std::ptrdiff_t{y} * left.width_px;
    std::copy_n(row, left.width_px / 2, right.samples.begin() + std::ptrdiff_t{y} * left.width_px);
  }
  return right;
}

/// Bars of many angles and widths, solid on paper.
inline Plane type_in_black(uint32_t width, uint32_t height) {
  Plane page = filled(width, height, 0);
  for (uint32_t i = 0; i < width * height / 300; ++i) {
    const double x = i * 37 % width + i % 10 / 10.0, y = i * 23 % height + i % 7 / 7.0;
    draw(bar(x, y, i * 29 % 180, 0.5 + i % 8 / 3.0, 4 + i % 15), kSolid, page);
  }
  return page;
}

/// Another ink with the same borders: `paper` percent where `page` is paper, `solid` where it is solid; in levels
/// of 8 bits.
inline Plane in_proportion(Plane page, int paper, int solid) {
  for (uint16_t& sample : page.samples) {
    const int ink = (kSolid - sample) / 128 * paper + sample / 128 * solid;
    sample = static_cast<uint16_t>((ink + 50) / 100 * 128);
  }
  return page;
}

/// Percents of ink by the ink of a page, an eighth of a solid apart.
using InkCurve = std::array<double, 9>;

/// The inks of black and of dark blue type that an ICC profile makes of RGB pixels: by coverage, as measured.
constexpr InkCurve kIccBlack[] = {{0, 11.0, 25.5, 40.8, 52.5, 62.0, 68.2, 73.3, 74.5},
                                  {0, 9.0, 21.2, 34.1, 45.1, 55.7, 63.9, 67.8, 67.8},
                                  {0, 9.4, 21.6, 34.5, 45.1, 54.9, 63.5, 66.3, 65.5},
                                  {0, 0, 0, 0.8, 9.8, 29.4, 61.2, 89.4, 90.2}};
constexpr InkCurve kIccBlue[] = {{0, 9.4, 22.0, 34.9, 49.8, 66.7, 83.9, 100, 100},
                                 {0, 7.8, 17.3, 27.8, 40.0, 55.3, 74.5, 92.5, 92.5},
                                 {0, 2.0, 4.7, 7.1, 9.4, 10.2, 11.4, 16.9, 18.0},
                                 {0, 0, 0, 0, 0, 0.4, 1.2, 3.9, 30.2}};

/// Another ink with the same borders, by a curve; in levels of 8 bits.
inline Plane on_curve(Plane page, const InkCurve& curve) {
  for (uint16_t& sample : page.samples) {
    const double at = sample * 8.0 / kSolid;
    const auto i = std::min<size_t>(static_cast<size_t>(at), curve.size() - 2);
    const double percent = curve[i] + (curve[i + 1] - curve[i]) * (at - static_cast<double>(i));
    sample = static_cast<uint16_t>(std::lround(percent * 2.55) * 128);
  }
  return page;
}

/// The planes of a page that a profile has separated.
inline std::vector<Plane> separated(const Plane& page, std::span<const InkCurve> curves) {
  std::vector<Plane> planes;
  for (const InkCurve& curve : curves) planes.push_back(on_curve(page, curve));
  return planes;
}

inline std::vector<Plane> pages(uint32_t width, uint32_t height) {
  const Plane type = type_page(width, height, width + height);
  return {type,
          grained(type, 7 * 128, 1),
          grained(type, 128, 2),
          blurred(type),
          halves(type, noise(width, height, 3)),
          halves(blurred(type), grained(type_page(width, height, 5), 3 * 128, 6))};
}

/// A page whose planes have borders in common, others that are alike in part, and others of their own.
inline std::vector<Plane> planes_of(uint32_t width, uint32_t height, uint32_t seed) {
  const Plane type = type_page(width, height, seed);
  return {in_proportion(type, 0, 60),
          type,
          in_proportion(type, 40, 0),
          halves(in_proportion(type, 10, 80), type_page(width, height, seed + 1)),
          grained(in_proportion(type, 5, 95), 3 * 128, seed),
          noise(width, height, seed)};
}

/// Pages whose planes follow each other on curves: type, type with a negative plane, type whose planes differ in one
/// half of the page, and type with grain.
inline std::vector<Plane> curved_planes_of(uint32_t width, uint32_t height, uint32_t seed) {
  const Plane type = seed % 2 == 0 ? type_in_black(width, height) : type_page(width, height, seed);
  std::vector<Plane> page = separated(type, kIccBlack);
  if (seed % 4 == 1) page.push_back(on_curve(type, {90, 89, 80, 60, 30, 10, 4, 1, 0}));
  if (seed % 4 == 2) page[seed % 3] = halves(page[seed % 3], type_page(width, height, seed + 1));
  if (seed % 4 == 3) page[seed % 3] = grained(page[seed % 3], 4 * 128, seed);
  return page;
}

}  // namespace mezzo::test::edge_pages
