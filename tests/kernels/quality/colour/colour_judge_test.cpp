// Prints whose colours can be worked out by hand, and a second judge written from the definition.

#include "kernels/quality/colour/colour_judge.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <memory>
#include <vector>

#include "tests/kernels/quality/drawn_pair.h"
#include "tests/support/thread_team.h"

namespace mezzo::test::colour_judge_test {
namespace {

using proof::Lab;
using proof::Xyz;
using quality::ColourReport;
using quality::Print;
using quality::RegisterError;
using quality::Viewing;

struct DrawnInk {
  Pixel ink, bit;
};

/// A page of several inks.
struct DrawnPage {
  uint32_t width_px, height_px, max_ink;
  std::vector<DrawnInk> inks;
};

const Lab kPaper = {93, 0, -3}, kBlack = {16, 0, 0}, kCyan = {54, -36, -49},
          kMagenta = {46, 72, -5};

Print print_of(size_t inks) {
  const std::vector<Lab> solids = {kBlack, kCyan, kMagenta};
  Print print;
  print.colours.paper = kPaper;
  print.colours.solids.assign(solids.begin(), solids.begin() + static_cast<std::ptrdiff_t>(inks));
  if (inks > 2) print.colours.overprints = {{6, {24, 16, -45}}};
  return print;
}

ColourReport judged(const DrawnPage& page,
                    const Print& print,
                    const Viewing& viewing = {300, 3500.0 / 300},
                    RegisterError register_error = RegisterError::kSkipped,
                    uint32_t threads = 1) {
  std::vector<std::unique_ptr<DrawnPair>> drawn;
  std::vector<quality::PagePair*> pairs;
  for (const DrawnInk& ink : page.inks) {
    drawn.push_back(
        std::make_unique<DrawnPair>(page.width_px, page.height_px, page.max_ink, ink.ink, ink.bit));
    pairs.push_back(&drawn.back()->pair());
  }
  ThreadTeam team(threads);
  return quality::judge_colour(pairs, print, viewing, register_error, team);
}

/// White noise that inks `part` of 1000.
Pixel scattered(uint32_t part, uint32_t seed) {
  return [=](uint32_t x, uint32_t y) { return noise(x + 5000 * seed, y) % 1000 < part ? 1U : 0U; };
}

double distance(const Lab& a, const Lab& b) {
  return std::sqrt((a.l - b.l) * (a.l - b.l) + (a.a - b.a) * (a.a - b.a) +
                   (a.b - b.b) * (a.b - b.b));
}

TEST(ColourJudge, PlatesThatAreTheirPageHaveNoError) {
  const Pixel first = [](uint32_t x, uint32_t) { return x / 30 % 2; };
  const Pixel second = [](uint32_t, uint32_t y) { return y < 40 ? 1U : 0U; };
  const ColourReport report = judged({130, 90, 1, {{first, first}, {second, second}}},
                                     print_of(2),
                                     {300, 3500.0 / 300},
                                     RegisterError::kJudged);
  EXPECT_NEAR(report.delta_e, 0, 1e-9);
  EXPECT_NEAR(report.texture, 0, 1e-9);
  EXPECT_EQ(report.delta_e_99, 0);
  EXPECT_DOUBLE_EQ(report.overlap, 1);
  ASSERT_EQ(report.pairs.size(), 1U);
  EXPECT_TRUE(std::isnan(report.pairs[0].correlation));
  // Two inks, by 1 and 2 px each; the page moves with its plates.
  ASSERT_EQ(report.registers.size(), 5U);
  EXPECT_NEAR(report.worst_register(), 0, 1e-9);
}

TEST(ColourJudge, ASolidInPlaceOfATintIsItsDistance) {
  const Print print = print_of(2);
  const ColourReport report =
      judged({70, 60, 4, {{constant(0), constant(0)}, {constant(1), constant(1)}}}, print);
  Xyz quarter;
  const Xyz paper = proof::xyz_of(kPaper), cyan = proof::xyz_of(kCyan);
  for (size_t c = 0; c < 3; ++c) {
    const double root = 0.75 * std::sqrt(paper[c]) + 0.25 * std::sqrt(cyan[c]);
    quarter[c] = root * root;
  }
  const Lab asked = proof::lab_of(quarter);
  EXPECT_NEAR(report.delta_e, distance(kCyan, asked), 1e-9);
  EXPECT_NEAR(report.delta_e_99, report.delta_e, 1.0 / 64);
  EXPECT_NEAR(report.shift.l, kCyan.l - asked.l, 1e-9);
  EXPECT_NEAR(report.shift.b, kCyan.b - asked.b, 1e-9);
  EXPECT_NEAR(report.texture, 0, 1e-9);
  EXPECT_NEAR(report.grain_l, 0, 1e-9);
}

TEST(ColourJudge, DotsOnDotsAndDotsApart) {
  const Pixel even = [](uint32_t x, uint32_t y) { return (x + y) % 2; };
  const Pixel odd = [](uint32_t x, uint32_t y) { return (x + y + 1) % 2; };
  const auto of_two = [&](const Pixel& second) {
    return judged({64, 64, 2, {{constant(1), even}, {constant(1), second}}}, print_of(2));
  };
  const ColourReport on = of_two(even), apart = of_two(odd);
  EXPECT_DOUBLE_EQ(on.pairs[0].asked, 0.25);
  EXPECT_DOUBLE_EQ(on.pairs[0].got, 0.5);
  EXPECT_DOUBLE_EQ(on.overlap, 2);
  EXPECT_DOUBLE_EQ(on.pairs[0].correlation, 1);
  EXPECT_DOUBLE_EQ(apart.overlap, 0);
  EXPECT_DOUBLE_EQ(apart.pairs[0].correlation, -1);
  EXPECT_GT(on.shift.l, 2);      // more paper is left than Demichel has
  EXPECT_LT(apart.shift.l, -2);  // and less
}

TEST(ColourJudge, FindsScreensThatBeat) {
  const auto screen = [](double period) {
    return [=](uint32_t x, uint32_t y) {
      return std::cos(2 * M_PI * x / period) + std::cos(2 * M_PI * y / period) > 0.4 ? 1U : 0U;
    };
  };
  const Viewing near{300, 2};
  const auto of_two = [&](const Pixel& second) {
    return judged(
        {600, 600, 100, {{constant(38), screen(8)}, {constant(38), second}}}, print_of(2), near);
  };
  const ColourReport beating = of_two(screen(8.8));
  ASSERT_EQ(beating.moire.size(), 1U);
  EXPECT_NEAR(beating.moire[0].line.period_px(), 88, 2);
  EXPECT_TRUE(of_two(scattered(380, 5)).moire.empty());
}

/// A weighted mean of the pixels at most `r` away in both directions. Weights are worked out once.
class Spread {
 public:
  template <typename Weight>
  Spread(int r, const Weight& weight) : r_(r) {
    for (int j = -r; j <= r; ++j) {
      for (int i = -r; i <= r; ++i) weights_.push_back(weight(i, j));
    }
    for (const double one : weights_) total_ += one;
  }

