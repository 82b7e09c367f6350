// The tiles that a process makes at a time.
#include "kernels/screen/making.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "kernels/halftoner.h"
#include "kernels/registry.h"

namespace mezzo::test::making_test {
namespace {

TEST(Makers, AreNoMoreThanTheLimit) {
  using namespace std::chrono_literals;
  screen::Makers makers;
  makers.limit(2);
  std::atomic<int> now{0}, most{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 6; ++i) {
      threads.emplace_back([&] {
        makers.run([&] {
          most = std::max(most.load(), ++now);
          std::this_thread::sleep_for(5ms);
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
    return make_halftoner(settings).halftoner->traits().making_bytes;
  };
  EXPECT_EQ(bytes({.method = "bayer"}), 0U);
  EXPECT_GE(bytes({.method = "fm", .parameters = {{"size", 512}}}), 7'000'000U);
  const HalftoneSettings clusters{.method = "fm", .parameters = {{"size", 512}, {"cluster", 400}}};
  EXPECT_GE(bytes(clusters), 14'000'000U);
  EXPECT_GE(bytes({.method = "am", .parameters = {{"ruling", 175}}}), 3'000'000U);
}

}  // namespace
}  // namespace mezzo::test::making_test
