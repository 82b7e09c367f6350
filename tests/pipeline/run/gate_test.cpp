// Room that threads hold by passes.
#include "pipeline/run/gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

namespace mezzo::test::gate_test {
namespace {

using run::Gate;

TEST(Gate, LetsAnyAmountIntoAnEmptyGate) {
  Gate gate(0);
  const Gate::Pass pass(gate, 100);
}

TEST(Gate, WaitsForRoom) {
  Gate gate(10);
  std::optional<Gate::Pass> first;
  first.emplace(gate, 7);
  const Gate::Pass beside(gate, 3);
  std::atomic<bool> is_in{false};
  std::jthread later([&] {
    const Gate::Pass pass(gate, 5);
    is_in = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(is_in);
  first.reset();
  later.join();
  EXPECT_TRUE(is_in);
}

TEST(Gate, HoldsNoMoreThanItsRoom) {
  Gate gate(10);
  std::atomic<int> held{0}, most{0};
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&, amount = 1 + t % 4] {
        for (int i = 0; i < 500; ++i) {
          const Gate::Pass pass(gate, static_cast<uint64_t>(amount));
          const int now = held += amount;
          for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
          }
          held -= amount;
        }
      });
    }
  }
  EXPECT_LE(most, 10);
  EXPECT_GT(most, 0);
}

}  // namespace
}  // namespace mezzo::test::gate_test
