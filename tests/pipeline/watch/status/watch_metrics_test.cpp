#include "pipeline/watch/status/watch_metrics.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <ctime>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

namespace mezzo::test::watch_metrics_test {
namespace {

/// Samples by name and labels, as written: `name{a="b"}`.
using Samples = std::map<std::string, double>;

/// Reads the text form as its specification has it, and fails the test on whatever is not in it.
struct StrictParser {
  Samples samples;
  std::map<std::string, std::string> types;
  std::set<std::string> seen_families;
  std::string family;

  explicit StrictParser(const std::string& text) {
    EXPECT_TRUE(text.ends_with('\n'));
    EXPECT_EQ(text.find('\r'), std::string::npos);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      SCOPED_TRACE(line);
      line.starts_with('#') ? comment(line) : sample(line);
    }
  }

  void comment(const std::string& line) {
    static const std::regex kComment(
        R"(# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) ((?:[^\\]|\\\\|\\n)*))");
    std::smatch parts;
    ASSERT_TRUE(std::regex_match(line, parts, kComment));
    if (parts[1] == "HELP") {
      family = parts[2];
      EXPECT_TRUE(seen_families.insert(family).second) << "a family is in one piece";
      EXPECT_FALSE(parts[3].str().empty());
    } else {
      EXPECT_EQ(parts[2], family);
      EXPECT_TRUE(parts[3] == "counter" || parts[3] == "gauge" || parts[3] == "histogram");
      types[family] = parts[3];
    }
  }

  void sample(const std::string& line) {
    static const std::regex kSample(
        R"re(([a-zA-Z_:][a-zA-Z0-9_:]*)(\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\\\|\\"|\\n)*",?)*)\})? ([^ ]+))re");
    std::smatch parts;
    ASSERT_TRUE(std::regex_match(line, parts, kSample));
    ASSERT_TRUE(types.contains(family)) << "TYPE comes first";
    std::string name = parts[1];
    if (types[family] == "histogram") {
      const std::string suffix = name.substr(std::min(name.size(), family.size()));
      EXPECT_TRUE(suffix == "_bucket" || suffix == "_sum" || suffix == "_count");
      name = name.substr(0, family.size());
    }
    EXPECT_EQ(name, family);
    const std::string value = parts[4];
    size_t used = 0;
    const double number = value == "+Inf" ? INFINITY : std::stod(value, &used);
    EXPECT_TRUE(value == "+Inf" || used == value.size());
    EXPECT_TRUE(samples.emplace(parts[1].str() + parts[2].str(), number).second)
        << "a series twice";
  }
};

void check_histogram(const Samples& samples, const std::string& name) {
  std::map<double, double> buckets;
  for (const auto& [series, value] : samples) {
    const std::string start = name + "_bucket{le=\"";
    if (!series.starts_with(start)) continue;
    const std::string bound = series.substr(start.size());
    buckets[bound.starts_with("+Inf") ? INFINITY : std::stod(bound)] = value;
  }
  ASSERT_GE(buckets.size(), 2U);
  double before = 0;
  for (const auto& [bound, count] : buckets) {
    EXPECT_GE(count, before) << "le " << bound;
    before = count;
  }
  EXPECT_EQ(buckets.rbegin()->first, INFINITY);
  EXPECT_EQ(before, samples.at(name + "_count"));
}

TEST(WatchMetrics, are_in_the_text_form_from_the_start) {
  const StrictParser parsed(watch::WatchMetrics().text(nullptr, WallTime()));
  for (const auto& [name, type] : parsed.types) {
    EXPECT_EQ(name.ends_with("_total"), type == "counter") << name;
    EXPECT_TRUE(name.starts_with("mezzotint_") || name.starts_with("process_")) << name;
  }
  const auto zero = [&](const std::string& series) {
    ASSERT_TRUE(parsed.samples.contains(series)) << series;
    EXPECT_EQ(parsed.samples.at(series), 0) << series;
  };
  zero("mezzotint_pages_total{device=\"cpu\",result=\"good\"}");
  zero("mezzotint_jobs_total{result=\"failed\"}");
  zero("mezzotint_worker_restarts_total");
  zero("mezzotint_input_bytes_total");
  zero("mezzotint_page_duration_seconds_count");
  check_histogram(parsed.samples, "mezzotint_page_duration_seconds");
  EXPECT_FALSE(parsed.types.contains("mezzotint_last_success_timestamp_seconds"));
}

