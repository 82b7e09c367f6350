#include "pipeline/run/memory_guard.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <thread>
#include <vector>

namespace mezzo::test::memory_guard_test {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;
constexpr int kHeld = 7;
constexpr int kRefused = 8;

plan::JobPlan plan_of(uint64_t memory, Engine engine = Engine::kCpu) {
  plan::JobPlan plan;
  plan.memory_bytes = memory;
  plan.threads = 4;
  plan.sheets.emplace_back().plates.emplace_back().engine = engine;
  return plan;
}

/// Takes memory as a decoder does, and writes to each page of it.
[[noreturn]] void take(uint64_t bytes, const plan::JobPlan& plan) {
  run::guard_memory(plan);
  std::vector<std::unique_ptr<char[]>> pieces;
  try {
    for (uint64_t taken = 0; taken < bytes; taken += kMiB) {
      pieces.push_back(std::make_unique<char[]>(kMiB));
    }
  } catch (const std::bad_alloc&) {
    std::_Exit(kRefused);
  }
  std::_Exit(kHeld);
}

TEST(MemoryGuardDeathTest, refuses_what_goes_far_beyond_the_memory_of_the_job) {
  EXPECT_EXIT(take(2048 * kMiB, plan_of(64 * kMiB)), testing::ExitedWithCode(kRefused), "");
}

TEST(MemoryGuardDeathTest, leaves_a_job_its_memory) {
  EXPECT_EXIT(take(600 * kMiB, plan_of(600 * kMiB)), testing::ExitedWithCode(kHeld), "");
}

TEST(MemoryGuardDeathTest, leaves_room_for_the_stacks_of_the_jobs_threads) {
  const auto start_threads = [] {
    plan::JobPlan plan = plan_of(64 * kMiB);
    plan.threads = 64;
    run::guard_memory(plan);
    std::vector<std::jthread> threads;
    for (uint32_t i = 0; i < plan.threads; ++i) {
      threads.emplace_back([] { std::make_unique<char[]>(kMiB / 2); });
    }
    threads.clear();
    std::_Exit(kHeld);
  };
  EXPECT_EXIT(start_threads(), testing::ExitedWithCode(kHeld), "");
}

TEST(MemoryGuardDeathTest, says_what_it_set_and_sets_nothing_for_jobs_on_a_gpu) {
  const auto look = [] {
    rlimit before{};
    rlimit after{};
    ::getrlimit(RLIMIT_DATA, &before);
    const bool none = !run::guard_memory(plan_of(64 * kMiB, Engine::kGpu)) &&
                      !run::guard_memory(plan_of(64 * kMiB, Engine::kHybrid));
    ::getrlimit(RLIMIT_DATA, &after);
    const bool same = before.rlim_cur == after.rlim_cur;
    const auto set = run::guard_memory(plan_of(64 * kMiB));
    ::getrlimit(RLIMIT_DATA, &after);
    std::_Exit(none && same && set && *set == after.rlim_cur ? kHeld : kRefused);
  };
  EXPECT_EXIT(look(), testing::ExitedWithCode(kHeld), "");
}

}  // namespace
}  // namespace mezzo::test::memory_guard_test
