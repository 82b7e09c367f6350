// Every schedule of pinwheel diffusion against its definition, naive_pinwheel.h: sizes of blocks
// and pages, paths, noise, samples, planes, threads and bands.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <string>

#include "kernels/band/ink15.h"
#include "kernels/base/error_kind.h"
#include "kernels/pinwheel/tables/tables.h"
#include "tests/kernels/pinwheel/naive_pinwheel_levels.h"
#include "tests/kernels/planes.h"
#include "tests/support/shared_oracle.h"

namespace mezzo::test::pinwheel_test {
namespace {

/// What a user may set, in plain numbers.
struct Settings {
  int block = 14;
  bool serpentine = false;
  bool by_tone = false;     ///< weights and thresholds
  int threshold_noise = 0;  ///< percent of the most that there is, this and the next two
  int start_noise = 0;
  int weight_noise = 0;
  uint32_t seed = 0;
};

// All that depends on how the registry spells the method and its parameters: these three functions.

const MethodInfo* method() {
  return find_method("pinwheel");
}

std::unique_ptr<Halftoner> make(const Settings& settings, const ScheduleInfo& schedule) {
  const auto number = [](auto value) { return static_cast<double>(value); };
  return make_halftoner(
             complete({.method = "pinwheel",
                       .engine = schedule.engine,
                       .schedule = std::string(schedule.name),
                       .parameters = {{"block", number(settings.block)},
                                      {"path", number(settings.serpentine)},
                                      {"weights", number(settings.by_tone)},
                                      {"threshold_noise", settings.threshold_noise / 2.0},
                                      {"start_noise", settings.start_noise / 2.0},
                                      {"weight_noise", settings.weight_noise / 2.0},
                                      {"seed", number(settings.seed)}}}))
      .halftoner;
}

NaivePinwheel make_naive(const Settings& settings, uint32_t plane) {
  NaivePinwheel naive;
  if (settings.by_tone) {
    const auto& levels = pinwheel::tone_table(static_cast<uint32_t>(settings.block));
    take_levels(levels, naive);
  }
  naive.block = settings.block;
  naive.path =
      settings.serpentine ? NaivePinwheel::Path::kSerpentine : NaivePinwheel::Path::kSpiral;
  naive.threshold_noise = std::lround(2048 * settings.threshold_noise / 100.0);
  naive.start_noise = std::lround(2048 * settings.start_noise / 100.0);
  naive.weight_noise = std::lround(16384 * settings.weight_noise / 100.0);
  naive.seed = settings.seed;
  naive.plane = plane;
  return naive;
}

/// Runs the method band by band, heights cyclically. Each band lies in memory of its own with the
/// context that the page has for it and not a row more.
void run_with_context(const Halftoner& halftoner,
                      const SampleBand& page,
                      const ToneCurve& curve,
                      const BitBand& out,
                      const std::vector<uint32_t>& heights,
                      Team& team) {
  const uint32_t context = halftoner.traits().context_rows;
  const size_t used = size_t{page.width_px} * page.bytes_per_sample;
  const size_t stride = used + 6;  // an even number, so that samples of 16 bits stay aligned
  const auto state = halftoner.make_state(page.width_px);
  for (uint32_t row = 0, i = 0; row < page.rows; ++i) {
    const uint32_t rows = std::min(heights[i % heights.size()], page.rows - row);
    const uint32_t above = std::min(context, row);
    const uint32_t below = std::min(context, page.rows - row - rows);
    std::vector<std::byte> copy(stride * (above + rows + below), std::byte{0x5A});
    for (uint32_t y = 0; y < above + rows + below; ++y) {
      std::memcpy(copy.data() + y * stride, page.row(row - above + y), used);
    }
    SampleBand band = page.slice(row, rows);
    band.data = copy.data() + above * stride;
    band.stride_bytes = stride;
    band.rows_above = above;
    band.rows_below = below;
    halftoner.run(band, curve, out.slice(row, rows), state.get(), team);
    row += rows;
  }
}

/// What the definition makes of the page.
void expect_into(const Settings& settings,
                 const SamplePlane& in,
                 const ToneCurve& curve,
                 const BitBand& out) {
  const NaivePinwheel naive = make_naive(settings, in.band.plane);
  std::vector<uint16_t> tones;
  for (uint32_t y = 0; y < in.band.rows; ++y) {
    for (uint32_t x = 0; x < in.band.width_px; ++x) tones.push_back(curve[in.get(x, y)]);
  }
  const auto width = static_cast<int>(in.band.width_px), height = static_cast<int>(in.band.rows);
  const std::vector<uint8_t> ink = naive.halftone(tones, width, height);
  for (uint32_t y = 0; y < in.band.rows; ++y) {
    std::fill_n(out.row(y), bit_row_bytes(out.width_px), uint8_t{0});
    for (uint32_t x = 0; x < in.band.width_px; ++x) {
      const auto bit = static_cast<uint8_t>(ink[size_t{y} * out.width_px + x] << (7 - x % 8));
      out.row(y)[x / 8] = static_cast<uint8_t>(out.row(y)[x / 8] | bit);
    }
  }
}

struct Case {
  const ScheduleInfo* schedule;
};

std::string name_of(const Case& value) {
  return std::string(to_string(value.schedule->engine)) + "_" + std::string(value.schedule->name);
}

void PrintTo(const Case& value, std::ostream* out) {
  *out << name_of(value);
}

class PinwheelSchedule : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (!is_runnable(*GetParam().schedule)) GTEST_SKIP() << "no GPU on this machine";
  }

