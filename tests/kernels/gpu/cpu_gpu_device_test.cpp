// Engines `handover` and `hybrid` on a GPU, for each split between the two; skipped without one.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "kernels/diffusion/cpu/block_grid.h"
#include "kernels/gpu/context.h"
#include "tests/kernels/planes.h"
#include "tests/support/fault_at.h"

namespace mezzo::test::cpu_gpu_device_test {
namespace {

constexpr const char* kMethods[] = {
    "floyd-steinberg", "ostromoukhov", "zhou-fang", "tone-dependent", "green-noise"};

std::unique_ptr<Halftoner> handover(const std::string& method,
                                    int steps,
                                    gpu::Context& context = gpu::Context::of_process()) {
  return make_halftoner(complete({.method = method,
                                  .engine = Engine::kHandover,
                                  .parameters = {{"handover_steps", steps}}}),
                        context)
      .halftoner;
}

std::unique_ptr<Halftoner> hybrid(const std::string& method,
                                  double share,
                                  gpu::Context& context = gpu::Context::of_process()) {
  return make_halftoner(complete({.method = method,
                                  .engine = Engine::kHybrid,
                                  .parameters = {{"cpu_share", share}}}),
                        context)
      .halftoner;
}

class OnGpu : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (gpu::device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  }

  /// Every split of a page, in bands of these heights, against `ed`.
  void expect_right(uint32_t width, uint32_t rows, const std::vector<uint32_t>& heights) {
    SCOPED_TRACE(std::to_string(width) + " x " + std::to_string(rows));
    const std::string method = GetParam();
    SamplePlane in(width, rows, 1 + width % 2);
    const ToneCurve curve(width % 2 ? 4095 : 255, Polarity::kMaxIsPaper);
    fill(in, Fill::kNoise, curve.max_sample(), width + rows);
    in.band.plane = 1;
    BitPlane expected(width, rows);
    run_whole(*make_halftoner(complete({.method = method, .schedule = "ed"})).halftoner,
              in.band,
              curve,
              expected.band);
    const auto check = [&](const Halftoner& halftoner, const std::string& split) {
      BitPlane found(width, rows);
      run_in_bands(halftoner, in.band, curve, found.band, heights, team_);
      ASSERT_TRUE(same_bits(expected.band, found.band)) << split;
      ASSERT_TRUE(found.guards_intact()) << split;
    };
    const int half = (diffusion::gpu_block_grid(width, rows).steps() + 1) / 2;
    for (const int steps : {0, 1, 5, half - 1, half}) {
      check(*handover(method, steps), "handover_steps " + std::to_string(steps));
    }
    for (const double share : {0.0, 0.1, 0.5, 1.0}) {
      check(*hybrid(method, share), "cpu_share " + std::to_string(share));
    }
  }

  ThreadTeam team_{3};
};

INSTANTIATE_TEST_SUITE_P(Methods, OnGpu, ::testing::ValuesIn(kMethods), [](const auto& test) {
  std::string name = test.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST_P(OnGpu, EverySplitOfSmallPagesGivesTheBitsOfEd) {
  for (const uint32_t width : {1U, 2U, 31U, 32U, 33U, 63U, 64U, 65U, 100U, 129U, 255U, 300U}) {
    for (const uint32_t rows : {1U, 2U, 31U, 32U, 33U, 65U, 100U, 300U}) {
      ASSERT_NO_FATAL_FAILURE(expect_right(width, rows, {rows}));
    }
  }
}

TEST_P(OnGpu, EverySplitOfAPageInBandsGivesTheBitsOfEd) {
  for (const auto& heights : std::vector<std::vector<uint32_t>>{{777}, {64}, {100, 33, 1}}) {
    ASSERT_NO_FATAL_FAILURE(expect_right(1000, 777, heights));
  }
}

/// Any call of CUDA may find no memory; the bits are the same.
TEST_P(OnGpu, WhereTheGpuHasNoMemoryTheCpuTakesTheBand) {
  const std::string method = GetParam();
  SamplePlane in(400, 300, 1);
  const ToneCurve curve(255, Polarity::kMaxIsPaper);
  fill(in, Fill::kNoise, 255, 1);
  BitPlane expected(400, 300);
  run_whole(*make_halftoner(complete({.method = method, .schedule = "ed"})).halftoner,
            in.band,
            curve,
            expected.band);
  FaultyContext faulty;
  for (uint64_t call = 1; call <= 60; ++call) {
    for (const auto& halftoner :
         {handover(method, 3, faulty.context), hybrid(method, 0.3, faulty.context)}) {
      BitPlane found(400, 300);
      faulty.fault->set(call);
      run_in_bands(*halftoner, in.band, curve, found.band, {128}, team_);
      faulty.fault->set(0);
      ASSERT_TRUE(same_bits(expected.band, found.band)) << "call " << call;
    }
  }
}

TEST_P(OnGpu, SaysHowItSharesOutAPage) {
  for (const Engine engine : {Engine::kHandover, Engine::kHybrid}) {
    const auto chosen = make_halftoner(complete({.method = GetParam(), .engine = engine}));
    const std::string text = chosen.halftoner->describe(6042, 3298, 4);
    EXPECT_THAT(text, ::testing::HasSubstr("measured: "));
    RecordProperty(std::string(to_string(engine)), text);
    std::printf("%s\n", text.c_str());
  }
}

}  // namespace
}  // namespace mezzo::test::cpu_gpu_device_test
