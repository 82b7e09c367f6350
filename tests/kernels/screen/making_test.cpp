// The tiles that a process makes at a time.
#include "kernels/screen/making.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "kernels/halftoner.h"
#include "kernels/registry.h"

namespace mezzo::test::making_test {
namespace {

TEST(Makers, AreNoMoreThanTheLimit) {
  screen::Makers makers;
  makers.limit(2);
  constexpr int kThreads = 6;
  std::atomic<int> asked{0}, now{0}, most{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        ++asked;
        makers.run([&] {
          const int here = ++now;
          for (int seen = most; here > seen && !most.compare_exchange_weak(seen, here);) {
          }
          while (asked < kThreads) std::this_thread::yield();  // all the others want to come in
          for (int turn = 0; turn < 1000; ++turn) std::this_thread::yield();
          --now;
        });
      });
    }
  }
  EXPECT_EQ(now, 0);
  EXPECT_GE(most, 1);
  EXPECT_LE(most, 2);
}

TEST(Makers, LeaveTheirPlaceWhenTheyFail) {
  screen::Makers makers;
  makers.limit(1);
  EXPECT_THROW(makers.run([] { throw 1; }), int);
  bool is_made = false;
  makers.run([&] { is_made = true; });
  EXPECT_TRUE(is_made);
}

TEST(Makers, TellTheMemoryThatTheyTake) {
  const auto bytes = [](const HalftoneSettings& settings) {
    return make_halftoner(complete(settings)).halftoner->traits().making_bytes;
  };
  EXPECT_EQ(bytes({.method = "bayer"}), 0U);
  EXPECT_GE(bytes({.method = "fm", .parameters = {{"size", 512}}}), 7'000'000U);
  const HalftoneSettings clusters{.method = "fm", .parameters = {{"size", 512}, {"cluster", 400}}};
  EXPECT_GE(bytes(clusters), 14'000'000U);
  EXPECT_GE(bytes({.method = "am", .parameters = {{"ruling", 175}, {"dpi", 2800}}}), 3'000'000U);
}

}  // namespace
}  // namespace mezzo::test::making_test
