// Inks together by every schedule of GPUs, against the blocks of the CPU.

#include <gtest/gtest.h>

#include <future>

#include "kernels/diffusion/gpu/gpu_diffusion.h"
#include "kernels/diffusion/gpu/gpu_together.h"
#include "kernels/diffusion/hybrid/cpu_gpu_methods.h"
#include "kernels/diffusion/together/inks_blocks.h"
#include "kernels/gpu/context.h"
#include "tests/kernels/diffusion/together/ink_planes.h"
#include "tests/kernels/diffusion/together/tested_rules.h"

namespace mezzo::test::inks_together_test {
namespace {

using namespace diffusion;
using diffusion::together::InksBlockDiffusion;
using mezzo::together::InksHalftoner;

std::vector<ScheduleInfo> schedules() {
  std::vector<ScheduleInfo> all(kGpuSchedules.begin(), kGpuSchedules.end());
  all.insert(all.end(), kCpuGpuSchedules.begin(), kCpuGpuSchedules.end());
  return all;
}

template <Rule R>
class DeviceInks : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpu::device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  }

  static std::unique_ptr<InksHalftoner> on_cpu(bool light) {
    return std::make_unique<InksBlockDiffusion<R>>(rule<R>(), light_tones(light));
  }
  static std::unique_ptr<InksHalftoner> on_gpu(const ScheduleInfo& schedule,
                                               bool light,
                                               gpu::Context& context = gpu::Context::of_process()) {
    return make_gpu_together(rule<R>(), light_tones(light), schedule, context, on_cpu(light));
  }

  /// Every schedule, in bands of these heights by turns.
  static void compare(InkPlanes& inks,
                      InkPlanes& expected,
                      uint64_t seed,
                      bool light,
                      const std::vector<uint32_t>& heights) {
    SoloTeam solo;
    fill_inks(inks, seed);
    fill_inks(expected, seed);
    run_in_bands(*on_cpu(light), expected, {expected.samples.front()->band.rows}, solo);
    for (const ScheduleInfo& schedule : schedules()) {
      run_in_bands(*on_gpu(schedule, light), inks, heights, solo);
      ASSERT_TRUE(same_bits(expected, inks))
          << schedule.name << (light ? ", light tones side by side" : "");
    }
  }
};
using Rules = ::testing::Types<FloydSteinbergRule, TableRule, ToneRule, FeedbackRule>;
TYPED_TEST_SUITE(DeviceInks, Rules);

TYPED_TEST(DeviceInks, AreThoseOfTheCpuAtEveryWidthTo66) {
  for (uint32_t width = 1; width <= 66; ++width) {
    const uint32_t count = 2 + width % 6, rows = 29 + width % 11, bytes = 1 + width % 2;
    InkPlanes inks(count, width, rows, bytes), expected(count, width, rows, bytes);
    this->compare(inks, expected, width, width % 5 == 0, {width % 40 + 1, width % 7 + 1});
  }
}

TYPED_TEST(DeviceInks, AreThoseOfTheCpuInAnyBands) {
  const uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed() + 5ULL;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const auto any = [&](uint32_t least, uint32_t most) {
    return static_cast<uint32_t>(least + random() % (most - least + 1));
  };
  for (int round = 0; round < 6; ++round) {
    const uint32_t count = any(2, 7), width = any(1, 1500), rows = any(1, 200), bytes = any(1, 2);
    InkPlanes inks(count, width, rows, bytes), expected(count, width, rows, bytes);
    this->compare(inks, expected, random(), round % 3 == 2, {any(1, 200), any(1, 40)});
  }
}

TYPED_TEST(DeviceInks, AreMadeByTheCpuWhereThereIsNoRoom) {
  gpu::Context small({.memory_bytes = 1 << 16});
  SoloTeam solo;
  InkPlanes inks(4, 3000, 40, 1), expected(4, 3000, 40, 1);
  fill_inks(inks, 4);
  fill_inks(expected, 4);
  run_in_bands(*this->on_cpu(false), expected, {40}, solo);
  run_in_bands(*this->on_gpu(kGpuSchedules.back(), false, small), inks, {9}, solo);
  EXPECT_TRUE(same_bits(expected, inks));
}

TYPED_TEST(DeviceInks, TakeTheNextBandBeforeTheLastIsDone) {
  SoloTeam solo;
  constexpr uint32_t kRows = 2000, kBand = 100;
  InkPlanes inks(3, 700, kRows, 1), expected(3, 700, kRows, 1);
  fill_inks(inks, 8);
  fill_inks(expected, 8);
  run_in_bands(*this->on_cpu(false), expected, {kRows}, solo);
  const auto halftoner = this->on_gpu(kGpuSchedules.back(), false);
  const auto state = halftoner->make_state(700, 3);
  std::vector<std::promise<void>> done(kRows / kBand);
  for (uint32_t i = 0; i < done.size(); ++i) {
    halftoner->start(inks.band(i * kBand, kBand), state.get(), solo, [&, i](const auto& error) {
      error ? done[i].set_exception(error) : done[i].set_value();
    });
  }
  for (auto& band : done) band.get_future().get();
  EXPECT_TRUE(same_bits(expected, inks));
}

}  // namespace
}  // namespace mezzo::test::inks_together_test
