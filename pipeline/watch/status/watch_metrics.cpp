#include "pipeline/watch/status/watch_metrics.h"

#include <fcntl.h>
#include <prometheus/counter.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "kernels/base/error.h"
#include "pipeline/process/process_stat.h"
#include "pipeline/version.h"
#include "pipeline/watch/view/view_json.h"

namespace mezzo::watch {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

constexpr std::array kDevices = {"cpu", "gpu", "both", "unknown"};
constexpr std::array kStates = {JobState::kDone, JobState::kFailed, JobState::kCancelled};

/// "handover" and "hybrid" count as both.
size_t device_index(std::string_view engine) {
  if (engine == "cpu") return 0;
  if (engine == "gpu") return 1;
  return engine == "handover" || engine == "hybrid" ? 2 : 3;
}

double seconds_since_1970(WallTime time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

MetricFamily family(const char* name, const char* help, MetricType type) {
  return {name, help, type, {}};
}

void add(MetricFamily& to, double value, std::vector<ClientMetric::Label> labels = {}) {
  ClientMetric metric;
  metric.label = std::move(labels);
  metric.gauge.value = value;
  metric.counter.value = value;
  to.metric.push_back(std::move(metric));
}

MetricFamily gauge(const char* name, const char* help, double value) {
  MetricFamily made = family(name, help, MetricType::Gauge);
  add(made, value);
  return made;
}

/// The folders, by path.
void add_folders(const WatchView& view, WallTime now, std::vector<MetricFamily>& families) {
  MetricFamily up =
      family("mezzotint_folder_up", "Whether a folder can be watched.", MetricType::Gauge);
  MetricFamily paused =
      family("mezzotint_folder_paused", "Whether a folder is paused.", MetricType::Gauge);
  MetricFamily jobs =
      family("mezzotint_folder_jobs", "Jobs that are not finished.", MetricType::Gauge);
  MetricFamily files = family("mezzotint_folder_files",
                              "Files that are not complete, wait for others, or are not taken.",
                              MetricType::Gauge);
  MetricFamily oldest = family("mezzotint_folder_oldest_job_seconds",
                               "For how long the first of the waiting jobs has waited.",
                               MetricType::Gauge);
  for (const FolderView& folder : view.folders) {
    const auto count = [&](MetricFamily& to, const char* state, size_t number) {
      add(to, static_cast<double>(number), {{"folder", folder.path}, {"state", state}});
    };
    add(up, folder.up ? 1 : 0, {{"folder", folder.path}});
    add(paused, folder.paused ? 1 : 0, {{"folder", folder.path}});
    count(jobs, "waiting", folder.waiting);
    count(jobs, "running", folder.running);
    count(files, "arriving", folder.arriving);
    count(files, "stuck", folder.stuck);
    count(files, "not_taken", folder.not_taken);
    const std::chrono::duration<double> age = now - folder.oldest;
    add(oldest, folder.oldest == WallTime{} ? 0 : age.count(), {{"folder", folder.path}});
  }
  for (MetricFamily* one : {&up, &paused, &jobs, &files, &oldest}) {
    families.push_back(std::move(*one));
  }
}

void add_disks(const WatchView& view, std::vector<MetricFamily>& families) {
  MetricFamily free = family("mezzotint_disk_free_bytes",
                             "Free on the disks of hot folders and plates.",
                             MetricType::Gauge);
  MetricFamily missing = family("mezzotint_disk_missing_bytes",
                                "Wanted by what waits for space, and not free.",
                                MetricType::Gauge);
  for (const DiskView& disk : view.disks) {
    add(free, static_cast<double>(disk.free_bytes), {{"disk", disk.path}});
    add(missing, static_cast<double>(disk.missing_bytes), {{"disk", disk.path}});
  }
  families.push_back(std::move(free));
  families.push_back(std::move(missing));
}

/// The queue and the folders, as a view has them.
void add_view(const WatchView& view, WallTime now, std::vector<MetricFamily>& families) {
  size_t waiting = 0, arriving = 0;
  for (const FolderView& folder : view.folders) {
    waiting += folder.waiting;
    arriving += folder.arriving;
  }
  const auto retrying = static_cast<size_t>(std::ranges::count_if(
      view.running, [](const JobView& job) { return job.state == JobState::kRetrying; }));
  MetricFamily queue =
      family("mezzotint_queue_jobs", "Jobs that are not finished.", MetricType::Gauge);
  add(queue, static_cast<double>(waiting), {{"state", "waiting"}});
  add(queue, static_cast<double>(view.running.size() - retrying), {{"state", "running"}});
  add(queue, static_cast<double>(retrying), {{"state", "retrying"}});
  families.push_back(std::move(queue));
  families.push_back(gauge("mezzotint_queue_files_arriving",
                           "Files that are not complete yet.",
                           static_cast<double>(arriving)));
  families.push_back(gauge("mezzotint_failed_jobs",
                           "Failed jobs that were neither dismissed nor tried again.",
                           static_cast<double>(view.jobs_failed)));
  add_folders(view, now, families);
  add_disks(view, families);

  const auto done = std::ranges::find(view.finished, JobState::kDone, &JobView::state);
  if (done != view.finished.end()) {
    families.push_back(gauge("mezzotint_last_success_timestamp_seconds",
                             "When the newest job that is done was done.",
                             seconds_since_1970(done->since)));
  }
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
void add_process(std::vector<MetricFamily>& families) {
  // proc(5): fields 14 and 15 are times, 22 the start, 24 the pages in memory; counted from 3 here.
  const std::vector<std::string> stat = process::process_stat(getpid());
  if (stat.size() > 21) {
    const auto field = [&](size_t i) { return std::strtod(stat[i].c_str(), nullptr); };
    const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
    MetricFamily cpu =
        family("process_cpu_seconds_total", "User and system time.", MetricType::Counter);
    add(cpu, (field(11) + field(12)) / ticks);
    families.push_back(std::move(cpu));
    families.push_back(gauge("process_start_time_seconds",
                             "When the process was started.",
                             boot_time() + field(19) / ticks));
    families.push_back(gauge("process_resident_memory_bytes",
                             "Memory in use.",
                             field(21) * static_cast<double>(sysconf(_SC_PAGESIZE))));
  }
  std::error_code failed;
  std::filesystem::directory_iterator open_files("/proc/self/fd", failed);
  if (!failed) {
    // Without the one that counts.
    const auto count = std::distance(begin(open_files), end(open_files)) - 1;
    families.push_back(
        gauge("process_open_fds", "Open file descriptors.", static_cast<double>(count)));
  }
}

}  // namespace

struct WatchMetrics::State {
  prometheus::Registry registry;
  std::array<std::array<prometheus::Counter*, kDevices.size()>, 2> pages{};
  std::map<JobState, prometheus::Counter*> jobs;
  prometheus::Histogram* duration = nullptr;
  prometheus::Counter* bytes = nullptr;
  prometheus::Counter* plate_bytes = nullptr;
  prometheus::Counter* restarts = nullptr;
};

WatchMetrics::WatchMetrics() : state_(std::make_unique<State>()) {
  prometheus::Registry& registry = state_->registry;
  auto& pages = prometheus::BuildCounter()
                    .Name("mezzotint_pages_total")
                    .Help("Pages that have ended.")
                    .Register(registry);
  for (size_t result = 0; result < state_->pages.size(); ++result) {
    for (size_t device = 0; device < kDevices.size(); ++device) {
      state_->pages[result][device] =
          &pages.Add({{"result", result == 0 ? "good" : "failed"}, {"device", kDevices[device]}});
    }
  }
  auto& jobs = prometheus::BuildCounter()
                   .Name("mezzotint_jobs_total")
                   .Help("Jobs that have ended.")
                   .Register(registry);
  for (const JobState state : kStates) {
    state_->jobs[state] = &jobs.Add({{"result", to_string(state)}});
  }
  state_->duration =
      &prometheus::BuildHistogram()
           .Name("mezzotint_page_duration_seconds")
           .Help("From the first read of a good page to its last plate.")
           .Register(registry)
           .Add({},
                prometheus::Histogram::BucketBoundaries{
                    0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800});
  state_->bytes = &prometheus::BuildCounter()
                       .Name("mezzotint_input_bytes_total")
                       .Help("Bytes of the files of good pages.")
                       .Register(registry)
                       .Add({});
  state_->plate_bytes = &prometheus::BuildCounter()
                             .Name("mezzotint_plate_bytes_total")
                             .Help("Bytes of the plates of good pages.")
                             .Register(registry)
                             .Add({});
  state_->restarts = &prometheus::BuildCounter()
                          .Name("mezzotint_worker_restarts_total")
                          .Help("Workers that were started again after one died.")
                          .Register(registry)
                          .Add({});
  prometheus::BuildGauge()
      .Name("mezzotint_build_info")
      .Help("Always 1; the labels say what runs.")
      .Register(registry)
      .Add({{"version", kVersion}})
      .Set(1);
}

WatchMetrics::~WatchMetrics() = default;

void WatchMetrics::sheet_ended(const SheetEvent& sheet) {
  state_->pages[sheet.ok ? 0 : 1][device_index(sheet.engine)]->Increment();
  if (!sheet.ok) return;
  state_->duration->Observe(sheet.seconds);
  state_->bytes->Increment(static_cast<double>(sheet.input_bytes));
  state_->plate_bytes->Increment(static_cast<double>(sheet.plate_bytes));
}

void WatchMetrics::job_ended(const JobView& job) {
  const auto counter = state_->jobs.find(job.state);
  MZ_ASSERT(counter != state_->jobs.end());
  counter->second->Increment();
}

void WatchMetrics::worker_restarted() {
  state_->restarts->Increment();
}

std::string WatchMetrics::text(const WatchView* view, WallTime now) const {
  std::vector<MetricFamily> families = state_->registry.Collect();
  if (view != nullptr) add_view(*view, now, families);
  add_process(families);
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace mezzo::watch
