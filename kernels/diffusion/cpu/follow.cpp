#include "kernels/diffusion/cpu/follow.h"

#include <hwy/cache_control.h>

#include <chrono>

namespace mezzo::diffusion {

bool Follower::wait_for(uint32_t columns, uint32_t with_lead) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kSpin = std::chrono::microseconds(20);  // less than a waking takes
  constexpr int kBetweenLooks = 16;                      // at the clock
  const auto until = Clock::now() + kSpin;
  do {
    for (int i = 0; i < kBetweenLooks; ++i) {
      if (above_reached() >= columns) return true;
      hwy::Pause();
    }
  } while (Clock::now() < until);
  sleeps_until_ = with_lead;
  return false;
}

/// Puts `row` down, which follows this one, and sleeps. Returns whether another thread has completed
/// it; if not, it is to go on.
bool Progress::sleep(Follower& row) {
  put_down_.store(&row, std::memory_order_seq_cst);
  for (;;) {
    wanted_.store(row.sleeps_until_, std::memory_order_seq_cst);
    const uint32_t rung = bell_.load(std::memory_order_seq_cst);
    if (completed_.load(std::memory_order_acquire)) return true;
    if (reached_.load(std::memory_order_seq_cst) >= row.sleeps_until_ &&
        put_down_.exchange(nullptr, std::memory_order_seq_cst) != nullptr) {
      wanted_.store(kNothing, std::memory_order_relaxed);
      return false;
    }
    bell_.wait(rung);
  }
}

void Progress::ring() {
  wanted_.store(kNothing, std::memory_order_relaxed);
  bell_.fetch_add(1, std::memory_order_seq_cst);
  bell_.notify_one();
}

/// Ends the row, and takes up those below that were put down. They need not wait any more.
void Progress::finish() {
  struct Completed {
    ~Completed() {
      progress.completed_.store(true, std::memory_order_release);
      progress.ring();
    }
    Progress& progress;
  };
  for (Progress* ended = this; ended != nullptr;) {
    ended->reached_.store(kFinished, std::memory_order_seq_cst);
    Follower* const row = ended->put_down_.exchange(nullptr, std::memory_order_seq_cst);
    if (row == nullptr) return;
    Progress& own = row->own_;
    const Completed completed{*ended};
    try {
      row->go_on();
    } catch (...) {
      own.abandon();
      throw;
    }
    ended = &own;
  }
}

/// Ends the row after an exception: who follows may go on.
void Progress::abandon() {
  reached_.store(kFinished, std::memory_order_seq_cst);
  ring();
}

void follow(Follower& row) {
  try {
    while (!row.go_on()) {
      if (row.above_->sleep(row)) return;
    }
  } catch (...) {
    row.own_.abandon();
    throw;
  }
  row.own_.finish();
}

}  // namespace mezzo::diffusion
