// A status page with made-up jobs, for tests in a browser and for the eye.
//
// usage: status_demo FOLDER [PORT [busy|idle|trouble|hostile]]
//
// Reports are written into FOLDER. Prints the page's address with its token, which FOLDER keeps,
// serves until standard input ends, and prints each request that it gets. Jobs go on with time; a
// retry moves its job to those that wait, and a dismissal takes it off the list.

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>

#include "pipeline/report/page_jpeg.h"
#include "pipeline/watch/status/status_server.h"

namespace {

using namespace mezzo;
using nlohmann::json;
using std::chrono::steady_clock;

/// Hills under a sky, in the tints of a small proof; each seed has its own.
report::ColourImage picture(unsigned seed) {
  constexpr uint32_t kWidth = 192, kHeight = 256;
  report::ColourImage image{kWidth, kHeight, std::vector<report::Rgb>(kWidth * kHeight)};
  for (uint32_t y = 0; y < kHeight; ++y) {
    for (uint32_t x = 0; x < kWidth; ++x) {
      const double u = x / double{kWidth}, v = y / double{kHeight};
      double tone = 0.95 - 0.35 * v;
      for (int hill = 0; hill < 4; ++hill) {
        const double ridge =
            0.45 + 0.13 * hill + 0.08 * std::sin(u * (4 + hill) + seed * 1.7 + hill);
        if (v > ridge) tone = 0.72 - 0.17 * hill;
      }
      if (std::hypot(u - 0.2 - 0.1 * (seed % 6), (v - 0.22) * 1.33) < 0.09) tone = 1;
      for (int c = 0; c < 3; ++c) {
        const double tint = 0.06 * std::cos(2.1 * c + seed);
        image.pixels[y * kWidth + x][static_cast<size_t>(c)] =
            static_cast<unsigned char>(255 * std::clamp(tone + tint * (1 - tone), 0.0, 1.0));
      }
    }
  }
  return image;
}

class Demo : public watch::WatchControl {
 public:
  Demo(std::string folder, const std::string& scene) : folder_(std::move(folder)) {
    const auto now = std::chrono::system_clock::now();
    view_.started = now - std::chrono::hours(7);
    view_.ready = true;
    view_.folders.push_back({.path = folder_ + "/newspaper", .up = true, .arriving = 2});
    view_.folders.push_back({.path = folder_ + "/posters", .paused = true, .up = true});
    view_.disks.push_back({.path = "/", .free_bytes = 90ULL << 30, .total_bytes = 400ULL << 30});
    if (scene == "idle") return;
    view_.folders.push_back(
        {.path = folder_ + "/books",
         .trouble = "The folder is gone or not mounted; looked for every 10 s."});
    view_.sheets_an_hour = 212;
    view_.seconds_left = 340;
    view_.jobs_done = 1284;
    view_.jobs_failed = 2;
    const char* const names[] = {"2026-11-21 front page",
                                 "spread 14-15",
                                 "insert, garden centre",
                                 "cover of the winter list"};
    for (unsigned i = 0; i < 4; ++i) {
      watch::JobView job = made("run-" + std::to_string(i), names[i], watch::JobState::kRunning);
      job.pixels = 4'000'000'000ULL + i * 900'000'000ULL;
      job.seconds = 20 + 9 * i;
      job.sheets = 1 + i;
      job.bytes = job.pixels / 9;
      job.tries = 1;
      if (i == 3) {
        job.state = watch::JobState::kRetrying;
        job.tries = 2;
        job.message = "The worker was killed by signal 9; tried again in 5 s.";
        job.pixels_done = 1'000'000'000;
      }
      view_.running.push_back(job);
    }
    for (unsigned i = 0; i < 8; ++i) {
      view_.waiting.push_back(
          made("", "page " + std::to_string(16 + i), watch::JobState::kWaiting));
      if (i > 5) view_.waiting.back().message = "From 22:00 on, when this folder prints.";
    }
    view_.folders[0].waiting = 8;
    view_.folders[0].running = 4;
    fail("fail-1",
         "advert 7731",
         "Page 1: the file ends in the middle of strip 44 of 60; send it again.",
         4);
    fail("fail-2",
         "obituaries",
         "The page is not the one that the ticket names: its SHA-256 is another.",
         31);
    for (unsigned i = 0; i < 9; ++i) done(i);
    if (scene != "busy") add_trouble();
    if (scene == "hostile") be_hostile();
  }

