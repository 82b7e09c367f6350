// Colour direct binary search as its definition reads (colour_dbs.h): the energy of the whole page is
// counted anew, from its states, for every change that is looked at.
//
// Slow: a round counts the page once a pixel and change, so think of pages of some ten pixels.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "kernels/search/colour/colour_dbs.h"
#include "kernels/search/colour/colour_eyes.h"
#include "kernels/together/ink_colours.h"

namespace mezzo::test {

/// A page of several inks, and its states.
struct ColourPage {
  ColourPage(int width_px, int height_px, int ink_count)
      : width(width_px), height(height_px), inks(ink_count) {
    const auto pixels = static_cast<size_t>(width * height);
    tones.assign(static_cast<size_t>(inks), std::vector<uint16_t>(pixels));
    states.assign(pixels, 0);
    for (const auto& plane : tones) planes.push_back(plane.data());
  }
  ColourPage(const ColourPage&) = delete;
  ColourPage& operator=(const ColourPage&) = delete;

  /// Tones at random, among them paper and solid, and inks where noise falls below them.
  void fill(uint32_t seed) {
    std::mt19937 random(seed);
    for (size_t pixel = 0; pixel < states.size(); ++pixel) {
      for (size_t k = 0; k < tones.size(); ++k) {
        const auto kind = random() % 8, tone = random() % 4097;
        tones[k][pixel] = static_cast<uint16_t>(kind == 0 ? 0 : kind == 1 ? 4096 : tone);
      }
    }
    start(seed);
  }

  void fill_flat(const std::vector<uint16_t>& values, uint32_t seed) {
    for (size_t k = 0; k < tones.size(); ++k) tones[k].assign(states.size(), values[k]);
    start(seed);
  }

  void start(uint32_t seed) {
    std::mt19937 random(seed + 1);
    for (size_t pixel = 0; pixel < states.size(); ++pixel) {
      states[pixel] = 0;
      for (size_t k = 0; k < tones.size(); ++k) {
        if (random() % 4096 < tones[k][pixel]) states[pixel] |= static_cast<uint8_t>(1U << k);
      }
    }
  }

  search::colour::Page page() {
    // Vectors keep their place.
    return {
        static_cast<uint32_t>(width), static_cast<uint32_t>(height), planes.data(), states.data()};
  }

  const int width, height, inks;
  std::vector<std::vector<uint16_t>> tones;
  std::vector<uint8_t> states;

 private:
  std::vector<const uint16_t*> planes;
};

/// Sets of 1 to 6 inks: each takes light of its own kind away.
inline proof::PrintColours some_print(int inks) {
  proof::PrintColours print;
  print.paper = {94, 0, -3};
  const std::vector<proof::Lab> solids = {
      {16, 0, 0}, {46, 72, -5}, {54, -36, -49}, {87, -6, 90}, {60, 60, 70}, {55, -70, 30}};
  print.solids.assign(solids.begin(), solids.begin() + inks);
  return print;
}
inline together::InkColours some_colours(int inks) {
  return together::InkColours::of(some_print(inks));
}

class NaiveColourDbs {
 public:
  NaiveColourDbs(const ColourPage& page, const together::InkColours& colours)
      : page_(page), colours_(colours), states(page.states) {}

  uint64_t energy() const { return energy_of(states); }

  void round() {
    for (int group = 0; group < 4; ++group) {
      const int rows = (page_.height + kCell - 1) / kCell,
                columns = (page_.width + kCell - 1) / kCell;
      for (int row = group / 2; row < rows; row += 2) {
        for (int column = group % 2; column < columns; column += 2) {
          for (int y = row * kCell; y < std::min(page_.height, (row + 1) * kCell); ++y) {
            for (int x = column * kCell; x < std::min(page_.width, (column + 1) * kCell); ++x) {
              visit(y, x);
            }
          }
        }
      }
    }
  }

 private:
  static constexpr int kRadius = search::colour::kEyeRadius;
  const ColourPage& page_;
  const together::InkColours& colours_;
  static constexpr int kCell = 16;

  size_t index(int y, int x) const { return static_cast<size_t>(y * page_.width + x); }
  bool has(int y, int x) const { return y >= 0 && y < page_.height && x >= 0 && x < page_.width; }
  int channels() const { return 3 + page_.inks; }

  int64_t value(int channel, uint32_t state) const {
    if (channel >= 3) return (state >> (channel - 3) & 1) != 0 ? 200 : 0;
    const int64_t light = colours_.states[state][static_cast<size_t>(channel)];
    return channel == 1 ? light : (640 * light + 512) >> 10;
  }

