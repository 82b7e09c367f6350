#include "pipeline/run/job_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>
#include <thread>

#include "kernels/gpu/context.h"
#include "kernels/screen/making.h"
#include "pipeline/plan/gpu_way.h"
#include "pipeline/plan/page_memory.h"
#include "pipeline/run/disk_space.h"
#include "pipeline/run/graph_executor.h"
#include "pipeline/run/memory_guard.h"
#include "pipeline/run/sheet_run.h"
#include "pipeline/run/turn.h"
#include "pipeline/text.h"
#include "stages/files/published_files.h"

namespace mezzo::run {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The budget without the program and the plan.
uint64_t memory_for_sheets(const plan::JobPlan& plan) {
  const uint64_t taken = plan::kProgramBytes + plan.own_bytes;
  return plan.memory_bytes - std::min(plan.memory_bytes, taken);
}

/// Planes that go to strips on GPUs at a time. So many keep a GPU and its bus busy; more only wait,
/// and take memory, which is slow to come by.
uint64_t planes_on_gpus(const plan::JobPlan& plan) {
  constexpr uint64_t kOfOneGpu = 16;
  const auto goes_there = [](const plan::SheetPlan& sheet) {
    return !sheet.failure && plan::gpu_way(sheet).to_strips;
  };
  // Counting GPUs takes a tenth of a second.
  return std::ranges::any_of(plan.sheets, goes_there) ? kOfOneGpu * gpu::device_count() : 0;
}

/// The threads to start: those of the plan, but no more than find work, as starting one takes longer than a small
/// page. One for each 65,536 pixels finds work; 16, or one for each processor of this machine, always start.
uint32_t threads_with_work(const plan::JobPlan& plan) {
  constexpr uint64_t kPixelsAThread = 1 << 16;
  constexpr uint64_t kFew = 16;  // take a few milliseconds
  const uint64_t useful =
      std::max({plan.pixels / kPixelsAThread, uint64_t{plan::available_threads()}, kFew});
  return static_cast<uint32_t>(std::min<uint64_t>(plan.threads, useful));
}

/// Thrown out of a page when the job is asked to stop.
struct Stopped {};

/// The error, with the name of the input in front if it comes from a GPU or a coder, which do not know it.
Error about(const plan::SheetPlan& sheet, const Error& error) {
  const bool names_no_file =
      error.kind() == ErrorKind::kUnsupported || error.kind() == ErrorKind::kDevice ||
      error.kind() == ErrorKind::kDeviceLost || error.kind() == ErrorKind::kOutOfMemory;
  const bool is_named = error.finding().starts_with(sheet.input);
  return names_no_file && !is_named ? error.at(sheet.input + ": ") : error;
}

class JobRun {
 public:
  JobRun(const plan::JobPlan& plan,
         const RunOptions& options,
         JobObserver& observer,
         const std::atomic<bool>& stop)
      : plan_(plan),
        options_(options),
        observer_(observer),
        stop_(stop),
        threads_(threads_with_work(plan)),
        memory_(memory_for_sheets(plan)),
        planes_on_gpus_(planes_on_gpus(plan)),
        results_(plan.sheets.size()),
        begun_(plan.sheets.size()) {
    screen::Makers::of_process().limit(plan::tile_makers(plan.memory_bytes));
    if (!options.simple) graph_.emplace(GraphExecutor::Options{threads_, options.shuffle_seed});
    for (const auto& [sheet, result] : options.done) know_plates(plan.sheets[sheet]);
  }

  JobResult run() {
    // A sheet waits for the disk at its end, and for its first band at its start: one more sheet
    // than threads keeps the threads busy. The drivers only wait; the arena's threads do the work.
    const size_t drivers =
        options_.simple ? 1 : std::min<size_t>(plan_.sheets.size(), threads_ + 1);
    {
      std::vector<std::jthread> threads;
      try {
        for (size_t i = 1; i < drivers; ++i) threads.emplace_back([this] { drive(); });
      } catch (const std::system_error&) {
        // No thread to be had: those that there are make all sheets, with less in flight.
      }
      drive();
    }
    JobResult result;
    result.job = plan_.job;
    result.interrupted = stop_;
    result.device_lost = device_lost_;
    result.out_of_time = out_of_time_;
    for (size_t i = 0; i < results_.size(); ++i) {
      if (begun_[i]) result.sheets.push_back(std::move(results_[i]));
    }
    result.seconds = seconds_since(begin_);
    return result;
  }

