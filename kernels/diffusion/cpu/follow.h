// Rows that threads work on side by side, each row some columns behind the one above it.
//
// A thread that comes too close to the row above spins for as long as a quiet machine makes it wait,
// which is next to nothing. Then the thread above has probably lost its processor: so it puts its row
// down and sleeps, and leaves the processor to others. The thread above, once it goes on, wakes it as
// soon as that is worth a waking; but if it reaches the end of its own row first, it takes up the row
// that was put down and works on it to its end. So no row waits for a thread that wakes up late, and
// a team on a busy machine is not slower than one thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "kernels/band/team.h"

namespace mezzo::diffusion {

class Follower;

/// How far a row is. One thread at a time moves it on; the row below, and no other, follows it.
class alignas(64) Progress {
 public:
  static constexpr uint32_t kFinished = UINT32_MAX;  ///< beyond all columns

  /// Columns [0, columns) are done, with all that was written for them.
  uint32_t reached() const { return reached_.load(std::memory_order_acquire); }

  /// Moves on to `columns`, at least as many as before.
  void reach(uint32_t columns) {
    // In one order with the same two in sleep(): one of the two threads at least sees the other.
    reached_.store(columns, std::memory_order_seq_cst);
    const uint32_t wanted = wanted_.load(std::memory_order_seq_cst);
    if (wanted <= columns) ring();
  }

 private:
  friend void follow(Follower& row);

  static constexpr uint32_t kNothing = UINT32_MAX;

  bool sleep(Follower& row);
  void finish();
  void abandon();
  void ring();

  std::atomic<uint32_t> reached_{0};
  std::atomic<uint32_t> wanted_{kNothing};    ///< columns that the sleeper below is woken for
  std::atomic<uint32_t> bell_{0};             ///< changes when the sleeper should look
  std::atomic<bool> completed_{false};        ///< the row below, by another thread
  std::atomic<Follower*> put_down_{nullptr};  ///< the row below, for the thread that takes it up
};

/// A row in work. It lives in the thread that began it, and another may go on with it.
class Follower {
 public:
  /// `above` is null where there is no row to wait for.
  Follower(Progress* above, Progress& own) : above_(above), own_(own) {}
  Follower(const Follower&) = delete;
  virtual ~Follower() = default;

  /// Works on to the end of the row, or until wait_for() returns false; returns which of both it was:
  /// true at the end.
  virtual bool go_on() = 0;

 protected:
  /// Whether the row above has `columns`, after a moment of waiting. If not, go_on() ends, and is
  /// called again when the row above has `with_lead` columns, at least as many: enough to be worth
  /// the waking of a thread, which takes some 50 microseconds.
  bool wait_for(uint32_t columns, uint32_t with_lead);
  uint32_t above_reached() const {
    return above_ == nullptr ? Progress::kFinished : above_->reached();
  }
  Progress& own() { return own_; }

 private:
  friend class Progress;
  friend void follow(Follower& row);

  Progress* above_;
  Progress& own_;
  uint32_t sleeps_until_ = 0;  ///< columns of the row above
};

/// Returns when the row is finished, by this thread or another. If it throws the row counts as
/// finished, so that none waits for it in vain.
void follow(Follower& row);

/// Calls `work(above, own, i)`, which calls follow(), for every i in [0, count), spread over the team,
/// in ascending order of start: row i follows row i - 1, and `above` is null for row 0.
template <typename Work>
void for_each_follower(Team& team, uint32_t count, const Work& work) {
  std::vector<Progress> rows(count);
  for_each_index(
      team, count, [&](uint32_t i) { work(i == 0 ? nullptr : &rows[i - 1], rows[i], i); });
}

}  // namespace mezzo::diffusion
