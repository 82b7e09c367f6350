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
  std::atomic<bool> has_asked{false}, there_is_room{false}, is_in{false};
  std::jthread later([&] {
    has_asked = true;
    const Gate::Pass pass(gate, 5);
    EXPECT_TRUE(there_is_room);
    is_in = true;
  });
  while (!has_asked) std::this_thread::yield();
  for (int turn = 0; turn < 1000; ++turn) std::this_thread::yield();
  there_is_room = true;
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
