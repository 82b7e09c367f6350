// A machine for tests, which set its time. Its workers are not processes, and its lanes hang on request.
#pragma once

#include <algorithm>
#include <chrono>
#include <csignal>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernels/base/error.h"
#include "pipeline/watch/machine/machine.h"
#include "tests/pipeline/watch/folder/stopping_calls.h"
#include "tests/pipeline/watch/machine/fake_work.h"

namespace mezzo::test {

class FakeClock final : public watch::Clock {
 public:
  watch::Moment now() const override {
    const std::lock_guard lock(mutex_);
    return now_;
  }
  void advance(SteadyClock::duration time) {
    const std::lock_guard lock(mutex_);
    now_.steady += time;
    now_.wall += std::chrono::duration_cast<WallTime::duration>(time);
  }
  void advance_to(SteadyTime time) { advance(time - now().steady); }

 private:
  mutable std::mutex mutex_;
  watch::Moment now_{
      .steady = SteadyTime(std::chrono::hours(1)),
      .wall = std::chrono::sys_days(std::chrono::year(2026) / 3 / 2) + std::chrono::hours(9)};
};

/// Works as FakeWork says, in the time of a clock; good work takes a millisecond.
class FakeWorker final : public process::Worker {
 public:
  using Duration = std::chrono::milliseconds;

  /// `cannot_run`: the message of a program that cannot be run; empty when it can. The others must
  /// outlive it.
  FakeWorker(const watch::Clock& clock,
             std::set<FakeWorker*>& all,
             const std::vector<std::string>& words,
             bool sees_gpus,
             const std::string& cannot_run)
      : clock_(clock), all_(all), from_(clock.now()), pid_(kFirstPid + ++started_) {
    all_.insert(this);
    if (!cannot_run.empty()) {
      messages_.push_back(cannot_run);
      end({.exit_status = process::kCannotRun});
      return;
    }
    work_.emplace(
        words,
        sees_gpus,
        [this](const std::string& line) { results_.push_back(line); },
        [this](const std::string& line) { messages_.push_back(line); });
    if (const auto status = work_->begin()) end({.exit_status = *status});
    if (work_->takes_time()) due_ = Duration(work_->number());
  }
  ~FakeWorker() override { all_.erase(this); }
  FakeWorker(const FakeWorker&) = delete;
  FakeWorker& operator=(const FakeWorker&) = delete;

  pid_t pid() const override { return pid_; }
  void add_polls(std::vector<pollfd>&) const override {}
  void read_results(const Line& line) override {
    work();
    for (; !results_.empty(); results_.pop_front()) line(results_.front());
  }
  void read_messages(const Line& line) override {
    for (; !messages_.empty(); messages_.pop_front()) {
      last_messages_.push_back(messages_.front());
      line(messages_.front());
    }
  }
  const std::deque<std::string>& last_messages() const override { return last_messages_; }
  std::optional<process::WorkerEnd> finished(SteadyTime) override {
    is_end_known_ = end_.has_value();
    return end_;
  }
  std::optional<SteadyTime> finished_by() const override {
    return end_ ? std::optional(from_) : std::nullopt;
  }

  void signal(int number) noexcept override {
    if (end_) return;
    work();
    if (number == SIGKILL) return end({.signal = SIGKILL});
    if (number == SIGSTOP) stands_still_ = true;
    if (number == SIGTERM) is_told_to_end_ = true;
    if (number == SIGCONT) stands_still_ = false;
    if (is_told_to_end_ && !stands_still_) take_term();
  }

  /// When it says something again, or its end can be seen.
  std::optional<SteadyTime> next_time() const {
    if (end_ && !is_end_known_) return from_;
    if (end_ || stands_still_ || work_->is_endless()) return std::nullopt;
    return from_ + (std::min(due_, pulsed_ + kPulse) - worked_);
  }

 private:
  static constexpr Duration kPulse{20};
  static constexpr pid_t kFirstPid = 1 << 30;  // no process has one as large