  /// Of `at(i, j)`, i px to the right and j px below.
  template <typename At>
  double operator()(const At& at) const {
    double sum = 0;
    const double* weight = weights_.data();
    for (int j = -r_; j <= r_; ++j) {
      for (int i = -r_; i <= r_; ++i) sum += *weight++ * at(i, j);
    }
    return sum / total_;
  }

 private:
  int r_;
  std::vector<double> weights_;
  double total_ = 0;
};

/// The definition again: whole pages, direct sums.
class SecondJudge {
 public:
  SecondJudge(const DrawnPage& page, const Print& print, double sight)
      : page_(page), print_(print), sets_(proof::light_of_sets(print.colours)), s_(sight / 3500) {}

  ColourReport judge(uint32_t moved = 0, uint32_t shift = 0) const {
    ColourReport report;
    const Image got = seen(true, moved, shift), asked = seen(false, moved, shift);
    const int r = static_cast<int>(std::lround(48 * s_));
    const Spread mean(
        r, [&](int i, int j) { return std::exp(-(i * i + j * j) / (2 * 256 * s_ * s_)); });
    const double pixels = 1.0 * page_.width_px * page_.height_px;
    const auto d = [&](int x, int y, size_t c) { return got.at(x, y)[c] - asked.at(x, y)[c]; };
    for (int y = 0; y < height(); ++y) {
      for (int x = 0; x < width(); ++x) {
        Xyz t;
        for (size_t c = 0; c < 3; ++c) {
          t[c] = d(x, y, c) - mean([&](int i, int j) { return d(x + i, y + j, c); });
        }
        report.delta_e += std::hypot(d(x, y, 0), d(x, y, 1), d(x, y, 2)) / pixels;
        report.texture += std::hypot(t[0], t[1], t[2]) / pixels;
        report.grain_l += t[0] * t[0] / pixels;
        report.grain_c += (t[1] * t[1] + t[2] * t[2]) / pixels;
        report.shift.a += d(x, y, 1) / pixels;
      }
    }
    report.grain_l = std::sqrt(report.grain_l);
    report.grain_c = std::sqrt(report.grain_c);
    return report;
  }

 private:
  /// Pixels from (-margin, -margin).
  struct Image {
    int width, margin;
    std::vector<Xyz> values;
    const Xyz& at(int x, int y) const {
      return values[static_cast<size_t>((y + margin) * width + x + margin)];
    }
  };

