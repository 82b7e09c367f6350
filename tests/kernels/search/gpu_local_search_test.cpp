// Local search on a GPU against the CPU's, round by round; skipped without a GPU.
#include <gtest/gtest.h>

#include "kernels/base/error.h"
#include "kernels/gpu/context.h"
#include "kernels/search/gpu/gpu_search.h"
#include "tests/kernels/search/gpu_parity.h"
#include "tests/kernels/search/search_pages.h"
#include "tests/support/fault_at.h"
#include "tests/support/thread_team.h"

namespace mezzo::test::gpu_local_search_test {
namespace {

using search::LocalSettings;

class LocalSearchOnGpu : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (gpu::device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  }

  static LocalSettings settings_of(uint32_t radius, uint32_t window) {
    LocalSettings settings{search::gaussian_eye(0.35 * radius, radius)};
    settings.window = window;
    settings.cell = search::least_cell(radius, window);
    settings.partial = GetParam();
    return settings;
  }

  void expect_the_cpus(const SearchPage& start,
                       const LocalSettings& settings,
                       uint32_t first = 0,
                       uint32_t settled = 0,
                       int rounds = 1000) {
    SearchPage expected = start, found = start;
    const auto on_cpu = make_local_search(settings, expected.area(first, settled), team_);
    const auto on_gpu =
        make_local_search_on_gpu(settings, found.area(first, settled), gpu::Context::of_process());
    expect_the_same_rounds(*on_cpu, expected, *on_gpu, found, team_, rounds);
  }

  ThreadTeam team_{16};
};

INSTANTIATE_TEST_SUITE_P(Gpu, LocalSearchOnGpu, ::testing::Bool(), [](const auto& test) {
  return test.param ? "partial" : "exhaustive";
});

TEST_P(LocalSearchOnGpu, GivesTheBitsOfTheCpuWithEveryEyeAndWindow) {
  for (uint32_t radius = 1; radius <= search::kMostWindowRadius; ++radius) {
    for (uint32_t window = 2; window <= search::kMostWindow; ++window) {
      if (window == 5 && radius > 2) continue;  // slow
      SCOPED_TRACE(testing::Message() << "radius " << radius << ", window " << window);
      SearchPage page(29, 26, radius % 2 ? Tone::kNoise : Tone::kRamp);
      if (radius % 3 != 0) page.start_at_random(radius);
      ASSERT_NO_FATAL_FAILURE(
          expect_the_cpus(page, settings_of(radius, window), 0, 0, window == 5 ? 2 : 1000));
    }
  }
}

TEST_P(LocalSearchOnGpu, GivesThemOnPagesOfEverySize) {
  for (const auto& [width, height] : std::vector<std::pair<uint32_t, uint32_t>>{
           {1, 1}, {1, 70}, {70, 1}, {2, 2}, {3, 200}, {5, 4}, {97, 131}}) {
    SCOPED_TRACE(testing::Message() << width << " x " << height);
    SearchPage page(width, height, Tone::kNoise);
    page.start_at_random(width);
    ASSERT_NO_FATAL_FAILURE(expect_the_cpus(page, settings_of(3, 4)));
  }
}

/// More cells than run at once: a warp to each, where small pages have a team of them.
TEST_P(LocalSearchOnGpu, GivesThemForManyCells) {
  SearchPage page(3000, 700, Tone::kRamp);
  ASSERT_NO_FATAL_FAILURE(expect_the_cpus(page, settings_of(1, 2), 0, 0, 3));
  SearchPage wide(4200, 1000, Tone::kRamp);
  ASSERT_NO_FATAL_FAILURE(expect_the_cpus(wide, settings_of(2, 3), 0, 0, 2));
}

TEST_P(LocalSearchOnGpu, GivesThemWithLargerCells) {
  for (const uint32_t more : {1U, 13U}) {
    LocalSettings settings = settings_of(3, 4);
    settings.cell += more;
    ASSERT_NO_FATAL_FAILURE(expect_the_cpus(SearchPage(90, 60, Tone::kRamp), settings));
  }
}

TEST_P(LocalSearchOnGpu, LeavesSettledRowsAlone) {
  for (const uint32_t first : {1U, 8U, 20U}) {
    SearchPage page(90, 80, Tone::kNoise);
    page.start_at_random(first);
    ASSERT_NO_FATAL_FAILURE(expect_the_cpus(page, settings_of(3, 4), first, 6 + first % 4));
  }
}

/// Any call of CUDA may find no memory, and the bits handed in stay as they are.
TEST_P(LocalSearchOnGpu, WhereTheGpuHasNoMemoryItSaysSo) {
  const SearchPage start(200, 100, Tone::kRamp);
  FaultyContext faulty;
  int refused = 0;
  for (uint64_t call = 1; call <= 30; ++call) {
    SearchPage page = start;
    faulty.fault->set(call);
    try {
      make_local_search_on_gpu(settings_of(3, 4), page.area(), faulty.context);
    } catch (const Error& error) {
      ++refused;
      EXPECT_EQ(error.kind(), ErrorKind::kOutOfMemory);
    }
    faulty.fault->set(0);
    ASSERT_EQ(page.bits, start.bits);
  }
  EXPECT_GE(refused, 10);
}

}  // namespace
}  // namespace mezzo::test::gpu_local_search_test