TEST(WatchMetrics, count_what_they_are_told) {
  watch::WatchMetrics metrics;
  metrics.sheet_ended(
      {.ok = true, .seconds = 0.2, .input_bytes = 1000, .plate_bytes = 77, .engine = "cpu"});
  metrics.sheet_ended({.ok = true, .seconds = 3, .input_bytes = 10, .engine = "gpu"});
  metrics.sheet_ended({.ok = true, .seconds = 1e6, .input_bytes = 1, .engine = "hybrid"});
  metrics.sheet_ended({.ok = false, .seconds = 5, .input_bytes = 7, .engine = "cpu"});
  metrics.sheet_ended({.ok = false, .seconds = 5, .input_bytes = 7, .engine = "no such engine"});
  metrics.job_ended({.state = watch::JobState::kDone});
  metrics.job_ended({.state = watch::JobState::kDone});
  metrics.job_ended({.state = watch::JobState::kCancelled});
  metrics.worker_restarted();
  const StrictParser parsed(metrics.text(nullptr, WallTime()));
  const Samples& now = parsed.samples;
  EXPECT_EQ(now.at("mezzotint_pages_total{device=\"cpu\",result=\"good\"}"), 1);
  EXPECT_EQ(now.at("mezzotint_pages_total{device=\"gpu\",result=\"good\"}"), 1);
  EXPECT_EQ(now.at("mezzotint_pages_total{device=\"both\",result=\"good\"}"), 1);
  EXPECT_EQ(now.at("mezzotint_pages_total{device=\"cpu\",result=\"failed\"}"), 1);
  EXPECT_EQ(now.at("mezzotint_pages_total{device=\"unknown\",result=\"failed\"}"), 1);
  EXPECT_EQ(now.at("mezzotint_jobs_total{result=\"done\"}"), 2);
  EXPECT_EQ(now.at("mezzotint_jobs_total{result=\"cancelled\"}"), 1);
  EXPECT_EQ(now.at("mezzotint_worker_restarts_total"), 1);
  EXPECT_EQ(now.at("mezzotint_input_bytes_total"), 1011);
  EXPECT_EQ(now.at("mezzotint_plate_bytes_total"), 77);
  EXPECT_EQ(now.at("mezzotint_page_duration_seconds_count"), 3);
  EXPECT_NEAR(now.at("mezzotint_page_duration_seconds_sum"), 1e6 + 3.2, 1e-3);
  EXPECT_EQ(now.at("mezzotint_page_duration_seconds_bucket{le=\"0.25\"}"), 1);
  EXPECT_EQ(now.at("mezzotint_page_duration_seconds_bucket{le=\"5\"}"), 2);
  EXPECT_EQ(now.at("mezzotint_page_duration_seconds_bucket{le=\"+Inf\"}"), 3);
  check_histogram(now, "mezzotint_page_duration_seconds");
}

constexpr WallTime kNow(std::chrono::hours(24 * 365 * 50));