  /// About the outermost pixels, once.
  static int mirror(int at, int size) { return at < 0 ? -at : at >= size ? 2 * size - 2 - at : at; }
  int width() const { return static_cast<int>(page_.width_px); }
  int height() const { return static_cast<int>(page_.height_px); }

  double coverage(size_t ink, bool plates, int x, int y) const {
    const auto at = [&](const Pixel& pixel, int px, int py) {
      return pixel(static_cast<uint32_t>(mirror(px, width())),
                   static_cast<uint32_t>(mirror(py, height())));
    };
    if (!plates) return 1.0 * at(page_.inks[ink].ink, x, y) / page_.max_ink;
    // The area in steps of 1/20 px, as the gain of the test is a multiple of them.
    constexpr int kSteps = 20;
    const int gain = static_cast<int>(std::lround(print_.gain_px * kSteps));
    bool dots[3][3];
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        dots[dy + 1][dx + 1] = at(page_.inks[ink].bit, x + dx, y + dy) != 0;
      }
    }
    int covered = 0;
    for (int v = 0; v < kSteps; ++v) {
      for (int u = 0; u < kSteps; ++u) {
        bool inked = false;
        for (int dy = -1; dy <= 1; ++dy) {
          for (int dx = -1; dx <= 1; ++dx) {
            const bool near_x = u >= kSteps * dx - gain && u < kSteps * (dx + 1) + gain;
            const bool near_y = v >= kSteps * dy - gain && v < kSteps * (dy + 1) + gain;
            inked |= near_x && near_y && dots[dy + 1][dx + 1];
          }
        }
        covered += inked ? 1 : 0;
      }
    }
    return covered / (1.0 * kSteps * kSteps);
  }

  Xyz light(bool plates, int x, int y, uint32_t moved, uint32_t shift) const {
    Xyz sum = {};
    for (size_t set = 0; set < sets_.size(); ++set) {
      double area = 1;
      for (size_t k = 0; k < page_.inks.size(); ++k) {
        const int from = x - ((moved >> k & 1) != 0 ? static_cast<int>(shift) : 0);
        const double part = coverage(k, plates, from, y);
        area *= (set >> k & 1) != 0 ? part : 1 - part;
      }
      for (size_t c = 0; c < 3; ++c) sum[c] += area * std::sqrt(sets_[set][c]);
    }
    return sum;
  }

  Image seen(bool plates, uint32_t moved, uint32_t shift) const {
    const double lum_k = M_PI * 3500 * s_ / 180 / (0.525 * std::log(11.0) + 3.91);
    const double chroma_k = 0.419 * M_PI * 3500 * s_ / 180;
    const int mean = static_cast<int>(std::lround(48 * s_));
    const int reach = static_cast<int>(std::lround(50 * s_)) + mean;
    std::vector<Xyz> roots, opposed;
    const int scatter = static_cast<int>(std::ceil(4 * print_.scatter_px));
    const int across = width() + 2 * reach, more = across + 2 * scatter;
    const int down = height() + 2 * reach;
    for (int y = -reach - scatter; y < height() + reach + scatter; ++y) {
      for (int x = -reach - scatter; x < width() + reach + scatter; ++x) {
        roots.push_back(light(plates, x, y, moved, shift));
      }
    }
    const Xyz white = proof::xyz_of({100, 0, 0});
    const Spread scattering(scatter, [&](int i, int j) {
      return std::exp(-(i * i + j * j) / (2 * print_.scatter_px * print_.scatter_px));
    });
    for (int y = 0; y < down; ++y) {
      for (int x = 0; x < across; ++x) {
        Xyz xyz;
        for (size_t c = 0; c < 3; ++c) {
          const double root = scattering([&](int i, int j) {
            return roots[static_cast<size_t>((y + scatter + j) * more + x + scatter + i)][c];
          });
          xyz[c] = root * root / white[c];
        }
        opposed.push_back({xyz[0] - xyz[1], xyz[1], xyz[1] - xyz[2]});
      }
    }
    const auto eye_of = [&](double k, double reach_3500) {
      const int r = static_cast<int>(std::lround(reach_3500 * s_));
      return Spread(r, [&](int i, int j) {
        const double far = std::sqrt(i * i + j * j);
        return std::pow(k * k + 4 * M_PI * M_PI * far * far, -1.5) *
               std::min(1.0, std::max(0.0, r + 1 - far));
      });
    };
    const Spread eye_l = eye_of(lum_k, 23), eye_c = eye_of(chroma_k, 50);
    Image image{width() + 2 * mean, mean, {}};
    for (int y = -mean; y < height() + mean; ++y) {
      for (int x = -mean; x < width() + mean; ++x) {
        Xyz eye;
        for (size_t c = 0; c < 3; ++c) {
          eye[c] = (c == 1 ? eye_l : eye_c)([&](int i, int j) {
            return opposed[static_cast<size_t>((y + reach + j) * across + x + reach + i)][c];
          });
        }
        const Lab lab = proof::lab_of({white[0] * std::max(eye[1] + eye[0], 0.0),
                                       white[1] * std::max(eye[1], 0.0),
                                       white[2] * std::max(eye[1] - eye[2], 0.0)});
        image.values.push_back({lab.l, lab.a, lab.b});
      }
    }
    return image;
  }