  /// A(s) after the inks before `ink`; `state` names inks from `ink` on.
  int64_t area(int channel, size_t pixel, int ink, uint32_t state) const {
    if (ink == 0) return 256 * value(channel, state);
    const int64_t tone = page_.tones[static_cast<size_t>(ink - 1)][pixel];
    return (area(channel, pixel, ink - 1, 2 * state) * (4096 - tone) +
            area(channel, pixel, ink - 1, 2 * state + 1) * tone + 2048) >>
           12;
  }
  int64_t target(int channel, size_t pixel) const {
    if (channel >= 3) {
      return (200 * page_.tones[static_cast<size_t>(channel - 3)][pixel] + 128) >> 8;
    }
    return (area(channel, pixel, page_.inks, 0) + 8) >> 4;
  }

  static int64_t eye(int channel, int dy, int dx) {
    if (std::abs(dy) > kRadius || std::abs(dx) > kRadius) return 0;
    const auto& quarter =
        channel == 0 ? search::colour::kLuminanceEye : search::colour::kChrominanceEye;
    return quarter[std::abs(dy)][std::abs(dx)];
  }

  uint64_t energy_of(const std::vector<uint8_t>& some) const {
    uint64_t sum = 0;
    for (int channel = 0; channel < channels(); ++channel) {
      std::vector<int64_t> errors;
      for (size_t i = 0; i < some.size(); ++i) {
        errors.push_back(16 * value(channel, some[i]) - target_of(channel, i));
      }
      for (int y = -kRadius; y < page_.height + kRadius; ++y) {
        for (int x = -kRadius; x < page_.width + kRadius; ++x) {
          int64_t seen = 0;
          for (int qy = std::max(0, y - kRadius); qy <= std::min(page_.height - 1, y + kRadius);
               ++qy) {
            for (int qx = std::max(0, x - kRadius); qx <= std::min(page_.width - 1, x + kRadius);
                 ++qx) {
              seen += eye(channel, qy - y, qx - x) * errors[index(qy, qx)];
            }
          }
          seen = (seen + 8) >> 4;
          sum += static_cast<uint64_t>(seen * seen);
        }
      }
    }
    return sum;
  }

  /// target(), kept.
  int64_t target_of(int channel, size_t pixel) const {
    if (targets_.empty()) {
      for (int i = 0; i < channels(); ++i) {
        for (size_t p = 0; p < page_.states.size(); ++p) targets_.push_back(target(i, p));
      }
    }
    return targets_[static_cast<size_t>(channel) * page_.states.size() + pixel];
  }
  mutable std::vector<int64_t> targets_;

  bool is_free(size_t pixel, uint32_t inks, int least) const {
    for (size_t k = 0; k < page_.tones.size(); ++k) {
      const bool fixed = page_.tones[k][pixel] < least || page_.tones[k][pixel] > 4096 - least;
      if ((inks >> k & 1) != 0 && fixed) return false;
    }
    return true;
  }

  void visit(int y, int x) {
    const std::vector<uint8_t> before = states;
    const size_t m = index(y, x);
    uint64_t least = energy();
    std::vector<uint8_t> best = states;
    const auto consider = [&](const std::vector<uint8_t>& changed) {
      const uint64_t energy = energy_of(changed);
      if (energy < least) least = energy, best = changed;
    };
    for (uint32_t s = 0; s < 1U << page_.inks; ++s) {
      if (s == before[m] || !is_free(m, s ^ before[m], 205)) continue;
      std::vector<uint8_t> changed = before;
      changed[m] = static_cast<uint8_t>(s);
      consider(changed);
    }
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        if ((dy == 0 && dx == 0) || !has(y + dy, x + dx)) continue;
        const size_t other = index(y + dy, x + dx);
        const uint32_t differ = before[m] ^ before[other];
        std::vector<uint32_t> sets = {differ};
        for (uint32_t k = 0; k < 8; ++k) {
          if ((differ >> k & 1) != 0 && differ != 1U << k) sets.push_back(1U << k);
        }
        for (const uint32_t inks : sets) {
          if (inks == 0 || !is_free(m, inks, 1) || !is_free(other, inks, 1)) continue;
          std::vector<uint8_t> changed = before;
          changed[m] = static_cast<uint8_t>(changed[m] ^ inks);
          changed[other] = static_cast<uint8_t>(changed[other] ^ inks);
          consider(changed);
        }
      }
    }
    states = best;
  }

 public:
  std::vector<uint8_t> states;
};

}  // namespace mezzo::test