TEST(WatchMetrics, show_the_queue_and_name_no_job) {
  watch::WatchView view;
  view.folders.push_back({.path = "/srv/a \"folder\"",
                          .paused = false,
                          .up = true,
                          .trouble = "settings with a mistake, so the old ones hold",
                          .arriving = 2,
                          .waiting = 30,
                          .running = 1,
                          .oldest = kNow - std::chrono::minutes(3),
                          .stuck = 4,
                          .not_taken = 5});
  view.folders.push_back({.path = "/srv/other",
                          .paused = true,
                          .trouble = "secret is gone",
                          .arriving = 1,
                          .waiting = 12,
                          .running = 1});
  watch::JobView job;
  job.id = job.name = job.message = "secret";
  job.state = watch::JobState::kRunning;
  view.running.push_back(job);
  job.state = watch::JobState::kRetrying;
  view.running.push_back(job);
  job.state = watch::JobState::kFailed;
  job.since = WallTime(std::chrono::seconds(2'000'000'000));
  view.finished.push_back(job);
  job.state = watch::JobState::kDone;
  job.since = WallTime(std::chrono::milliseconds(1'700'000'000'250));
  view.finished.push_back(job);
  view.jobs_failed = 14;
  view.disks.push_back({.path = "/mnt", .free_bytes = 100, .missing_bytes = 7});
  const std::string text = watch::WatchMetrics().text(&view, kNow);
  EXPECT_EQ(text.find("secret"), std::string::npos);
  const StrictParser parsed(text);
  const Samples& now = parsed.samples;
  EXPECT_EQ(now.at("mezzotint_queue_jobs{state=\"waiting\"}"), 42);
  EXPECT_EQ(now.at("mezzotint_queue_jobs{state=\"running\"}"), 1);
  EXPECT_EQ(now.at("mezzotint_queue_jobs{state=\"retrying\"}"), 1);
  EXPECT_EQ(now.at("mezzotint_queue_files_arriving"), 3);
  const std::string a = "folder=\"/srv/a \\\"folder\\\"\"", other = "folder=\"/srv/other\"";
  EXPECT_EQ(now.at("mezzotint_folder_up{" + a + "}"), 1);
  EXPECT_EQ(now.at("mezzotint_folder_up{" + other + "}"), 0);
  EXPECT_EQ(now.at("mezzotint_folder_paused{" + other + "}"), 1);
  EXPECT_EQ(now.at("mezzotint_folder_jobs{" + a + ",state=\"waiting\"}"), 30);
  EXPECT_EQ(now.at("mezzotint_folder_files{" + a + ",state=\"stuck\"}"), 4);
  EXPECT_EQ(now.at("mezzotint_folder_files{" + a + ",state=\"not_taken\"}"), 5);
  EXPECT_EQ(now.at("mezzotint_folder_oldest_job_seconds{" + a + "}"), 180);
  EXPECT_EQ(now.at("mezzotint_folder_oldest_job_seconds{" + other + "}"), 0);
  EXPECT_EQ(now.at("mezzotint_failed_jobs"), 14);
  EXPECT_EQ(now.at("mezzotint_disk_free_bytes{disk=\"/mnt\"}"), 100);
  EXPECT_EQ(now.at("mezzotint_disk_missing_bytes{disk=\"/mnt\"}"), 7);
  EXPECT_DOUBLE_EQ(now.at("mezzotint_last_success_timestamp_seconds"), 1'700'000'000.25);
}

TEST(WatchMetrics, know_the_process) {
  while (std::clock() < CLOCKS_PER_SEC * 6 / 100) {  // of processor time
  }
  const watch::WatchMetrics metrics;
  const Samples before = StrictParser(metrics.text(nullptr, WallTime())).samples;
  const int files[] = {dup(0), dup(0), dup(0)};
  const Samples after = StrictParser(metrics.text(nullptr, WallTime())).samples;
  for (const int file : files) close(file);
  EXPECT_EQ(after.at("process_open_fds"), before.at("process_open_fds") + 3);
  EXPECT_GE(before.at("process_open_fds"), 3);
  EXPECT_GE(before.at("process_cpu_seconds_total"), 0.02);
  EXPECT_GT(before.at("process_resident_memory_bytes"), 1e6);
  EXPECT_LT(before.at("process_resident_memory_bytes"), 1e9);
  const double age = static_cast<double>(time(nullptr)) - before.at("process_start_time_seconds");
  EXPECT_GT(age, -2);
  EXPECT_LT(age, 600);
}

TEST(WatchMetrics, take_any_thread) {
  watch::WatchMetrics metrics;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int k = 0; k < 1000; ++k) {
          metrics.sheet_ended({.ok = true, .seconds = 1, .input_bytes = 1, .engine = "cpu"});
          if (k % 100 == 0) metrics.text(nullptr, WallTime());
        }
      });
    }
  }
  EXPECT_EQ(
      StrictParser(metrics.text(nullptr, WallTime())).samples.at("mezzotint_input_bytes_total"),
      4000);
}

}  // namespace
}  // namespace mezzo::test::watch_metrics_test
