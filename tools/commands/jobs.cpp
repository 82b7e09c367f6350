// mezzotint jobs: what a watcher is doing, and a word with it.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "pipeline/resume/state_folder.h"
#include "pipeline/text.h"
#include "pipeline/watch/service/control_server.h"
#include "pipeline/watch/view/watch_paths.h"
#include "tools/cli/exit_status.h"
#include "tools/commands/commands.h"

namespace mezzo::commands {
namespace {

using Json = nlohmann::ordered_json;

struct JobsOptions {
  std::string state;
  std::string socket;
  std::string folder;
  std::string job;
};

/// The reply, once it is good. Throws Error(kUsage) with what the watcher has against it.
Json ask(const JobsOptions& options, const Json& request) {
  const std::string path =
      !options.socket.empty() ? options.socket
                              : watch::default_control_path(
                                    options.state.empty() ? resume::state_folder() : options.state);
  Json reply = Json::parse(watch::query_watcher(path, request.dump()), nullptr, false);
  if (!reply.is_object() || !reply.contains("ok")) {
    throw Error(ErrorKind::kIo, path + ": what answers there is no watcher");
  }
  if (reply["ok"] != true) {
    throw Error(ErrorKind::kData,
                reply.value("message", "the watcher refuses, and gives no reason"));
  }
  return reply;
}

std::string name_of(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename();
  return name.empty() ? path : name;
}

std::string progress_of(const Json& job) {
  const auto pixels = job.value("pixels", uint64_t{0}),
             done = job.value("pixels_done", uint64_t{0});
  if (job.value("state", "") != "running" || pixels == 0) return "";
  return fmt::format("{} %", std::min<uint64_t>(100, 100 * done / pixels));
}

void print_jobs(const Json& reply) {
  std::vector<std::array<std::string, 6>> rows = {
      {"ID", "STATE", "FOLDER", "NAME", "TIME", "MESSAGE"}};
  for (const char* list : {"running", "waiting", "finished"}) {
    for (const Json& job : reply.at(list)) {
      const double seconds = job.value("seconds", 0.0);
      const std::string progress = progress_of(job), message = job.value("message", "");
      rows.push_back({job.value("id", ""),
                      job.value("state", ""),
                      name_of(job.value("folder", "")),
                      job.value("name", ""),
                      seconds > 0 ? duration_text(seconds) : "",
                      progress + (progress.empty() || message.empty() ? "" : ", ") + message});
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

void list(const JobsOptions& options, const CommonOptions& common) {
  const Json reply = ask(options, {{"verb", "list"}});
  if (common.json) {
    fmt::print("{}\n", reply.dump());
    return;
  }
  for (const Json& folder : reply.at("folders")) {
    const std::string trouble = folder.value("trouble", "");
    fmt::print("{}: {} waiting, {} arriving, {} in work{}{}\n",
               folder.value("path", ""),
               folder.value("waiting", 0),
               folder.value("arriving", 0),
               folder.value("running", 0),
               folder.value("paused", false) ? "; paused" : "",
               trouble.empty() ? "" : "; " + trouble);
  }
  if (reply.at("running").empty() && reply.at("waiting").empty() && reply.at("finished").empty()) {
    fmt::print("no jobs\n");
    return;
  }
  fmt::print("\n");
  print_jobs(reply);
}

void tell(const JobsOptions& options, const CommonOptions& common, const std::string& verb) {
  Json request = {{"verb", verb}};
  if (!options.folder.empty()) {
    request["folder"] = std::filesystem::weakly_canonical(options.folder);
  }
  if (!options.job.empty()) request["job"] = options.job;
  const Json reply = ask(options, request);
  if (common.json) fmt::print("{}\n", reply.dump());
}

}  // namespace

void add_jobs_command(CLI::App& app, const CommonOptions& common, int& status) {
  CLI::App* command = app.add_subcommand("jobs", "Show the jobs of a watcher, and steer it");
  command->require_subcommand(0, 1);
  auto options = std::make_shared<JobsOptions>();
  command->add_option("--socket", options->socket, "Where the watcher listens");
  command->add_option("--state", options->state, "State folder of the watcher");
  command->add_subcommand("list", "Jobs that are in work, wait and have ended; the default");
  for (const std::string verb : {"pause", "resume"}) {
    CLI::App* one = command->add_subcommand(
        verb, verb == "pause" ? "Begin no new jobs" : "Begin new jobs again");
    one->add_option("FOLDER", options->folder, "Of this folder; default: of all");
  }
  for (const std::string verb : {"retry", "cancel"}) {
    CLI::App* one = command->add_subcommand(
        verb, verb == "retry" ? "Drop a failed job into its folder again" : "End a job in work");
    one->add_option("ID", options->job, "As `mezzotint jobs` shows it")->required();
  }
  command->callback([command, options, &common, &status] {
    status = kExitGood;
    const auto chosen = command->get_subcommands();
    const std::string verb = chosen.empty() ? "list" : chosen.front()->get_name();
    verb == "list" ? list(*options, common) : tell(*options, common, verb);
  });
}

}  // namespace mezzo::commands
