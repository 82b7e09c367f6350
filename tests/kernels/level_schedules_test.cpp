// Every schedule that runs with several levels, against the first of its method: the same bits at any
// width and cut into any bands.

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/methods.h"
#include "tests/kernels/level_planes.h"

namespace mezzo::test::level_schedules_test {
namespace {

struct Case {
  const MethodInfo* method;
  const ScheduleInfo* schedule;
};

void PrintTo(const Case& value, std::ostream* out) {
  *out << value.method->name << ", " << value.schedule->name;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const MethodInfo& method : methods()) {
    if (method.levels == LevelSupport::kNone) continue;
    for (const ScheduleInfo& schedule : method.schedules) {
      if (schedule.has_levels) cases.push_back({&method, &schedule});
    }
  }
  return cases;
}

class LevelSchedules : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (!is_runnable(*GetParam().schedule)) GTEST_SKIP() << "no GPU on this machine";
  }

  /// Both bits of four levels, in 16-bit samples with a texture, cut into the bands given.
  static void expect_the_same_bits(uint32_t width,
                                   uint32_t rows,
                                   const std::vector<uint32_t>& cuts) {
    SamplePlane in(width, rows, 2);
    fill(in, Fill::kNoise, 4096, width * 100 + rows);
    in.band.texture = 5;
    in.band.plane = 2;
    for (uint32_t bit = 0; bit < 2; ++bit) {
      BitPlane expected(width, rows), found(width, rows);
      const ToneCurve tones(4096, Polarity::kMaxIsInk);
      run_whole(*make(reference(), bit), in.band, tones, expected.band);
      ThreadTeam team(3);
      run_in_bands(*make(*GetParam().schedule, bit), in.band, tones, found.band, cuts, team);
      ASSERT_TRUE(same_bits(expected.band, found.band)) << width << " x " << rows;
      ASSERT_TRUE(found.guards_intact()) << width << " x " << rows;
    }
  }

 private:
  /// The first schedule of the method that has levels.
  static const ScheduleInfo& reference() {
    return *std::ranges::find_if(GetParam().method->schedules, &ScheduleInfo::has_levels);
  }

  static std::unique_ptr<Halftoner> make(const ScheduleInfo& schedule, uint32_t bit) {
    HalftoneSettings settings = settings_of(*GetParam().method);
    settings.engine = schedule.engine;
    settings.schedule = schedule.name;
    settings.levels = {.drops = {0, 7, 14, 21}, .format = LevelFormat::kPlanes, .bit = bit};
    return make_halftoner(complete(settings, kPlate)).halftoner;
  }
};

std::string name_of(const ::testing::TestParamInfo<Case>& test) {
  std::string name(test.param.method->name);
  name += "_" + std::string(to_string(test.param.schedule->engine));
  name += "_" + std::string(test.param.schedule->name);
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Registry, LevelSchedules, ::testing::ValuesIn(all_cases()), name_of);

TEST_P(LevelSchedules, GiveTheSameBitsAtEveryWidthTo66) {
  for (uint32_t width = 1; width <= 66; ++width) expect_the_same_bits(width, 9, {9});
}

TEST_P(LevelSchedules, GiveTheSameBitsInAnyBands) {
  expect_the_same_bits(200, 90, {1, 33, 7});
  expect_the_same_bits(1031, 130, {64});
}

}  // namespace
}  // namespace mezzo::test::level_schedules_test