 private:
  Failure out_of_memory(const plan::SheetPlan& sheet) const {
    if (!options_.is_guarded) {
      return {ErrorKind::kOutOfMemory,
              sheet.input + ": out of memory",
              "lower limits.memory or --threads, or free some memory"};
    }
    return {ErrorKind::kOutOfMemory,
            fmt::format("{}: it takes more memory than its job may have, {} and {} beside it",
                        sheet.input,
                        bytes_text(plan_.memory_bytes),
                        bytes_text(kMemoryAllowance)),
            "raise limits.memory if the page is meant to be so"};
  }

  /// Made by an earlier run.
  void know_plates(const plan::SheetPlan& sheet) {
    for (const plan::PlatePlan& plate : sheet.plates) {
      struct stat found {};
      if (plan_.files->status_of_name(plate.path, found) == 0) published_.add(plate.path, found);
    }
  }

  void drive() {
    for (size_t i = next_++; i < plan_.sheets.size() && may_begin(); i = next_++) {
      const plan::SheetPlan& sheet = plan_.sheets[i];
      if (const auto done = options_.done.find(i); done != options_.done.end()) {
        results_[i] = done->second;
        if (!sheet.side_files.empty()) {
          const Gate::Pass pass(memory_, sheet.memory_bytes);
          make_side_files(sheet, results_[i]);
        }
      } else if (!run(sheet, results_[i])) {
        return;
      }
      results_[i].index = i;
      begun_[i] = true;
      observer_.sheet_finished(sheet, results_[i]);
    }
  }

  /// Whether a sheet may begin now, as far as the job is concerned.
  bool may_begin() {
    if (options_.deadline && options_.now() >= *options_.deadline) {
      out_of_time_ = true;
    }
    return !stop_ && !device_lost_ && !out_of_time_;
  }

  /// False when the sheet did not begin.
  bool run(const plan::SheetPlan& sheet, SheetResult& result) {
    bool is_begun = false;
    for (;;) {
      // A sheet that its plan has failed needs no space.
      std::optional<Failure> failure =
          sheet.failure ? std::nullopt : shortage(plan_, sheet, options_.reserve_bytes);
      if (failure && options_.wait_for_space) {
        if (!wait_for_space(sheet, *failure)) return is_begun;
        failure.reset();
      }
      if (failure) {
        result.input = sheet.input;
        result.pages = sheet.pages;
        result.failure = std::move(failure);
        return true;
      }
      {
        const Gate::Pass pass(memory_, sheet.memory_bytes);
        if (!may_begin()) return is_begun;  // it may have waited long
        if (!is_begun) observer_.sheet_started(sheet);
        is_begun = true;
        result = outcome(sheet);
      }
      const bool is_full = result.failure && result.failure->kind == ErrorKind::kDiskFull;
      if (!is_full || sheet.failure || !options_.wait_for_space) return true;
      if (!wait_for_space(sheet, *result.failure)) return true;
    }
  }

  /// Returns when the sheet may have space now; false when no sheet may begin any more. A quota
  /// does not show in the free space, so from time to time the sheet is tried in any case.
  bool wait_for_space(const plan::SheetPlan& sheet, const Failure& failure) {
    constexpr auto kPause = std::chrono::milliseconds(500);
    constexpr auto kTryAnyway = std::chrono::seconds(60);
    const auto begin = Clock::now();
    const std::string& plate = sheet.plates.front().path;
    const uint64_t before = files::free_space(*plan_.files, plate).value_or(0);
    observer_.paused({.reason = failure.message,
                      .folder = files::existing_folder(*plan_.files, plate),
                      .wanted_bytes = options_.reserve_bytes + sheet.raw_bytes});
    while (may_begin()) {
      std::this_thread::sleep_for(kPause);
      const uint64_t now = files::free_space(*plan_.files, plate).value_or(0);
      const bool is_more = now > before || now >= options_.reserve_bytes + sheet.raw_bytes;
      if (shortage(plan_, sheet, options_.reserve_bytes)) continue;
      if (!is_more && Clock::now() - begin < kTryAnyway) continue;
      observer_.continued();
      return true;
    }
    return false;
  }

