// A search on a GPU against the CPU's, round by round.
#pragma once

#include <gtest/gtest.h>

#include <climits>

#include "kernels/search/search.h"
#include "tests/kernels/search/search_pages.h"

namespace mezzo::test {

/// Each round's errors, stages and bits, for so many rounds or until nothing changes. `expected` is the
/// page of `on_cpu`, `found` that of `on_gpu`. Fatal where they differ.
inline void expect_the_same_rounds(search::Search& on_cpu,
                                   const SearchPage& expected,
                                   search::Search& on_gpu,
                                   const SearchPage& found,
                                   Team& team,
                                   int rounds = INT_MAX) {
  ASSERT_EQ(on_gpu.error(), on_cpu.error());
  EXPECT_EQ(on_gpu.of_255(on_gpu.error()), on_cpu.of_255(on_cpu.error()));
  for (int round = 1; round <= rounds; ++round) {
    ASSERT_EQ(on_gpu.stage(), on_cpu.stage()) << "round " << round;
    const search::Round cpu = on_cpu.round(team, kNoPause);
    const search::Round gpu = on_gpu.round(team, kNoPause);
    ASSERT_EQ(gpu.changed, cpu.changed) << "round " << round;
    ASSERT_EQ(gpu.error, cpu.error) << "round " << round;
    ASSERT_EQ(gpu.error, on_gpu.error());
    ASSERT_EQ(gpu.last_stage, cpu.last_stage);
    on_cpu.finish();
    on_gpu.finish();
    ASSERT_EQ(found.bits, expected.bits) << "round " << round;
    if (cpu.changed == 0 && cpu.last_stage) break;
  }
}

}  // namespace mezzo::test