  /// True when the schedule gives the bits expected, whatever the heights of bands.
  ::testing::AssertionResult agrees(const Settings& settings,
                                    const SamplePlane& in,
                                    const ToneCurve& curve,
                                    const std::vector<std::vector<uint32_t>>& all_heights,
                                    Team& team) {
    const uint32_t width = in.band.width_px, rows = in.band.rows;
    const BitPlane& expected = *oracle_.next([&] {
      auto plane = std::make_unique<BitPlane>(width, rows);
      expect_into(settings, in, curve, plane->band);
      return plane;
    });
    const auto halftoner = make(settings, *GetParam().schedule);
    for (const std::vector<uint32_t>& heights : all_heights) {
      BitPlane found(width, rows);
      run_with_context(*halftoner, in.band, curve, found.band, heights, team);
      ::testing::AssertionResult same = same_bits(expected.band, found.band);
      if (same && !found.guards_intact()) same = ::testing::AssertionFailure() << "guards";
      if (same) continue;
      return same << "\nblock " << settings.block << ", "
                  << (settings.serpentine ? "serpentine" : "spiral")
                  << (settings.by_tone ? " by tone" : "") << ", noise " << settings.threshold_noise
                  << ' ' << settings.start_noise << ' ' << settings.weight_noise << ", seed "
                  << settings.seed << ", plane " << in.band.plane << ", bands of "
                  << ::testing::PrintToString(heights) << ", threads " << team.size();
    }
    return ::testing::AssertionSuccess();
  }

  /// The same of a whole page of 8-bit noise.
  ::testing::AssertionResult agrees_on_noise(const Settings& settings,
                                             uint32_t width,
                                             uint32_t rows) {
    SamplePlane in(width, rows, 1);
    fill(in, Fill::kNoise, 255, width * 1000 + rows);
    SoloTeam solo;
    return agrees(settings, in, grey_, {{rows}}, solo);
  }

  const ToneCurve grey_{255, Polarity::kMaxIsPaper};

 private:
  SharedOracle<std::unique_ptr<BitPlane>> oracle_;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const ScheduleInfo& schedule : method()->schedules) cases.push_back({&schedule});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Registry,
                         PinwheelSchedule,
                         ::testing::ValuesIn(all_cases()),
                         [](const auto& test) {
                           std::string name = name_of(test.param);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

/// Both paths, without noise and with each kind and all of it.
std::vector<Settings> all_sorts(int block) {
  std::vector<Settings> sorts;
  for (const bool serpentine : {false, true}) {
    sorts.push_back({block, serpentine});
    sorts.push_back({block, serpentine, false, 20, 0, 0, 1});
    sorts.push_back({block, serpentine, false, 0, 30, 0, 2});
    sorts.push_back({block, serpentine, false, 0, 0, 50, 3});
    sorts.push_back({block, serpentine, false, 100, 100, 100, 4294967295});
  }
  return sorts;
}

Settings any_sort(std::mt19937& random, bool by_tone = false) {
  const auto percent = [&] { return random() % 2 == 0 ? 0 : static_cast<int>(random() % 101); };
  Settings settings{static_cast<int>(2 + random() % 63), random() % 2 == 0, by_tone};
  settings.threshold_noise = percent();
  settings.start_noise = percent();
  settings.weight_noise = percent();
  settings.seed = static_cast<uint32_t>(random());
  return settings;
}

TEST_P(PinwheelSchedule, IsItsDefinitionAtEverySizeOfBlock) {
  for (int block = 2; block <= 64; ++block) {
    const auto n = static_cast<uint32_t>(block);
    for (const Settings& settings : all_sorts(block)) {
      ASSERT_TRUE(agrees_on_noise(settings, 2 * n + n / 2 + 1, n + n / 3 + 1));
    }
    ASSERT_TRUE(agrees_on_noise({block, false}, 3 * n, 4 * n));
    ASSERT_TRUE(agrees_on_noise({block, true}, 4 * n, 3 * n));
  }
}

TEST_P(PinwheelSchedule, IsItsDefinitionOnEverySmallPage) {
  for (uint32_t width = 1; width <= 20; ++width) {
    for (uint32_t rows = 1; rows <= 20; ++rows) {
      for (const int block : {2, 3, 5, 8, 14, 64}) {
        for (const bool serpentine : {false, true}) {
          const int noise = (width + rows) % 2 == 0 ? 0 : 25;
          ASSERT_TRUE(
              agrees_on_noise({block, serpentine, false, noise, noise, noise, 5}, width, rows));
        }
      }
    }
  }
}

TEST_P(PinwheelSchedule, IsItsDefinitionOnSomePagesOfEverySize) {
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    const Settings settings = any_sort(random);
    const auto width = static_cast<uint32_t>(1 + random() % 300);
    const auto rows = static_cast<uint32_t>(1 + random() % 300);
    ASSERT_TRUE(agrees_on_noise(settings, width, rows));
  }
}

