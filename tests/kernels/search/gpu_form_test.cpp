// The search for the tone form on a GPU against the CPU's, round by round; skipped without a GPU.
#include <gtest/gtest.h>

#include "kernels/base/error.h"
#include "kernels/gpu/context.h"
#include "kernels/search/cpu/form_search.h"
#include "kernels/search/gpu/gpu_search.h"
#include "tests/kernels/search/gpu_parity.h"
#include "tests/kernels/search/search_pages.h"
#include "tests/support/fault_at.h"
#include "tests/support/thread_team.h"

namespace mezzo::test::gpu_form_test {
namespace {

using search::FormSettings;
using search::FormWindows;

class FormOnGpu : public ::testing::TestWithParam<FormWindows> {
 protected:
  void SetUp() override {
    if (gpu::device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  }

  /// Moves alone, or windows from the start image on.
  static FormSettings settings(uint32_t more_cell = 0) {
    return {.cell = search::form::kLeastCell + more_cell,
            .moves = GetParam() == FormWindows::kNone,
            .windows = GetParam()};
  }

  /// Each round's errors and bits, until nothing changes; of rows from `first` on.
  void expect_the_cpus(const SearchPage& start,
                       const FormSettings& settings,
                       uint32_t first = 0,
                       uint32_t settled = 0,
                       int rounds = 1000) {
    SearchPage expected = start, found = start;
    const auto on_cpu = make_form_search(settings, expected.area(first, settled), team_);
    const auto on_gpu =
        make_form_search_on_gpu(settings, found.area(first, settled), gpu::Context::of_process());
    expect_the_same_rounds(*on_cpu, expected, *on_gpu, found, team_, rounds);
  }

  ThreadTeam team_{16};
};

INSTANTIATE_TEST_SUITE_P(Gpu,
                         FormOnGpu,
                         ::testing::Values(FormWindows::kNone,
                                           FormWindows::kAll,
                                           FormWindows::kSameInk),
                         [](const auto& test) {
                           return test.param == FormWindows::kNone  ? "moves"
                                  : test.param == FormWindows::kAll ? "windows"
                                                                    : "windowsWithAsMuchInk";
                         });

TEST_P(FormOnGpu, GivesTheBitsOfTheCpuForEveryTone) {
  for (const Tone tone :
       {Tone::kNoise, Tone::kRamp, Tone::kPaper, Tone::kFlat, Tone::kSolid, Tone::kEdge}) {
    SCOPED_TRACE(static_cast<int>(tone));
    ASSERT_NO_FATAL_FAILURE(expect_the_cpus(SearchPage(150, 131, tone), settings()));
    SearchPage random(97, 131, tone);
    random.start_at_random(7);
    ASSERT_NO_FATAL_FAILURE(expect_the_cpus(random, settings()));
  }
}

TEST_P(FormOnGpu, GivesThemOnPagesOfEverySize) {
  for (const auto& [width, height] : std::vector<std::pair<uint32_t, uint32_t>>{
           {1, 1}, {1, 70}, {70, 1}, {2, 2}, {3, 200}, {5, 4}, {4, 5}, {19, 38}}) {
    SCOPED_TRACE(testing::Message() << width << " x " << height);
    SearchPage page(width, height, Tone::kNoise);
    page.start_at_random(width);
    ASSERT_NO_FATAL_FAILURE(expect_the_cpus(page, settings()));
  }
}

/// Everywhere as far from the best as can be: the largest numbers that c and windows take.
TEST_P(FormOnGpu, GivesThemFromTheWorstStart) {
  for (const Tone tone : {Tone::kPaper, Tone::kSolid}) {
    for (const uint32_t width : {2U, 80U}) {
      SearchPage page(width, 70, tone);
      for (auto& bit : page.bits) bit = tone == Tone::kPaper;
      ASSERT_NO_FATAL_FAILURE(expect_the_cpus(page, settings()));
    }
  }
}

TEST_P(FormOnGpu, GivesThemInAllStages) {
  FormSettings all = settings();
  all.moves = true;
  ASSERT_NO_FATAL_FAILURE(expect_the_cpus(SearchPage(300, 200, Tone::kRamp), all));
}

/// More cells than run at once.
TEST_P(FormOnGpu, GivesThemForManyCells) {
  ASSERT_NO_FATAL_FAILURE(
      expect_the_cpus(SearchPage(4000, 1000, Tone::kRamp), settings(), 0, 0, 2));
}

TEST_P(FormOnGpu, GivesThemWithLargerCells) {
  for (const uint32_t more : {1U, search::kMostDbsCell - search::form::kLeastCell}) {
    ASSERT_NO_FATAL_FAILURE(expect_the_cpus(SearchPage(190, 160, Tone::kRamp), settings(more)));
  }
}

TEST_P(FormOnGpu, LeavesSettledRowsAlone) {
  for (const uint32_t first : {1U, 8U, 37U}) {
    SearchPage page(90, 120, Tone::kNoise);
    page.start_at_random(first);
    ASSERT_NO_FATAL_FAILURE(expect_the_cpus(page, settings(), first, 16 + first % 4));
  }
}

/// Any call of CUDA may find no memory, and the bits handed in stay as they are.
TEST_P(FormOnGpu, WhereTheGpuHasNoMemoryItSaysSo) {
  const SearchPage start(200, 100, Tone::kRamp);
  FaultyContext faulty;
  int refused = 0;
  for (uint64_t call = 1; call <= 50; ++call) {
    SearchPage page = start;
    faulty.fault->set(call);
    try {
      make_form_search_on_gpu(settings(), page.area(), faulty.context);
    } catch (const Error& error) {
      ++refused;
      EXPECT_EQ(error.kind(), ErrorKind::kOutOfMemory);
    }
    faulty.fault->set(0);
    ASSERT_EQ(page.bits, start.bits);
  }
  EXPECT_GE(refused, 10);
  ASSERT_NO_FATAL_FAILURE(expect_the_cpus(start, settings()));
}

}  // namespace
}  // namespace mezzo::test::gpu_form_test