  const DrawnPage& page_;
  const Print& print_;
  std::vector<Xyz> sets_;
  double s_;
};

TEST(ColourJudge, IsTheDefinition) {
  const Pixel ramp = [](uint32_t x, uint32_t y) { return (3 * x + 5 * y) % 100; };
  const DrawnPage page = {21,
                          18,
                          100,
                          {{constant(10), scattered(100, 1)},
                           {ramp, scattered(500, 2)},
                           {constant(60), scattered(600, 3)}}};
  const double sight = 300;
  for (const double gain : {0.0, 0.35}) {
    Print print = print_of(3);
    print.scatter_px = 0.8;
    print.gain_px = gain;
    const ColourReport report = judged(page, print, {100, sight / 100}, RegisterError::kJudged);
    const SecondJudge second(page, print, sight);
    const ColourReport expected = second.judge();
    EXPECT_NEAR(report.delta_e, expected.delta_e, 1e-9);
    EXPECT_NEAR(report.texture, expected.texture, 1e-9);
    EXPECT_NEAR(report.grain_l, expected.grain_l, 1e-9);
    EXPECT_NEAR(report.grain_c, expected.grain_c, 1e-9);
    EXPECT_NEAR(report.shift.a, expected.shift.a, 1e-9);
    // In register, three inks and all but black, by 1 and 2 px.
    ASSERT_EQ(report.registers.size(), 9U);
    EXPECT_EQ(report.registers[0].delta_e, report.delta_e);
    EXPECT_EQ(report.registers[4].inks, 2U);
    EXPECT_EQ(report.registers[4].shift_px, 2U);
    EXPECT_NEAR(report.registers[4].texture, second.judge(2, 2).texture, 1e-9);
    EXPECT_EQ(report.registers[7].inks, 6U);
    EXPECT_NEAR(report.registers[7].delta_e, second.judge(6, 1).delta_e, 1e-9);
  }
}

/// Every bit of the report's numbers.
std::vector<uint64_t> all_bits(const ColourReport& r) {
  std::vector<double> values = {r.delta_e,
                                r.delta_e_99,
                                r.texture,
                                r.grain_l,
                                r.grain_c,
                                r.shift.l,
                                r.shift.a,
                                r.shift.b,
                                r.overlap};
  for (const ColourReport::Pair& pair : r.pairs) values.push_back(pair.correlation);
  for (const ColourReport::Register& one : r.registers) values.push_back(one.texture);
  std::vector<uint64_t> all;
  for (const double value : values) all.push_back(std::bit_cast<uint64_t>(value));
  return all;
}

TEST(ColourJudge, ThreadsDoNotChangeABit) {
  // Two tiles across and two down; the lower ones are blank.
  const auto upper = [](const Pixel& pixel) {
    return [=](uint32_t x, uint32_t y) { return y < 250 ? pixel(x, y) : 0U; };
  };
  const DrawnPage page = {520,
                          530,
                          10,
                          {{upper(constant(2)), upper(scattered(200, 1))},
                           {upper(constant(5)), upper(scattered(500, 2))}}};
  const Viewing near{300, 2};
  const auto with = [&](uint32_t threads) {
    return judged(page, print_of(2), near, RegisterError::kJudged, threads);
  };
  const ColourReport report = with(1);
  EXPECT_EQ(report.register_tiles, 4U);
  EXPECT_EQ(all_bits(with(3)), all_bits(report));
}

TEST(ColourJudge, TilesDoNotShow) {
  // The part of a page that is seen alike on its left and right: mirrored there, the page is twice itself.
  const auto twice = [](const Pixel& pixel) {
    return [=](uint32_t x, uint32_t y) { return pixel(x < 500 ? x : 998 - x, y); };
  };
  const Pixel bits = scattered(400, 7);
  const Viewing near{300, 2};
  const ColourReport one = judged({500, 40, 10, {{constant(4), bits}}}, print_of(1), near);
  const ColourReport two = judged({999, 40, 10, {{constant(4), twice(bits)}}}, print_of(1), near);
  // All but the middle column twice.
  EXPECT_NEAR(two.texture, one.texture, 2e-3 * one.texture);
  EXPECT_NEAR(two.grain_l, one.grain_l, 2e-3 * one.grain_l);
}

}  // namespace
}  // namespace mezzo::test::colour_judge_test
