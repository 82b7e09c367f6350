// mezzotint jobs: shows and controls the jobs of a watcher.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/exit_status.h"
#include "pipeline/resume/state_folder.h"
#include "pipeline/text.h"
#include "pipeline/watch/service/control_server.h"
#include "pipeline/watch/view/view_json.h"
#include "tools/commands/commands.h"

namespace mezzo::commands {
namespace {

struct JobsOptions {
  std::string state;
  std::string socket;
  std::string folder;
  std::string job;
};

/// The reply. Throws Error(kData) with the watcher's reason when it refuses.
json::Value ask(const JobsOptions& options, const json::Value& request) {
  const std::string path =
      !options.socket.empty()
          ? options.socket
          : watch::default_control_path(options.state.empty() ? resume::state_folder_path()
                                                              : options.state);
  json::Value reply = json::parse_or_null(watch::query_watcher(path, json::to_text(request)));
  const json::Value* ok = reply.find("ok");
  if (ok == nullptr)
    throw Error(ErrorKind::kIo,
                path + ": the program that answers on this socket is not a watcher");
  if (*ok != json::Value(true)) {
    const json::Value* message = reply.find("message");
    const bool is_text = message != nullptr && message->text() != nullptr;
    throw Error(ErrorKind::kData,
                is_text ? *message->text() : "the watcher refuses without giving a reason");
  }
  return reply;
}

std::string name_of(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename();
  return name.empty() ? path : name;
}

std::string progress_of(const watch::JobView& job) {
  if (job.state != watch::JobState::kRunning || job.pixels == 0) return "";
  return fmt::format("{} %", std::min<uint64_t>(100, 100 * job.pixels_done / job.pixels));
}

constexpr size_t kColumns = 6;
using Row = std::array<std::string, kColumns>;

Row row_of(const watch::JobView& job) {
  const std::string progress = progress_of(job);
  std::string message = progress + (progress.empty() || job.message.empty() ? "" : ", ");
  message += job.message;
  if (!job.advice.empty()) {
    const bool has_ended = message.ends_with('.') || message.ends_with('?');
    message += (has_ended ? " " : ". ") + job.advice;
  }
  return {job.id,
          to_string(job.state),
          name_of(job.folder),
          job.name,
          job.seconds > 0 ? duration_text(job.seconds) : "",
          message};
}

Row row_of(const watch::StuckView& stuck, const char* state) {
  std::string message = stuck.message;
  if (stuck.until != WallTime{}) {
    const std::chrono::duration<double> left = stuck.until - std::chrono::system_clock::now();
    message += "; moved to incomplete/ in " + duration_text(std::max(0.0, left.count()));
  }
  return {"", state, name_of(stuck.folder), stuck.name, "", message};
}

/// Its characters, each of which begins with a byte that continues none.
size_t width_of(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// The text up to its `count`-th character.
std::string_view first_characters(std::string_view text, size_t count) {
  size_t end = 0;
  for (; end < text.size(); ++end) {
    if ((text[end] & 0xC0) != 0x80 && count-- == 0) break;
  }
  return text.substr(0, end);
}

/// With the middle of a long name left out, so that the columns behind it keep their place.
std::string short_name(const std::string& name) {
  constexpr size_t kMost = 40, kTail = 14;
  const size_t width = width_of(name);
  if (width <= kMost) return name;
  return std::string(first_characters(name, kMost - kTail - 1)) + "\u2026" +
         name.substr(first_characters(name, width - kTail).size());
}

void print_rows(std::vector<Row> rows) {
  std::array<size_t, kColumns> widths{};
  for (Row& row : rows) {
    row[3] = short_name(row[3]);
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  for (const Row& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      line += row[i] + std::string(widths[i] - width_of(row[i]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
}

std::vector<Row> rows_of(const watch::WatchView& view) {
  std::vector<Row> rows;
  for (const auto* jobs : {&view.running, &view.waiting}) {
    for (const watch::JobView& job : *jobs) rows.push_back(row_of(job));
  }
  for (const watch::StuckView& stuck : view.stuck) rows.push_back(row_of(stuck, "stuck"));
  for (const watch::StuckView& left : view.not_taken) rows.push_back(row_of(left, "not taken"));
  for (const watch::JobView& job : view.finished) rows.push_back(row_of(job));
  return rows;
}

void print_folder(const watch::FolderView& folder) {
  fmt::print("{}: {} waiting, {} arriving, {} running{}{}\n",
             folder.path,
             folder.waiting,
             folder.arriving,
             folder.running,
             folder.paused ? "; paused" : "",
             folder.trouble.empty() ? "" : "; " + folder.trouble);
}

/// The disks that are full, and how long the queue will take.
void print_queue(const watch::WatchView& view) {
  for (const watch::DiskView& disk : view.disks) {
    if (disk.missing_bytes == 0) continue;
    fmt::print("disk full: {} has {} free, and {} more are needed for {}; make room there\n",
               disk.path,
               bytes_text(disk.free_bytes),
               bytes_text(disk.missing_bytes),
               disk.folder);
  }
  if (view.seconds_left == 0) return;
  const auto held_up = std::ranges::count_if(
      view.waiting, [](const watch::JobView& job) { return !job.message.empty(); });
  fmt::print("about {} until {}\n",
             duration_text(view.seconds_left),
             held_up == 0 ? "the queue is empty"
                          : "all is done but what waits for its folder, its hours or a disk");
}

int list(const JobsOptions& options, const CommonOptions& common) {
  const json::Value reply = ask(options, {{"verb", "list"}});
  if (common.json) {
    fmt::print("{}\n", json::to_text(reply));
    return kExitGood;
  }
  const watch::WatchView view = watch::parse_view(reply);
  for (const watch::FolderView& folder : view.folders) print_folder(folder);
  print_queue(view);
  std::vector<Row> rows = rows_of(view);
  if (rows.empty()) {
    fmt::print("no jobs\n");
    return kExitGood;
  }
  fmt::print("\n");
  rows.insert(rows.begin(), Row{"ID", "STATE", "FOLDER", "NAME", "TIME", "MESSAGE"});
  print_rows(std::move(rows));
  return kExitGood;
}

/// Prints the address of the status page, with the secret that its buttons need.
int print_page(const JobsOptions& options, const CommonOptions& common) {
  const json::Value reply = ask(options, {{"verb", "page"}});
  const json::Value* url = reply.find("url");
  if (common.json) {
    fmt::print("{}\n", json::to_text(reply));
  } else if (url != nullptr && url->text() != nullptr) {
    fmt::print("{}\n", *url->text());
  }
  return kExitGood;
}

/// What the watcher has done, in one line. `folder`: its path; empty for all.
std::string done_text(const std::string& verb, const std::string& folder, const std::string& job) {
  if (verb == "pause") {
    return fmt::format(
        "{} paused: running jobs go on, and no new ones begin until `mezzotint jobs resume{}`",
        folder.empty() ? "all folders are" : folder + " is",
        folder.empty() ? "" : " " + folder);
  }
  if (verb == "resume") {
    return (folder.empty() ? "all folders begin" : folder + " begins") + " new jobs again";
  }
  if (verb == "retry") return job + ": its files are in the hot folder again, to be tried again";
  if (verb == "again")
    return job + ": its files are in the hot folder again; its plates are made again";
  if (verb == "dismiss") return job + " is off the list; its files stay where they are";
  return job + " is being cancelled; its files go to failed/";
}

/// Returns the ID of the only listed job whose ID contains `text` or whose name is `text`; `text` itself if no
/// job fits. Throws Error(kUsage) if several fit.
std::string job_named(const JobsOptions& options, const std::string& text) {
  const watch::WatchView view = watch::parse_view(ask(options, {{"verb", "list"}}));
  std::vector<std::string> fitting;
  for (const auto* jobs : {&view.running, &view.waiting, &view.finished}) {
    for (const watch::JobView& job : *jobs) {
      if (job.id == text) return text;
      const bool fits = job.name == text || job.id.find(text) != std::string::npos;
      if (fits && !job.id.empty()) fitting.push_back(job.id);
    }
  }
  if (fitting.size() > 1) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format(
            "'{}' fits {} jobs, such as {} and {}", text, fitting.size(), fitting[0], fitting[1]),
        "give more of the ID");
  }
  return fitting.empty() ? text : fitting.front();
}

int tell(JobsOptions options, const CommonOptions& common, const std::string& verb) {
  if (!options.job.empty()) options.job = job_named(options, options.job);
  json::Value request = {{"verb", verb}};
  std::string folder;
  if (!options.folder.empty()) {
    folder = std::filesystem::weakly_canonical(options.folder).string();
    request["folder"] = folder;
  }
  if (!options.job.empty()) request["job"] = options.job;
  const json::Value reply = ask(options, request);
  if (common.json) {
    fmt::print("{}\n", json::to_text(reply));
  } else if (!common.quiet) {
    fmt::print("{}\n", done_text(verb, folder, options.job));
  }
  return kExitGood;
}

/// The watcher's hot folders.
cli::Offer folders_offered(const JobsOptions& options) {
  cli::Offer offer;
  for (const watch::FolderView& folder :
       watch::parse_view(ask(options, {{"verb", "list"}})).folders) {
    offer.names.push_back({folder.path, folder.paused ? "paused" : ""});
  }
  return offer;
}

/// The jobs that the verb is for.
cli::Offer jobs_offered(const JobsOptions& options, const std::string& verb) {
  const watch::WatchView view = watch::parse_view(ask(options, {{"verb", "list"}}));
  cli::Offer offer;
  const auto add = [&](const watch::JobView& job) {
    if (!job.id.empty()) offer.names.push_back({job.id, job.name + ", " + to_string(job.state)});
  };
  if (verb == "cancel") {
    std::ranges::for_each(view.running, add);
    return offer;
  }
  const bool is_done = verb == "again";
  for (const watch::JobView& job : view.finished) {
    if ((job.state == watch::JobState::kDone) == is_done) add(job);
  }
  return offer;
}

}  // namespace

void make_jobs_command(cli::Command& command, const CommonOptions& common) {
  auto options = std::make_shared<JobsOptions>();
  command.option("--socket", options->socket, "Socket of the watcher").takes("FILE");
  command.option("--state", options->state, "State folder of the watcher").takes("FOLDER");
  const auto show = [options, &common] { return list(*options, common); };
  const auto tells = [options, &common](const std::string& verb) {
    return [options, &common, verb] { return tell(*options, common, verb); };
  };
  command.example("mezzotint jobs", "List what runs, waits, has failed and is done.");
  command.example("mezzotint jobs pause /srv/hot", "Begin no new jobs of a hot folder.");
  command.runs(show);
  command.command("list", "Show running, waiting and ended jobs (the default)").runs(show);
  command.command("page", "Print the address of the status page with its buttons")
      .runs([options, &common] { return print_page(*options, common); });
  for (const auto& [verb, summary] :
       {std::pair("pause", "Begin no new jobs"), std::pair("resume", "Begin new jobs again")}) {
    cli::Command& one = command.command(verb, summary);
    one.argument("FOLDER", options->folder, "Hot folder; default: all").offers([options] {
      return folders_offered(*options);
    });
    one.runs(tells(verb));
  }
  for (const auto& [verb, summary] : {std::pair("retry", "Run a failed job again"),
                                      std::pair("again", "Make the plates of a done job again"),
                                      std::pair("dismiss", "Take a failed job off the list"),
                                      std::pair("cancel", "Cancel a running job")}) {
    cli::Command& one = command.command(verb, summary);
    one.argument(
           "ID",
           options->job,
           "As `mezzotint jobs` shows it; a part of it, or the job's name, where only one fits")
        .required()
        .offers([options, name = std::string(verb)] { return jobs_offered(*options, name); });
    one.runs(tells(verb));
  }
}

}  // namespace mezzo::commands