  void work() {
    const SteadyTime now = clock_.now();
    if (!end_ && !stands_still_) worked_ += std::chrono::floor<Duration>(now - from_);
    from_ = now;
    while (!end_ && work_->takes_time() && pulsed_ + kPulse <= std::min(worked_, due_)) {
      pulsed_ += kPulse;
      if (const auto status = work_->pulse()) end({.exit_status = *status});
    }
    if (!end_ && !work_->is_endless() && worked_ >= due_) end({.exit_status = work_->finish()});
  }
  void take_term() {
    if (work_->word() == "hang") return;
    if (work_->word() != "polite") return end({.signal = SIGTERM});
    messages_.emplace_back(FakeWork::kInterruptedMessage);
    results_.emplace_back(FakeWork::kInterrupted);
    end({.exit_status = 143});
  }
  void end(process::WorkerEnd how) { end_ = how; }

  static inline pid_t started_ = 0;

  const watch::Clock& clock_;
  std::set<FakeWorker*>& all_;
  SteadyTime from_;     ///< when work() was last called
  Duration worked_{0};  ///< until then
  Duration pulsed_{0};
  Duration due_{1};
  std::optional<FakeWork> work_;
  bool stands_still_ = false;
  bool is_told_to_end_ = false;
  const pid_t pid_;
  std::deque<std::string> results_, messages_, last_messages_;
  std::optional<process::WorkerEnd> end_;
  bool is_end_known_ = false;
};

/// Takes each step at once, or as late as the test wants.
class FakeLane final : public watch::Lane {
 public:
  FakeLane(const watch::Clock& clock,
           std::function<void()> wake,
           std::chrono::milliseconds asked_patience)
      : patience(asked_patience), clock_(clock), wake_(std::move(wake)) {}

  const std::chrono::milliseconds patience;  ///< that its user asked for

  bool run(std::function<void()> step) override {
    if (patience_left_) return step(), true;
    step_ = std::move(step);
    since_ = clock_.now();
    return false;
  }
  bool wait(std::chrono::milliseconds) override { return !is_busy(); }
  std::optional<SteadyTime> busy_since() const override {
    return step_ ? std::optional(since_) : std::nullopt;
  }
  bool has_thread() override { return true; }

  /// From now on steps go on alone, until go_on().
  void hang() { patience_left_ = false; }
  /// Ends the step under way; the next ones hang as well unless it `is_well`.
  void go_on(bool is_well = true) {
    patience_left_ = is_well;
    if (!step_) return;
    step_();
    step_ = nullptr;
    wake_();
  }

 private:
  const watch::Clock& clock_;
  const std::function<void()> wake_;
  std::function<void()> step_;
  SteadyTime since_{};
  bool patience_left_ = true;
};

class FakeMachine final : public watch::Machine {
 public:
  FakeClock time;
  files::FileSystem* calls = &quick_;
  bool has_process = true;   ///< false: start() throws
  bool sees_gpus = true;     ///< unless the worker is told otherwise
  std::string cannot_run{};  ///< the message of a program that cannot be run
  std::function<void(std::function<void()>)> on_detach = [](const auto& work) { work(); };
  std::vector<FakeLane*> lanes{};  ///< that were made, in order; gone with their owners

  watch::Moment now() const { return time.now(); }

  const watch::Clock& clock() const override { return time; }
  files::FileSystem& disk() override { return *calls; }
  std::unique_ptr<process::Worker> start(const std::vector<std::string>& command,
                                         int,
                                         const std::vector<std::string>& changes) override {
    if (!has_process)
      throw Error(ErrorKind::kOutOfMemory, "a worker cannot be started: no process");
    const bool is_hidden = std::ranges::find(changes, "CUDA_VISIBLE_DEVICES=") != changes.end();
    return std::make_unique<FakeWorker>(
        time, workers_, command, sees_gpus && !is_hidden, cannot_run);
  }
  std::unique_ptr<watch::Lane> make_lane(std::function<void()> wake,
                                         std::chrono::milliseconds patience) override {
    auto lane = std::make_unique<FakeLane>(time, std::move(wake), patience);
    lanes.push_back(lane.get());
    return lane;
  }
  void detach(std::function<void()> work) override { on_detach(std::move(work)); }

  /// When a worker says something.
  std::optional<SteadyTime> next_time() const {
    std::optional<SteadyTime> next;
    for (const FakeWorker* worker : workers_) {
      const auto due = worker->next_time();
      if (due && (!next || *due < *next)) next = due;
    }
    return next;
  }

 private:
  QuickCalls quick_;
  std::set<FakeWorker*> workers_;
};

}  // namespace mezzo::test
