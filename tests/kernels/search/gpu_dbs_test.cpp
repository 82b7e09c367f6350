// Direct binary search on a GPU against the CPU's, round by round; skipped without a GPU.

#include <gtest/gtest.h>

#include "kernels/base/error.h"
#include "kernels/gpu/context.h"
#include "kernels/search/gpu/gpu_search.h"
#include "tests/kernels/search/gpu_parity.h"
#include "tests/kernels/search/search_pages.h"
#include "tests/support/fault_at.h"
#include "tests/support/thread_team.h"

namespace mezzo::test::gpu_dbs_test {
namespace {

using search::DbsSettings;
using search::DbsTarget;

class DbsOnGpu : public ::testing::TestWithParam<DbsTarget> {
 protected:
  void SetUp() override {
    if (gpu::device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  }

  /// Every radius, with the least cell or `more_cell` more.
  static DbsSettings settings_of(uint32_t radius, uint32_t more_cell = 0) {
    const search::Square eye = radius % 2 ? search::gaussian_eye(0.3 * radius + 0.2, radius)
                                          : search::nasanen_eye(3500, radius);
    return {eye, GetParam(), search::least_dbs_cell(radius) + more_cell};
  }

  /// Each round's errors and bits, until nothing changes; of rows from `first` on.
  void expect_the_cpus(const SearchPage& start,
                       const DbsSettings& settings,
                       uint32_t first = 0,
                       uint32_t settled = 0) {
    SearchPage expected = start, found = start;
    const auto on_cpu = make_dbs(settings, expected.area(first, settled), team_);
    const auto on_gpu =
        make_dbs_on_gpu(settings, found.area(first, settled), gpu::Context::of_process());
    expect_the_same_rounds(*on_cpu, expected, *on_gpu, found, team_);
  }

  ThreadTeam team_{2};
};

INSTANTIATE_TEST_SUITE_P(Gpu,
                         DbsOnGpu,
                         ::testing::Values(DbsTarget::kFiltered, DbsTarget::kOriginal),
                         [](const auto& test) {
                           return test.param == DbsTarget::kFiltered ? "filtered" : "original";
                         });

TEST_P(DbsOnGpu, GivesTheBitsOfTheCpu) {
  for (const auto& [width, height] :
       std::vector<std::pair<uint32_t, uint32_t>>{{1, 1}, {1, 70}, {70, 1}, {3, 200}, {97, 131}}) {
    for (uint32_t radius = 1; radius <= search::kMostEyeRadius; ++radius) {
      SCOPED_TRACE(testing::Message() << width << " x " << height << " radius " << radius);
      SearchPage page(width, height, radius % 2 ? Tone::kNoise : Tone::kRamp);
      if (radius % 3 != 0) page.start_at_random(radius);
      ASSERT_NO_FATAL_FAILURE(expect_the_cpus(page, settings_of(radius, radius % 4)));
    }
  }
}

/// Stripes on a flat tone, where moves gain the same.
TEST_P(DbsOnGpu, TakesTheFirstOfEqualMoves) {
  for (const uint32_t apart : {2U, 3U, 5U}) {
    SearchPage page(41, 40, Tone::kFlat);
    for (uint32_t i = 0; i < page.bits.size(); ++i) page.bits[i] = i % 41 % apart == 0;
    ASSERT_NO_FATAL_FAILURE(expect_the_cpus(page, settings_of(1)));
  }
}

TEST_P(DbsOnGpu, GivesThemForThousandsOfCells) {
  for (const uint32_t radius : {3U, 7U}) {
    ASSERT_NO_FATAL_FAILURE(
        expect_the_cpus(SearchPage(1500, 1100, Tone::kRamp), settings_of(radius)));
  }
}

TEST_P(DbsOnGpu, GivesThemWithTheLargestCells) {
  for (const uint32_t radius : {1U, 8U}) {
    DbsSettings settings = settings_of(radius);
    settings.cell = search::kMostDbsCell;
    SearchPage page(300, 200, Tone::kNoise);
    page.start_at_random(5);
    ASSERT_NO_FATAL_FAILURE(expect_the_cpus(page, settings));
  }
}

TEST_P(DbsOnGpu, LeavesSettledRowsAlone) {
  for (const uint32_t first : {5U, 16U, 33U}) {
    SearchPage page(90, 120, Tone::kNoise);
    page.start_at_random(first);
    ASSERT_NO_FATAL_FAILURE(expect_the_cpus(page, settings_of(3), first, 6 + first % 4));
  }
}

/// Any call of CUDA may find no memory, and the bits handed in stay as they are.
TEST_P(DbsOnGpu, WhereTheGpuHasNoMemoryItSaysSo) {
  const SearchPage start(200, 100, Tone::kRamp);
  FaultyContext faulty;
  int refused = 0;
  for (uint64_t call = 1; call <= 40; ++call) {
    SearchPage page = start;
    faulty.fault->set(call);
    try {
      make_dbs_on_gpu(settings_of(3), page.area(), faulty.context);
    } catch (const Error& error) {
      ++refused;
      EXPECT_EQ(error.kind(), ErrorKind::kOutOfMemory);
    }
    faulty.fault->set(0);
    ASSERT_EQ(page.bits, start.bits);
  }
  EXPECT_GE(refused, 10);
  ASSERT_NO_FATAL_FAILURE(expect_the_cpus(start, settings_of(3)));
}

}  // namespace
}  // namespace mezzo::test::gpu_dbs_test
