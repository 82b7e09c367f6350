// Rows that follow one another: on time, late, asleep, taken up by another, and failed.

#include "kernels/diffusion/cpu/follow.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/support/thread_team.h"

namespace mezzo::test::follow_test {
namespace {

using namespace diffusion;

/// Column x of a row needs columns 0 .. x + 1 of the row above, and is one more than column x of it.
class CountingRow final : public Follower {
 public:
  CountingRow(Progress* above,
              Progress& progress,
              const std::vector<uint32_t>* numbers_above,
              std::vector<uint32_t>& numbers,
              const std::function<void(uint32_t x)>& before_column,
              const std::function<void()>& before_sleep)
      : Follower(above, progress),
        above_(numbers_above),
        numbers_(numbers),
        before_column_(before_column),
        before_sleep_(before_sleep) {}

  bool go_on() override {
    const auto columns = static_cast<uint32_t>(numbers_.size());
    const auto within = [&](uint32_t x) { return x <= columns ? x : Progress::kFinished; };
    for (; x_ < columns; ++x_) {
      const uint32_t wanted = within(x_ + 2);
      if (above_reached() < wanted && !wait_for(wanted, within(x_ + 2 + kLead))) {
        before_sleep_();
        return false;
      }
      before_column_(x_);
      numbers_[x_] = above_ == nullptr ? 1 : (*above_)[x_] + 1;
      own().reach(x_ + 1);
    }
    return true;
  }

 private:
  static constexpr uint32_t kLead = 8;
  const std::vector<uint32_t>* above_;
  std::vector<uint32_t>& numbers_;
  const std::function<void(uint32_t)>& before_column_;
  const std::function<void()>& before_sleep_;
  uint32_t x_ = 0;
};

/// Called by the thread that works on column x of row y, which the thread `begun_by` began.
using OnColumn = std::function<void(uint32_t y, uint32_t x, std::thread::id begun_by)>;

/// The rows of a page that `threads` threads count.
std::vector<std::vector<uint32_t>> count_rows(
    uint32_t rows,
    uint32_t columns,
    uint32_t threads,
    const OnColumn& on_column = [](auto...) {},
    const std::function<void()>& before_sleep = [] {}) {
  std::vector<std::vector<uint32_t>> numbers(rows, std::vector<uint32_t>(columns));
  ThreadTeam team(threads);
  for_each_follower(team, rows, [&](Progress* above, Progress& own, uint32_t y) {
    const auto begun_by = std::this_thread::get_id();
    const std::function<void(uint32_t)> before = [&](uint32_t x) { on_column(y, x, begun_by); };
    CountingRow row(
        above, own, y == 0 ? nullptr : &numbers[y - 1], numbers[y], before, before_sleep);
    follow(row);
  });
  return numbers;
}

void expect_all_counted(const std::vector<std::vector<uint32_t>>& numbers) {
  for (uint32_t y = 0; y < numbers.size(); ++y) {
    for (const uint32_t number : numbers[y]) ASSERT_EQ(number, y + 1) << "in row " << y;
  }
}

void take_a_while() {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST(Follow, NothingToDoIsDone) {
  EXPECT_TRUE(count_rows(0, 5, 2).empty());
  expect_all_counted(count_rows(1, 0, 2));
  expect_all_counted(count_rows(3, 1, 2));
}

TEST(Follow, LosesNoColumnWithMoreThreadsThanProcessors) {
  for (uint32_t round = 0; round < 40; ++round) {
    SCOPED_TRACE(round);
    expect_all_counted(count_rows(200, 1 + round * 7, 2 + round % 15));
  }
}

TEST(Follow, LosesNoColumnWhenRowsStopAndGo) {
  for (const uint32_t every : {5U, 37U, 211U}) {
    expect_all_counted(count_rows(40, 100, 6, [&](uint32_t y, uint32_t x, auto) {
      if ((y * 101 + x) % every == 0) take_a_while();
    }));
  }
}

TEST(Follow, WakesWhoSleepsOnceTheRowAboveHasALead) {
  std::atomic<bool> below_went_on{false};
  count_rows(2, 100, 2, [&](uint32_t y, uint32_t x, auto) {
    if (y == 1 && x == 20) below_went_on = true;
    if (y == 0 && x == 5) take_a_while();  // the row below sleeps
    if (y == 0 && x == 50) {               // and does not sleep until the end
      while (!below_went_on) std::this_thread::yield();
    }
  });
}

TEST(Follow, TakesUpTheRowOfAThreadThatDoesNotWakeInTime) {
  // Row 0 does not go on to its last column before row 1 goes to sleep. The thread of row 0 is mostly at the end
  // before the other is awake; when it is not, or the other is not yet asleep, they try again.
  std::atomic<bool> taken_up{false};
  while (!taken_up) {
    std::atomic<bool> goes_to_sleep{false};
    const auto on_column = [&](uint32_t y, uint32_t x, std::thread::id begun_by) {
      if (y == 1 && std::this_thread::get_id() != begun_by) taken_up = true;
      if (y != 0 || x != 9) return;
      while (!goes_to_sleep) std::this_thread::yield();
      take_a_while();
    };
    expect_all_counted(count_rows(2, 10, 2, on_column, [&] { goes_to_sleep = true; }));
  }
}

TEST(Follow, WaitsForNoRowThatFailed) {
  for (const uint32_t failing : {0U, 1U, 7U}) {
    SCOPED_TRACE(failing);
    const auto fail = [&](uint32_t y, uint32_t x, auto) {
      if (y != failing || x != 20) return;
      take_a_while();  // those below sleep, and one of them is taken up
      throw std::runtime_error("this row fails");
    };
    EXPECT_THROW(count_rows(8, 100, 4, fail), std::runtime_error);
  }
}

TEST(Follow, WaitsForNoRowThatFailedWhenAnotherThreadTookItUp) {
  const auto fail = [](uint32_t y, uint32_t x, auto) {
    if (x != 99) return;
    take_a_while();  // rows 1 and 2 sleep; row 1 is taken up
    if (y == 1) throw std::runtime_error("this row fails");
  };
  for (int round = 0; round < 20; ++round) {
    EXPECT_THROW(count_rows(8, 100, 4, fail), std::runtime_error);
  }
}

}  // namespace
}  // namespace mezzo::test::follow_test
