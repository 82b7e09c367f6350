// Colour direct binary search on a GPU against the CPU's, round by round; skipped without a GPU.
#include "kernels/search/colour/gpu/gpu_colour_search.h"

#include <gtest/gtest.h>

#include "kernels/base/error.h"
#include "kernels/gpu/context.h"
#include "kernels/search/colour/cpu/colour_search.h"
#include "tests/kernels/search/colour/naive_colour_dbs.h"
#include "tests/kernels/search/search_pages.h"
#include "tests/support/thread_team.h"

namespace mezzo::test::gpu_colour_search_test {
namespace {

class ColourDbsOnGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpu::device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  }

  /// Each round's errors and states, at most `most` of them; returns how many.
  int expect_the_cpus(ColourPage& expected, ColourPage& found, int most) {
    const together::InkColours colours = some_colours(expected.inks);
    const auto on_cpu = search::colour::make_search(colours, expected.page(), team_);
    const auto on_gpu =
        search::colour::make_search_on_gpu(colours, found.page(), gpu::Context::of_process());
    EXPECT_EQ(on_gpu->error(), on_cpu->error());
    EXPECT_EQ(on_gpu->of_255(on_gpu->error()), on_cpu->of_255(on_cpu->error()));
    for (int round = 1;; ++round) {
      const search::Round cpu = on_cpu->round(team_, kNoPause);
      const search::Round gpu = on_gpu->round(team_, kNoPause);
      on_cpu->finish();
      on_gpu->finish();
      EXPECT_EQ(gpu.changed, cpu.changed) << "round " << round;
      EXPECT_EQ(gpu.error, cpu.error) << "round " << round;
      EXPECT_EQ(found.states, expected.states) << "round " << round;
      if (HasFailure() || cpu.changed == 0 || round == most) return round;
    }
  }

  ThreadTeam team_{2};
};

TEST_F(ColourDbsOnGpu, GivesTheStatesAndErrorsOfTheCpu) {
  for (int inks = 1; inks <= 6; ++inks) {
    for (const auto& [width, height] :
         std::vector<std::pair<int, int>>{{1, 1}, {1, 40}, {37, 1}, {33, 18}, {70, 51}}) {
      SCOPED_TRACE(testing::Message() << inks << " inks, " << width << " x " << height);
      ColourPage expected(width, height, inks), found(width, height, inks);
      expected.fill(static_cast<uint32_t>(inks));
      found.fill(static_cast<uint32_t>(inks));
      expect_the_cpus(expected, found, 8);
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST_F(ColourDbsOnGpu, GivesThemToTheEnd) {
  ColourPage expected(150, 170, 4), found(150, 170, 4);
  expected.fill_flat({200, 1200, 1500, 700}, 1);
  found.fill_flat({200, 1200, 1500, 700}, 1);
  EXPECT_GE(expect_the_cpus(expected, found, 100), 5);
}

TEST_F(ColourDbsOnGpu, SaysWhenThereIsNoRoom) {
  gpu::Context small(gpu::ContextOptions{.memory_bytes = 1 << 20});
  ColourPage page(500, 400, 4);
  page.fill(1);
  try {
    search::colour::make_search_on_gpu(some_colours(4), page.page(), small);
    FAIL() << "a page of 200,000 pixels in a mebibyte";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kOutOfMemory);
  }
}

}  // namespace
}  // namespace mezzo::test::gpu_colour_search_test
