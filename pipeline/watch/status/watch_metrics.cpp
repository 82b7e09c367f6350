#include "pipeline/watch/status/watch_metrics.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include "kernels/base/error.h"
#include "pipeline/process/process_stat.h"
#include "pipeline/version.h"
#include "pipeline/watch/view/view_json.h"

namespace mezzo::watch {
namespace {

constexpr std::array kDevices = {"cpu", "gpu", "both", "unknown"};
constexpr std::array kResults = {"good", "failed"};
constexpr std::array kStates = {JobState::kDone, JobState::kFailed, JobState::kCancelled};
constexpr std::array kBounds = {
    0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0};

/// "handover" and "hybrid" count as both.
size_t device_index(std::string_view engine) {
  if (engine == "cpu") return 0;
  if (engine == "gpu") return 1;
  return engine == "handover" || engine == "hybrid" ? 2 : 3;
}

/// Writes the text format of Prometheus: each family, then its samples.
class MetricsText {
 public:
  using Labels = std::initializer_list<std::pair<const char*, std::string_view>>;

  void family(const char* name, const char* type, const char* help) {
    name_ = name;
    text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
  }

  /// Adds a sample of the last family. `part`: the suffix of a histogram's sample, such as "_bucket".
  template <typename Number>
  void sample(Number value, Labels labels = {}, const char* part = "") {
    text_ += name_ + part;
    char separator = '{';
    for (const auto& [label, text] : labels) {
      text_ += fmt::format("{}{}=\"{}\"", std::exchange(separator, ','), label, escaped(text));
    }
    text_ += fmt::format("{} {}\n", labels.size() > 0 ? "}" : "", value);
  }

  template <typename Number>
  void gauge(const char* name, const char* help, Number value, Labels labels = {}) {
    family(name, "gauge", help);
    sample(value, labels);
  }
  template <typename Number>
  void counter(const char* name, const char* help, Number value) {
    family(name, "counter", help);
    sample(value);
  }

  std::string take() { return std::move(text_); }

 private:
  static std::string escaped(std::string_view label) {
    std::string text;
    for (const char c : label) {
      if (c == '\\' || c == '"' || c == '\n') text += '\\';
      text += c == '\n' ? 'n' : c;
    }
    return text;
  }

