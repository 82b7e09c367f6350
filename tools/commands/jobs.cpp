// mezzotint jobs: shows and controls the jobs of a watcher.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "pipeline/exit_status.h"
#include "pipeline/resume/state_folder.h"
#include "pipeline/text.h"
#include "pipeline/watch/service/control_server.h"
#include "pipeline/watch/view/view_json.h"
#include "pipeline/watch/view/watch_paths.h"
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
      !options.socket.empty() ? options.socket
                              : watch::default_control_path(
                                    options.state.empty() ? resume::state_folder() : options.state);
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

void print_jobs(const watch::WatchView& view) {
  std::vector<std::array<std::string, 6>> rows = {
      {"ID", "STATE", "FOLDER", "NAME", "TIME", "MESSAGE"}};
  for (const auto* jobs : {&view.running, &view.waiting, &view.finished}) {
    for (const watch::JobView& job : *jobs) {
      const std::string progress = progress_of(job);
      rows.push_back(
          {job.id,
           to_string(job.state),
           name_of(job.folder),
           job.name,
           job.seconds > 0 ? duration_text(job.seconds) : "",
           progress + (progress.empty() || job.message.empty() ? "" : ", ") + job.message});
    }
  }
  std::array<size_t, 6> widths{};
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
}

int list(const JobsOptions& options, const CommonOptions& common) {
  const json::Value reply = ask(options, {{"verb", "list"}});
  if (common.json) {
    fmt::print("{}\n", json::to_text(reply));
    return kExitGood;
  }
  const watch::WatchView view = watch::parse_view(reply);
  for (const watch::FolderView& folder : view.folders) {
    fmt::print("{}: {} waiting, {} arriving, {} running{}{}\n",
               folder.path,
               folder.waiting,
               folder.arriving,
               folder.running,
               folder.paused ? "; paused" : "",
               folder.trouble.empty() ? "" : "; " + folder.trouble);
  }
  if (view.running.empty() && view.waiting.empty() && view.finished.empty()) {
    fmt::print("no jobs\n");
    return kExitGood;
  }
  fmt::print("\n");
  print_jobs(view);
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

int tell(const JobsOptions& options, const CommonOptions& common, const std::string& verb) {
  json::Value request = {{"verb", verb}};
  if (!options.folder.empty()) {
    request["folder"] = std::filesystem::weakly_canonical(options.folder).string();
  }
  if (!options.job.empty()) request["job"] = options.job;
  const json::Value reply = ask(options, request);
  if (common.json) fmt::print("{}\n", json::to_text(reply));
  return kExitGood;
}

}  // namespace

void add_jobs_command(cli::Program& program, const CommonOptions& common) {
  cli::Command& command = program.command("jobs", "Show and control the jobs of a watcher");
  auto options = std::make_shared<JobsOptions>();
  command.option("--socket", options->socket, "Socket of the watcher").takes("FILE");
  command.option("--state", options->state, "State folder of the watcher").takes("FOLDER");
  const auto show = [options, &common] { return list(*options, common); };
  const auto tells = [options, &common](const std::string& verb) {
    return [options, &common, verb] { return tell(*options, common, verb); };
  };
  command.runs(show);
  command.command("list", "Show running, waiting and ended jobs (the default)").runs(show);
  command.command("page", "Print the address of the status page with its buttons")
      .runs([options, &common] { return print_page(*options, common); });
  for (const auto& [verb, summary] :
       {std::pair("pause", "Begin no new jobs"), std::pair("resume", "Begin new jobs again")}) {
    cli::Command& one = command.command(verb, summary);
    one.argument("FOLDER", options->folder, "Hot folder; default: all");
    one.runs(tells(verb));
  }
  for (const auto& [verb, summary] : {std::pair("retry", "Run a failed job again"),
                                      std::pair("again", "Make the plates of a done job again"),
                                      std::pair("dismiss", "Take a failed job off the list"),
                                      std::pair("cancel", "Cancel a running job")}) {
    cli::Command& one = command.command(verb, summary);
    one.argument("ID", options->job, "As `mezzotint jobs` shows it").required();
    one.runs(tells(verb));
  }
}

}  // namespace mezzo::commands