  SheetResult outcome(const plan::SheetPlan& sheet) {
    const auto begin = Clock::now();
    std::optional<Timeline> timeline;
    SheetResult result;
    if (sheet.failure) {
      result.failure = sheet.failure;
    } else {
      attempt(sheet, begin, timeline, result);
      while (is_for_another_gpu(result)) {
        result = {};
        attempt(sheet, begin, timeline, result);
        if (!result.failure) {
          result.notes.emplace_back("a GPU failed for good, and another GPU made the page");
        }
      }
      if (result.failure && result.failure->kind == ErrorKind::kDeviceLost) device_lost_ = true;
    }
    result.input = sheet.input;
    result.pages = sheet.pages;
    result.begin_seconds = std::chrono::duration<double>(begin - begin_).count();
    result.seconds = seconds_since(begin);
    if (timeline) result.timeline = timeline->activities();
    return result;
  }

  /// Returns whether the sheet failed because a GPU was lost, and another GPU is left. A lost GPU gets no
  /// more planes, so a sheet is tried once for each GPU at most.
  bool is_for_another_gpu(const SheetResult& result) const {
    const uint32_t lost = gpu::lost_devices();
    return result.failure && result.failure->kind == ErrorKind::kDeviceLost && !stop_ && lost > 0 &&
           lost < gpu::device_count();
  }

  /// The one place where a sheet's exceptions end.
  void attempt(const plan::SheetPlan& sheet,
               Clock::time_point begin,
               std::optional<Timeline>& timeline,
               SheetResult& result) {
    try {
      SheetContext context{.executor = executor(),
                           .files = *plan_.files,
                           .gpu = *options_.gpu,
                           .planes_on_gpus = planes_on_gpus_,
                           .keep_others = options_.keep_others,
                           .published = &published_,
                           .on_sealed = options_.on_sealed,
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
      if (options_.on_published) options_.on_published(sheet);
      bound_ink_map(result);
      make_side_files(sheet, result);
    } catch (const Error& error) {
      result.failure = Failure::of(about(sheet, error));
    } catch (const Stopped&) {
      result.failure = {ErrorKind::kInterrupted, sheet.input + ": interrupted"};
    } catch (const std::bad_alloc&) {
      result.failure = out_of_memory(sheet);
    } catch (const std::exception& error) {
      result.failure = {ErrorKind::kBug, sheet.input + ": unexpected: " + error.what()};
    }
  }

  /// Maps of ink are for reports, 64 KiB each, and are held to the end of the job.
  void bound_ink_map(SheetResult& result) {
    constexpr size_t kMostBytes = 4 << 20;
    if (!result.ink || result.ink->map.empty()) return;
    const size_t bytes = result.ink->map.size();
    const bool shows = options_.pictures != nullptr && result.ink->above_px > 0;
    if (shows && map_bytes_.fetch_add(bytes) + bytes <= kMostBytes) return;
    result.ink->map = {};
    result.ink->map_columns = 0;
  }

  void make_side_files(const plan::SheetPlan& sheet, SheetResult& result) {
    if (sheet.side_files.empty()) return;
    const auto work = [&](Team& team) {
      const SideFileContext context{.job = plan_.job,
                                    .team = team,
                                    .files = *plan_.files,
                                    .memory = options_.side_files,
                                    .go_on = [this] {
                                      if (stop_) throw Stopped{};
                                    }};
      run::make_side_files(sheet, context, result);
    };
    run::work_in_turn(executor().team(), work);
  }

  Executor& executor() {
    if (options_.simple) return simple_;
    return *graph_;
  }

  const Clock::time_point begin_ = Clock::now();
  const plan::JobPlan& plan_;
  const RunOptions& options_;
  JobObserver& observer_;
  const std::atomic<bool>& stop_;
  const uint32_t threads_;
  std::optional<GraphExecutor> graph_;  // unless the simple one does
  SimpleExecutor simple_;
  Gate memory_;
  Gate planes_on_gpus_;
  files::PublishedFiles published_;
  std::atomic<size_t> next_{0};
  std::atomic<size_t> map_bytes_{0};
  std::atomic<bool> device_lost_{false};
  std::atomic<bool> out_of_time_{false};
  std::vector<SheetResult> results_;
  std::vector<char> begun_;  // not bool: neighbours are written by different threads
};

}  // namespace

JobResult run_job(const plan::JobPlan& plan,
                  const RunOptions& options,
                  JobObserver& observer,
                  const std::atomic<bool>& stop) {
  std::optional<gpu::Context> own;
  RunOptions chosen = options;
  if (chosen.gpu == nullptr)
    chosen.gpu = &own.emplace(gpu::ContextOptions{plan.device_memory_bytes});
  return JobRun(plan, chosen, observer, stop).run();
}

}  // namespace mezzo::run
