#include "pipeline/job_runner.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "kernels/core/device.h"
#include "pipeline/graph_executor.h"
#include "pipeline/sheet_run.h"

namespace mezzo {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Admits sheets by the bytes they will hold; into an empty gate any sheet may go.
class MemoryGate {
 public:
  explicit MemoryGate(uint64_t bytes) : bytes_(bytes) {}

  void enter(uint64_t wanted) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return held_ == 0 || held_ + wanted <= bytes_; });
    held_ += wanted;
  }

  void leave(uint64_t given) {
    {
      const std::lock_guard lock(mutex_);
      held_ -= given;
    }
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  const uint64_t bytes_;
  uint64_t held_ = 0;
};

/// Thrown out of a page when the job is asked to stop.
struct Stopped {};

/// The message, with the name of the input before what a GPU says, which knows of no files.
std::string about(const SheetPlan& sheet, const Error& error) {
  const std::string text = error.what();
  const bool of_device = error.kind() == ErrorKind::kDevice ||
                         error.kind() == ErrorKind::kDeviceLost ||
                         error.kind() == ErrorKind::kOutOfMemory;
  return of_device && !text.starts_with(sheet.input) ? sheet.input + ": " + text : text;
}

class JobRun {
 public:
  JobRun(const JobPlan& plan,
         const RunOptions& options,
         JobObserver& observer,
         const std::atomic<bool>& stop)
      : plan_(plan),
        options_(options),
        observer_(observer),
        stop_(stop),
        graph_({plan.threads, options.shuffle_seed}),
        gate_(plan.memory_bytes > kProgramBytes ? plan.memory_bytes - kProgramBytes : 0),
        results_(plan.sheets.size()),
        begun_(plan.sheets.size()) {}

  JobResult run() {
    // A sheet waits for the disk at its end, and for its first band at its start: one more sheet
    // than threads keeps the threads busy. The drivers only wait; the arena's threads do the work.
    const size_t drivers =
        options_.simple ? 1 : std::min<size_t>(plan_.sheets.size(), plan_.threads + 1);
    {
      std::vector<std::jthread> threads;
      for (size_t i = 1; i < drivers; ++i) threads.emplace_back([this] { drive(); });
      drive();
    }
    JobResult result;
    result.job = plan_.job;
    result.interrupted = stop_;
    result.device_lost = device_lost_;
    for (size_t i = 0; i < results_.size(); ++i) {
      if (begun_[i]) result.sheets.push_back(std::move(results_[i]));
    }
    result.seconds = seconds_since(begin_);
    return result;
  }

 private:
  void drive() {
    for (size_t i = next_++; i < plan_.sheets.size() && !stop_ && !device_lost_; i = next_++) {
      const SheetPlan& sheet = plan_.sheets[i];
      gate_.enter(sheet.memory_bytes);
      if (device_lost_) {  // while this one waited
        gate_.leave(sheet.memory_bytes);
        return;
      }
      begun_[i] = true;
      observer_.sheet_started(sheet);
      results_[i] = outcome(sheet);
      gate_.leave(sheet.memory_bytes);
      observer_.sheet_finished(sheet, results_[i]);
    }
  }

  /// The one place where a sheet's exceptions end.
  SheetResult outcome(const SheetPlan& sheet) {
    const auto begin = Clock::now();
    std::optional<Timeline> timeline;
    SheetResult result;
    try {
      if (sheet.failure) throw Error(sheet.failure->kind, sheet.failure->message);
      SheetContext context{.executor = executor(),
                           .verify = options_.verify,
                           .on_pixels =
                               [this](uint64_t pixels) {
                                 if (stop_) throw Stopped{};
                                 observer_.pixels_done(pixels);
                               },
                           .on_round =
                               [this, &sheet](const std::string& ink, const RoundReport& report) {
                                 if (stop_) throw Stopped{};
                                 observer_.round_done(sheet, ink, report);
                               },
                           .on_pictures = {}};
      if (options_.pictures != nullptr) {
        context.on_pictures = [this, &sheet](size_t page, PreviewImages pictures) {
          options_.pictures->page_seen(sheet, page, std::move(pictures));
        };
        context.timeline = &timeline.emplace(begin);
      }
      result = run_sheet(sheet, context);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::kDeviceLost) device_lost_ = true;
      result.failure = {error.kind(), about(sheet, error)};
    } catch (const Stopped&) {
      result.failure = {ErrorKind::kInterrupted, sheet.input + ": interrupted"};
    } catch (const std::bad_alloc&) {
      result.failure = {ErrorKind::kOutOfMemory,
                        sheet.input +
                            ": out of memory; lower limits.memory or "
                            "--threads, or free some memory"};
    } catch (const std::exception& error) {
      result.failure = {ErrorKind::kBug, sheet.input + ": unexpected: " + error.what()};
    }
    result.input = sheet.input;
    result.pages = sheet.pages;
    result.index = static_cast<size_t>(&sheet - plan_.sheets.data());
    result.begin_seconds = std::chrono::duration<double>(begin - begin_).count();
    result.seconds = seconds_since(begin);
    if (timeline) result.timeline = timeline->activities();
    return result;
  }

  Executor& executor() {
    if (options_.simple) return simple_;
    return graph_;
  }

  const Clock::time_point begin_ = Clock::now();
  const JobPlan& plan_;
  const RunOptions& options_;
  JobObserver& observer_;
  const std::atomic<bool>& stop_;
  GraphExecutor graph_;
  SimpleExecutor simple_;
  MemoryGate gate_;
  std::atomic<size_t> next_{0};
  std::atomic<bool> device_lost_{false};
  std::vector<SheetResult> results_;
  std::vector<char> begun_;  // not bool: neighbours are written by different threads
};

}  // namespace

JobResult run_job(const JobPlan& plan,
                  const RunOptions& options,
                  JobObserver& observer,
                  const std::atomic<bool>& stop) {
  set_device_memory_limit(plan.device_memory_bytes);
  return JobRun(plan, options, observer, stop).run();
}

}  // namespace mezzo
