#include "pipeline/cluster/wait_for_end.h"

#include <algorithm>
#include <thread>

#include "pipeline/cluster/records/attempt_reader.h"
#include "pipeline/log/log.h"
#include "pipeline/text.h"

namespace mezzo::cluster {
namespace {

using Clock = std::chrono::steady_clock;

class Waiter {
 public:
  Waiter(const ClusterPlan& plan,
         ClusterEngine& engine,
         const std::atomic<bool>& stop,
         const WaitPace& pace)
      : plan_(plan), engine_(engine), stop_(stop), pace_(pace) {}

  std::optional<Collected> wait() {
    while (!stop_) {
      const auto begin = Clock::now();
      if (is_settled()) {
        Collected collected = collect(plan_, nullptr, false);
        if (collected.tally.open == 0) return collected;  // by their digests, too
      }
      if (is_out_of_hand()) {
        Collected collected = collect(plan_, &engine_, false);
        if (collected.tally.open == 0 || collected.given_up || collected.cancelled)
          return collected;
        const bool all_in_hand =
            collected.waiting.size() == open_units(plan_, collected.sheets).size();
        if (is_stuck_ && all_in_hand) return collected;
        if (!collected.again) pause(pace_.after_refusal);
        if (collected.again) {
          log::warn("Slurm lost {}; submitted again as job {}",
                    counted(collected.again->units, "unit"),
                    collected.again->job_id);
        }
        idle_looks_ = 0;
      }
      const auto took = Clock::now() - begin;
      pause(std::max<Clock::duration>(pace_.between_looks, 20 * took));
    }
    return std::nullopt;
  }

 private:
  bool is_settled() {
    std::vector<SheetStatus> sheets =
        evaluate_sheets(plan_, read_attempts(plan_), VerifyMode::kSize);
    reopen(
        plan_, [](uint32_t) { return true; }, sheets);
    const Tally now = tally(sheets);
    constexpr auto kBetweenLines = std::chrono::seconds(10);
    const bool is_news = now.settled() != told_;
    if (is_news && Clock::now() - last_line_ >= kBetweenLines) {
      log::info("{}", progress_text(now));
      last_line_ = Clock::now();
      told_ = now.settled();
    }
    return now.open == 0;
  }

  /// Whether the scheduler answered twice, some seconds apart, that it does nothing about the plan.
  bool is_out_of_hand() {
    if (Clock::now() - last_question_ < pace_.between_questions) return false;
    last_question_ = Clock::now();
    const Queue queue = engine_.queue(plan_);
    if (!queue.answers) {
      if (answers_) log::warn("{}; waiting for it", queue.why);
    } else if (!answers_) {
      log::info("Slurm answers again");
    }
    answers_ = queue.answers;
    const bool only_held = queue.waiting.empty() && queue.running.empty() && !queue.held.empty();
    const bool was_stuck = is_stuck_;
    is_stuck_ = only_held && queue.stuck == queue.held;
    if (only_held && !told_held_) {
      log::warn("Slurm holds {} back; see scontrol show job, and scontrol release",
                counted(queue.held.size(), "unit"));
      told_held_ = true;
    }
    if (is_stuck_ && !was_stuck) {
      log::warn("only these units are left, and they stay held until they are released");
    }
    const bool is_idle = queue.answers && (queue.is_empty() || is_stuck_);
    idle_looks_ = is_idle ? idle_looks_ + 1 : 0;
    return idle_looks_ >= 2;
  }

  void pause(Clock::duration time) {
    const auto end = Clock::now() + time;
    while (!stop_ && Clock::now() < end) {
      std::this_thread::sleep_for(
          std::min<Clock::duration>(end - Clock::now(), std::chrono::milliseconds(100)));
    }
  }

  const ClusterPlan& plan_;
  ClusterEngine& engine_;
  const std::atomic<bool>& stop_;
  const WaitPace pace_;
  Clock::time_point last_line_ = Clock::now();
  Clock::time_point last_question_ = Clock::now();
  size_t told_ = 0;  ///< sheets that were settled in the last line
  int idle_looks_ = 0;
  bool answers_ = true;
  bool told_held_ = false;
  bool is_stuck_ = false;  ///< it holds all that is left, because that failed
};

}  // namespace

std::optional<Collected> wait_for_end(const ClusterPlan& plan,
                                      ClusterEngine& engine,
                                      const std::atomic<bool>& stop,
                                      const WaitPace& pace) {
  return Waiter(plan, engine, stop, pace).wait();
}

}  // namespace mezzo::cluster