  SteadyTime turned() const override { return {}; }
  watch::WatchView view() override {
    const std::lock_guard lock(mutex_);
    watch::WatchView now = view_;
    const double seconds = std::chrono::duration<double>(steady_clock::now() - begin_).count();
    for (watch::JobView& job : now.running) {
      if (job.state != watch::JobState::kRunning) continue;
      const double speed = 60e6 + 35e6 * static_cast<double>(job.name.size() % 5);
      job.seconds += seconds;
      job.pixels_done =
          static_cast<uint64_t>(std::fmod(job.seconds * speed, static_cast<double>(job.pixels)));
    }
    return now;
  }

  std::string request(const std::string& text) override {
    const std::lock_guard lock(mutex_);
    std::cout << text << std::endl;
    const json asked = json::parse(text, nullptr, false);
    const std::string verb = asked.value("verb", "");
    if (verb == "pause" || verb == "resume") {
      for (watch::FolderView& folder : view_.folders) {
        if (!asked.contains("folder") || asked["folder"] == folder.path) {
          folder.paused = verb == "pause";
        }
      }
      return R"({"ok":true})";
    }
    const auto job =
        std::find_if(view_.finished.begin(), view_.finished.end(), [&](const watch::JobView& each) {
          return asked.value("job", "") == each.id;
        });
    if (verb == "dismiss" && job != view_.finished.end()) {
      view_.finished.erase(job);
      view_.jobs_failed--;
      return R"({"ok":true})";
    }
    if (verb == "again" && job != view_.finished.end()) {
      view_.waiting.push_back(made("", job->name, watch::JobState::kWaiting));
      return R"({"ok":true})";
    }
    if (verb != "retry" || job == view_.finished.end()) {
      return R"({"ok":false,"message":"There is no such job."})";
    }
    if (job->id == "fail-2") return R"({"ok":false,"message":"Its file is no longer in failed/."})";
    view_.waiting.push_back(made("", job->name, watch::JobState::kWaiting));
    view_.folders[0].waiting++;
    view_.finished.erase(job);
    return R"({"ok":true})";
  }

 private:
  watch::JobView made(const std::string& id, const std::string& name, watch::JobState state) const {
    watch::JobView job;
    job.id = id;
    job.folder = view_.folders[0].path;
    job.name = name;
    job.state = state;
    job.since = std::chrono::system_clock::now() - std::chrono::minutes(3);
    return job;
  }

  void fail(const std::string& id, const std::string& name, const std::string& why, int minutes) {
    watch::JobView job = made(id, name, watch::JobState::kFailed);
    job.message = why;
    job.advice = "Export the page again, and drop it into the hot folder.";
    job.files = {job.folder + "/failed/" + name + ".tif"};
    job.since -= std::chrono::minutes(minutes);
    view_.finished.push_back(job);
  }

  void done(unsigned i) {
    watch::JobView job =
        made("done-" + std::to_string(i), "page " + std::to_string(15 - i), watch::JobState::kDone);
    job.since -= std::chrono::minutes(3 * i);
    job.seconds = 3.2 + 1.7 * i;
    job.report = job.folder + "/reports/" + job.id + "/report.html";
    if (i % 4 == 2) {
      job.plates.push_back({"black", job.folder + "/plates/k.tif", 8.25 + i});
    } else {
      const char* const inks[] = {"cyan", "magenta", "yellow", "black"};
      for (unsigned k = 0; k < 4; ++k) {
        job.plates.push_back({inks[k],
                              job.folder + "/plates/p.tif",
                              10.0 + std::fmod(17.3 * (k + 1) * (i + 2), 60.0)});
      }
    }
    if (i != 4) {
      std::filesystem::create_directories(std::filesystem::path(job.report).parent_path());
      std::ofstream(job.report) << "<!DOCTYPE html><html lang=\"en\"><title>Report</title><h1>"
                                << job.name << "</h1><img alt=\"\" src=\""
                                << report::jpeg_uri(picture(i))
                                << "\"><p id=\"ran\"></p><script>"
                                   "document.getElementById('ran').textContent = 'ran';"
                                   "fetch('/view.json');</script>";
      const auto folder = std::filesystem::path(job.report).parent_path();
      std::ofstream(folder / "thumbnail.jpg", std::ios::binary) << report::jpeg_file(picture(i));
    } else {
      job.report.clear();
    }
    view_.finished.push_back(job);
  }