  std::string text_;
  std::string name_;
};

void add_folders(const WatchView& view, WallTime now, MetricsText& text) {
  text.family("mezzotint_folder_up", "gauge", "Whether a folder can be watched.");
  for (const FolderView& one : view.folders) text.sample(one.up ? 1 : 0, {{"folder", one.path}});
  text.family("mezzotint_folder_paused", "gauge", "Whether a folder is paused.");
  for (const FolderView& one : view.folders)
    text.sample(one.paused ? 1 : 0, {{"folder", one.path}});
  text.family("mezzotint_folder_jobs", "gauge", "Jobs that are not finished.");
  for (const FolderView& one : view.folders) {
    text.sample(one.waiting, {{"folder", one.path}, {"state", "waiting"}});
    text.sample(one.running, {{"folder", one.path}, {"state", "running"}});
  }
  text.family("mezzotint_folder_files",
              "gauge",
              "Files that are not complete, wait for others, or are not taken.");
  for (const FolderView& one : view.folders) {
    text.sample(one.arriving, {{"folder", one.path}, {"state", "arriving"}});
    text.sample(one.stuck, {{"folder", one.path}, {"state", "stuck"}});
    text.sample(one.not_taken, {{"folder", one.path}, {"state", "not_taken"}});
  }
  text.family("mezzotint_folder_oldest_job_seconds",
              "gauge",
              "For how long the first of the waiting jobs has waited.");
  for (const FolderView& one : view.folders) {
    const std::chrono::duration<double> age = now - one.oldest;
    text.sample(one.oldest == WallTime{} ? 0 : age.count(), {{"folder", one.path}});
  }
}

void add_disks(const WatchView& view, MetricsText& text) {
  text.family("mezzotint_disk_free_bytes", "gauge", "Free on the disks of hot folders and plates.");
  for (const DiskView& disk : view.disks) text.sample(disk.free_bytes, {{"disk", disk.path}});
  text.family(
      "mezzotint_disk_missing_bytes", "gauge", "Wanted by what waits for space, and not free.");
  for (const DiskView& disk : view.disks) text.sample(disk.missing_bytes, {{"disk", disk.path}});
}

/// The queue and the folders, as a view has them.
void add_view(const WatchView& view, WallTime now, MetricsText& text) {
  size_t waiting = 0, arriving = 0;
  for (const FolderView& folder : view.folders) {
    waiting += folder.waiting;
    arriving += folder.arriving;
  }
  const auto retrying =
      static_cast<size_t>(std::ranges::count(view.running, JobState::kRetrying, &JobView::state));
  text.family("mezzotint_queue_jobs", "gauge", "Jobs that are not finished.");
  text.sample(waiting, {{"state", "waiting"}});
  text.sample(view.running.size() - retrying, {{"state", "running"}});
  text.sample(retrying, {{"state", "retrying"}});
  text.gauge("mezzotint_queue_files_arriving", "Files that are not complete yet.", arriving);
  text.gauge("mezzotint_failed_jobs",
             "Failed jobs that were neither dismissed nor tried again.",
             view.jobs_failed);
  add_folders(view, now, text);
  add_disks(view, text);
  const auto done = std::ranges::find(view.finished, JobState::kDone, &JobView::state);
  if (done == view.finished.end()) return;
  text.gauge("mezzotint_last_success_timestamp_seconds",
             "When the newest job that is done was done.",
             std::chrono::duration<double>(done->since.time_since_epoch()).count());
}

/// Seconds since 1970 at which the system was started; 0 when unknown.
double boot_time() {
  std::ifstream file("/proc/stat");
  for (std::string word; file >> word;) {
    double seconds = 0;
    if (word == "btime" && file >> seconds) return seconds;
  }
  return 0;
}

/// This process, under the names that Prometheus' own clients use.
void add_process(MetricsText& text) {
  // proc(5): fields 14 and 15 are times, 22 the start, 24 the pages in memory; counted from 3 here.
  const std::vector<std::string> stat = process::process_stat(getpid());
  if (stat.size() > 21) {
    const auto field = [&](size_t i) { return std::strtod(stat[i].c_str(), nullptr); };
    const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
    text.counter(
        "process_cpu_seconds_total", "User and system time.", (field(11) + field(12)) / ticks);
    text.gauge("process_start_time_seconds",
               "When the process was started.",
               boot_time() + field(19) / ticks);
    text.gauge("process_resident_memory_bytes",
               "Memory in use.",
               field(21) * static_cast<double>(sysconf(_SC_PAGESIZE)));
  }
  std::error_code failed;
  std::filesystem::directory_iterator open_files("/proc/self/fd", failed);
  if (failed) return;
  // The descriptor that counts them is not one of them.
  text.gauge("process_open_fds",
             "Open file descriptors.",
             std::distance(begin(open_files), end(open_files)) - 1);
}

}  // namespace

void WatchMetrics::sheet_ended(const SheetEvent& sheet) {
  const std::lock_guard lock(mutex_);
  ++pages_[sheet.ok ? 0 : 1][device_index(sheet.engine)];
  if (!sheet.ok) return;
  seconds_ += sheet.seconds;
  ++durations_[static_cast<size_t>(std::ranges::lower_bound(kBounds, sheet.seconds) -
                                   kBounds.begin())];
  input_bytes_ += sheet.input_bytes;
  plate_bytes_ += sheet.plate_bytes;
}

void WatchMetrics::job_ended(const JobView& job) {
  const auto state = std::ranges::find(kStates, job.state);
  MZ_ASSERT(state != kStates.end());
  const std::lock_guard lock(mutex_);
  ++jobs_[static_cast<size_t>(state - kStates.begin())];
}

void WatchMetrics::worker_restarted() {
  const std::lock_guard lock(mutex_);
  ++restarts_;
}

std::string WatchMetrics::text(const WatchView* view, WallTime now) const {
  static_assert(std::tuple_size_v<decltype(pages_)> == kResults.size());
  static_assert(std::tuple_size_v<decltype(pages_)::value_type> == kDevices.size());
  static_assert(std::tuple_size_v<decltype(jobs_)> == kStates.size());
  static_assert(std::tuple_size_v<decltype(durations_)> == kBounds.size() + 1);
  MetricsText text;
  {
    const std::lock_guard lock(mutex_);
    text.family("mezzotint_pages_total", "counter", "Pages that have ended.");
    for (size_t result = 0; result < kResults.size(); ++result) {
      for (size_t device = 0; device < kDevices.size(); ++device) {
        text.sample(pages_[result][device],
                    {{"device", kDevices[device]}, {"result", kResults[result]}});
      }
    }
    text.family("mezzotint_jobs_total", "counter", "Jobs that have ended.");
    for (size_t i = 0; i < kStates.size(); ++i) {
      text.sample(jobs_[i], {{"result", to_string(kStates[i])}});
    }
    text.family("mezzotint_page_duration_seconds",
                "histogram",
                "From the first read of a good page to its last plate.");
    uint64_t pages = 0;
    for (size_t i = 0; i < durations_.size(); ++i) {
      pages += durations_[i];
      const std::string bound = i < kBounds.size() ? fmt::to_string(kBounds[i]) : "+Inf";
      text.sample(pages, {{"le", bound}}, "_bucket");
    }
    text.sample(seconds_, {}, "_sum");
    text.sample(pages, {}, "_count");
    text.counter("mezzotint_input_bytes_total", "Bytes of the files of good pages.", input_bytes_);
    text.counter("mezzotint_plate_bytes_total", "Bytes of the plates of good pages.", plate_bytes_);
    text.counter("mezzotint_worker_restarts_total",
                 "Workers that were started again after one died.",
                 restarts_);
  }
  text.gauge(
      "mezzotint_build_info", "Always 1; the labels say what runs.", 1, {{"version", kVersion}});
  if (view != nullptr) add_view(*view, now, text);
  add_process(text);
  return text.take();
}

}  // namespace mezzo::watch