TEST_P(PinwheelSchedule, IsItsDefinitionOnEveryKindOfPage) {
  SoloTeam solo;
  for (const Fill kind :
       {Fill::kNoise, Fill::kRamp, Fill::kPaper, Fill::kSolid, Fill::kExtremes, Fill::kMidtone}) {
    for (const int block : {2, 7, 14, 32}) {
      for (const Settings& settings : all_sorts(block)) {
        SamplePlane in(131, 83, 1);
        fill(in, kind, 255, 42);
        ASSERT_TRUE(agrees(settings, in, grey_, {{83}}, solo)) << "fill " << static_cast<int>(kind);
      }
    }
  }
}

TEST_P(PinwheelSchedule, IsItsDefinitionForEveryKindOfSampleAndPlane) {
  SoloTeam solo;
  std::mt19937 random(2);
  const ToneSettings curved{.gamma = 0.8, .points = {{0, 0}, {50, 54}, {100, 100}}};
  for (const Polarity polarity : {Polarity::kMaxIsPaper, Polarity::kMaxIsInk}) {
    for (const uint32_t max_sample : {255U, 4095U, kInk15, 65535U}) {
      for (const ToneSettings& tone : {ToneSettings{}, curved}) {
        const ToneCurve curve(max_sample, polarity, tone);
        for (const uint32_t plane : {0U, 1U, 3U, 100U}) {
          SamplePlane in(117, 70, max_sample > 255 ? 2 : 1);
          fill(in, plane % 2 == 0 ? Fill::kRamp : Fill::kNoise, max_sample, plane);
          in.band.plane = plane;
          ASSERT_TRUE(agrees(any_sort(random), in, curve, {{70}, {24}}, solo)) << max_sample;
        }
      }
    }
  }
}

TEST_P(PinwheelSchedule, AnySplitIntoBandsIsTheWholePage) {
  SoloTeam solo;
  std::mt19937 random(3);
  for (const int block : {2, 3, 8, 14, 33, 64}) {
    for (const bool noisy : {false, true}) {
      for (const bool serpentine : {false, true}) {
        const auto n = static_cast<uint32_t>(block);
        const auto width = static_cast<uint32_t>(1 + random() % 150);
        const uint32_t rows = std::min(3 * n + 5, 140U) + static_cast<uint32_t>(random() % 20);
        SamplePlane in(width, rows, 1 + static_cast<uint32_t>(random() % 2));
        fill(in, Fill::kNoise, 255, random());
        in.band.plane = static_cast<uint32_t>(random() % 4);
        Settings settings = noisy ? any_sort(random) : Settings{};
        settings.block = block;
        settings.serpentine = serpentine;
        std::vector<uint32_t> mixed;
        for (int i = 0; i < 5; ++i) mixed.push_back(static_cast<uint32_t>(1 + random() % 60));
        ASSERT_TRUE(
            agrees(settings, in, grey_, {{1}, {7}, {n}, {n + 1}, {rows}, {2 * n}, mixed}, solo));
      }
    }
  }
}

TEST_P(PinwheelSchedule, AnyNumberOfThreadsGivesTheSameBits) {
  std::mt19937 random(4);
  for (uint32_t members = 1; members <= 4; ++members) {
    ThreadTeam team(members);
    for (const int block : {4, 14, 40}) {
      Settings settings = any_sort(random);
      settings.block = block;
      SamplePlane in(301, 233, 1);
      fill(in, Fill::kNoise, 255, random());
      ASSERT_TRUE(agrees(settings, in, grey_, {{233}, {100}, {32}}, team));
    }
  }
}

TEST_P(PinwheelSchedule, WeightsByToneAreTheirDefinition) {
  std::mt19937 random(5);
  for (int round = 0; round < 60; ++round) {
    const Settings settings = any_sort(random, true);
    const auto width = static_cast<uint32_t>(1 + random() % 200);
    const auto rows = static_cast<uint32_t>(1 + random() % 200);
    SamplePlane in(width, rows, 1);
    fill(in, round % 2 == 0 ? Fill::kNoise : Fill::kRamp, 255, random());
    ThreadTeam team(static_cast<uint32_t>(1 + round % 3));
    ASSERT_TRUE(agrees(settings, in, grey_, {{rows}, {37}}, team));
  }
}

}  // namespace
}  // namespace mezzo::test::pinwheel_test
