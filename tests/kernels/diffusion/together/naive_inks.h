// Inks together, naively: whole planes of everything, and a pixel at a time in any order that has
// its neighbours and the planes before it done. Written from the definition, with divisions.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/diffusion/rules/rules.h"
#include "tests/kernels/diffusion/naive_diffusion.h"
#include "tests/kernels/diffusion/together/ink_planes.h"

namespace mezzo::test {

/// The greatest whole number that is at most a / b, b > 0.
inline int64_t floor_of(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

template <diffusion::Rule R>
class NaiveInks {
 public:
  NaiveInks(const R& rule, const InkPlanes& inks, bool light)
      : rule_(rule), inks_(inks), light_(light) {
    for (size_t k = 0; k < inks.samples.size(); ++k) {
      planes_.emplace_back(inks.width(), inks.rows());
    }
  }

  void planes_innermost() {
    for (int y = 0; y < inks_.rows(); ++y) {
      for (int x = 0; x < inks_.width(); ++x) {
        for (size_t k = 0; k < planes_.size(); ++k) decide(k, x, y);
      }
    }
  }
  void plane_after_plane() {
    for (size_t k = 0; k < planes_.size(); ++k) {
      for (int y = 0; y < inks_.rows(); ++y) {
        for (int x = 0; x < inks_.width(); ++x) decide(k, x, y);
      }
    }
  }
  /// Along diagonals x + 2 y.
  void by_knight_moves() {
    for (int step = 0; step < inks_.width() + 2 * inks_.rows(); ++step) {
      for (int y = 0; y < inks_.rows(); ++y) {
        const int x = step - 2 * y;
        if (x < 0 || x >= inks_.width()) continue;
        for (size_t k = 0; k < planes_.size(); ++k) decide(k, x, y);
      }
    }
  }

  bool ink(size_t k, int x, int y) const { return planes_[k].ink.at(x, y) != 0; }
  int residue(size_t k, int x, int y) const { return planes_[k].residue.at(x, y); }
  /// The field of plane k's account with plane j.
  int owed(size_t k, size_t j, int x, int y) const { return planes_[k].owed[j].at(x, y); }

 private:
  struct Plane {
    Plane(int width, int rows)
        : collected(width, rows),
          residue(width, rows),
          ink(width, rows),
          owed(3, NumberPlane(width, rows)) {}
    NumberPlane collected, residue, ink;
    std::vector<NumberPlane> owed;
  };

  void decide(size_t k, int x, int y) {
    Plane& own = planes_[k];
    const size_t accounts = std::min<size_t>(k, 3);
    const int64_t tone = inks_.tone(k, x, y);
    int64_t a[3], beyond[3], terms = 0, tones = 0, errors = 0;
    for (size_t j = 0; j < accounts; ++j) {
      const int64_t of_j = inks_.tone(j, x, y), left = own.owed[j].at(x - 1, y);
      beyond[j] = (ink(j, x, y) ? 4096 : 0) - of_j;
      a[j] = floor_of(left + own.owed[j].at(x + 1, y - 1) + 1, 2);
      terms += floor_of((a[j] - floor_of(beyond[j] * (2048 - tone), 4096)) * beyond[j], 4096);
      tones += of_j;
      errors += std::is_same_v<R, diffusion::FeedbackRule>
                    ? floor_of(planes_[j].residue.at(x, y), 2)
                    : planes_[j].residue.at(x, y);
    }
    const int64_t l = light_ ? std::max<int64_t>(0, 1024 - tone - tones) : 0;
    int64_t z = std::clamp<int64_t>(floor_of(terms, 2) + floor_of(errors * l, 2048), -1023, 1023);
    if (accounts == 0) z = 0;
    if (accounts > 0 && tone == 0) z = -100'000;
    if (accounts > 0 && tone == 4096) z = 100'000;
    const auto ux = static_cast<uint32_t>(x), uy = static_cast<uint32_t>(y);
    const SampleBand in = inks_.samples[k]->band;
    const diffusion::Decision d = rule_.decide(
        static_cast<int>(tone),
        own.collected.at(x, y),
        {.x = ux, .y = in.first_row + uy, .plane = in.plane, .lowered = static_cast<int>(z)});
    push(own, x, y, rule_.shares(d.residue, static_cast<int>(tone)));
    own.residue.add(x, y, d.residue);
    own.ink.add(x, y, d.ink ? 1 : 0);
    for (size_t j = 0; j < accounts; ++j) {
      const int64_t mine = (d.ink ? 4096 : 0) - tone;
      const int64_t v = a[j] - floor_of(mine * beyond[j], 4096);
      const int64_t left = v - floor_of(v * l, 4096);
      own.owed[j].add(x, y, static_cast<int>(std::clamp<int64_t>(left, -4095, 4095)));
    }
  }

  static void push(Plane& own, int x, int y, const diffusion::Shares& shares) {
    own.collected.add(x + 1, y, shares.right);
    own.collected.add(x - 1, y + 1, shares.down_left);
    own.collected.add(x, y + 1, shares.down);
    own.collected.add(x + 1, y + 1, shares.down_right);
  }

  const R rule_;
  const InkPlanes& inks_;
  const bool light_;
  std::vector<Plane> planes_;
};

}  // namespace mezzo::test