  /// A full disk, files that wait for others or are not taken, and more failures than are shown.
  void add_trouble() {
    const auto now = std::chrono::system_clock::now();
    const std::string& folder = view_.folders[0].path;
    view_.disks.insert(view_.disks.begin(),
                       {.path = "/mnt/plates",
                        .free_bytes = 12ULL << 20,
                        .total_bytes = 80ULL << 30,
                        .missing_bytes = 26ULL << 20,
                        .folder = folder});
    watch::JobView job = made("space-1", "centre spread", watch::JobState::kWaiting);
    job.message = "waits for space on /mnt/plates: 12 MiB are free, 26 MiB more are needed";
    view_.waiting.insert(view_.waiting.begin(), job);
    const auto stuck = [&](const char* name, const char* wanted, int minutes) {
      view_.stuck.push_back({.folder = folder,
                             .name = name,
                             .message = std::string("waits for ") + wanted,
                             .missing = {wanted},
                             .since = now - std::chrono::minutes(2),
                             .until = now + std::chrono::minutes(minutes)});
    };
    stuck("milk carton", "magenta", 8);
    stuck("order 4711", "4711_back.tif", 3);
    view_.not_taken.push_back({.folder = folder,
                               .name = "brochure.pdf",
                               .message = "it is a PDF; export each page as a TIFF file",
                               .since = now - std::chrono::hours(30)});
    view_.folders[0].stuck = 2;
    view_.folders[0].not_taken = 1;
    for (int i = 3; i < 15; ++i) {
      fail("fail-" + std::to_string(i),
           "label " + std::to_string(100 + i),
           "label " + std::to_string(100 + i) + ".tif: a strip is truncated or damaged",
           40 * i * i);
    }
    view_.finished.back().can_retry = false;
    view_.jobs_failed = 14;
  }

  void be_hostile() {
    const std::string names[] = {"<script>document.title='owned'</script>",
                                 "<img src=x onerror=\"document.title='owned'\">",
                                 "\"'><b>&amp;",
                                 "cover\xe2\x80\xaeTIF.exe",
                                 std::string(250, 'W'),
                                 "\xff\xfe broken UTF-8",
                                 "two\nlines",
                                 "javascript:alert(1)",
                                 "__proto__"};
    size_t i = 0;
    for (auto* stuck : {&view_.stuck, &view_.not_taken}) {
      for (watch::StuckView& one : *stuck) one.name = one.message = names[i++ % std::size(names)];
    }
    for (auto* jobs : {&view_.running, &view_.waiting, &view_.finished}) {
      for (watch::JobView& job : *jobs) {
        const std::string& name = names[i++ % std::size(names)];
        job.name = name;
        job.message = job.message.empty() ? "" : name;
        job.advice = job.advice.empty() ? "" : name;
        for (std::string& file : job.files) file = name;
        for (watch::PlateView& plate : job.plates) plate.ink = name;
      }
    }
    view_.folders[1].path += "/<b>" + names[3] + names[4];
    view_.folders[1].trouble = names[0];
  }

  const std::string folder_;
  const steady_clock::time_point begin_ = steady_clock::now();
  mutable std::mutex mutex_;
  watch::WatchView view_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: status_demo FOLDER [PORT [busy|idle|trouble|hostile]]\n";
    return 64;
  }
  Demo demo(argv[1], argc > 3 ? argv[3] : "busy");
  const watch::WatchMetrics metrics;
  watch::StatusOptions options;
  if (argc > 2) options.listen = watch::parse_status_address(argv[2]);
  options.token = watch::kept_token(std::string(argv[1]) + "/page.token");
  const watch::StatusServer server(demo, metrics, options);
  std::cout << server.url_with_token() << std::endl;
  while (std::cin.get() != EOF) {
  }
}
