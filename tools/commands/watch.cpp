// mezzotint watch: hot folders, kept printing.

#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/signalfd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "kernels/base/error.h"
#include "pipeline/exit_status.h"
#include "pipeline/log/log.h"
#include "pipeline/plan/plan.h"
#include "pipeline/resume/state_folder.h"
#include "pipeline/text.h"
#include "pipeline/watch/service/control_server.h"
#include "pipeline/watch/service/watch_loop.h"
#include "pipeline/watch/status/status_server.h"
#include "stages/files/descriptor.h"
#include "tools/commands/commands.h"

namespace mezzo::commands {
namespace {

constexpr std::chrono::seconds kPatience{3};  // with the disk of a folder, at the start

struct WatchOptions {
  std::vector<std::string> folders;
  uint32_t jobs = 0;
  uint32_t threads = 0;
  std::string state;
  std::string socket;
  std::string http;
  bool once = false;
  bool require_settings = false;
  std::vector<std::string> worker;
};

/// SIGTERM, SIGINT and SIGHUP as a descriptor, for this thread and all that it starts from now on.
files::Descriptor signals_as_descriptor() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, number);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  files::Descriptor fd(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd) throw Error(ErrorKind::kIo, "signalfd: " + std::generic_category().message(errno));
  return fd;
}

/// Also where a link leads to what is not there yet, as a share that is still to be mounted.
std::filesystem::path without_links(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  constexpr int kMostLinks = 40;  // as in the kernel
  fs::path resolved = fs::weakly_canonical(path);
  for (int links = 0; links < kMostLinks; ++links) {
    fs::path before;
    auto part = resolved.begin();
    while (part != resolved.end() && !fs::is_symlink(before / *part)) before /= *part++;
    if (part == resolved.end()) return resolved;
    fs::path target = before / fs::read_symlink(before / *part++);
    for (; part != resolved.end(); ++part) target /= *part;
    resolved = fs::weakly_canonical(target);
  }
  return resolved;
}

/// Workers follow no links, and those above a hot folder are the administrator's. The disk of one
/// folder may not answer, and the others are to be watched all the same.
std::string path_without_links(const std::string& folder) {
  namespace fs = std::filesystem;
  std::packaged_task<std::string()> task([folder] { return without_links(folder).string(); });
  std::future<std::string> found = task.get_future();
  std::thread(std::move(task)).detach();
  if (found.wait_for(kPatience) == std::future_status::ready) return found.get();
  log::warn("{}: its disk does not answer, so its path is taken as it is", folder);
  return fs::absolute(folder).lexically_normal().string();
}

std::vector<std::string> worker_command(const WatchOptions& options,
                                        const CommonOptions& common,
                                        uint32_t jobs) {
  if (!options.worker.empty()) return options.worker;
  const uint32_t threads =
      options.threads > 0 ? options.threads : std::max(1U, plan::available_threads() / jobs);
  // This very program, also when another has been installed over it meanwhile.
  return {"/proc/self/exe",
          "run",
          "--json",
          common.verbose ? "--verbose" : "--quiet",
          "--threads",
          std::to_string(threads)};
}

/// A page without a secret of its own would be no reason not to print.
std::string page_token(const std::string& state) {
  try {
    return watch::kept_token(state + "/page.token");
  } catch (const Error& error) {
    log::warn("{}; the status page gets a new secret at each start", error.what());
    return watch::new_token();
  }
}

int exit_status(const watch::WatchEnd& end, bool once) {
  if (end.second_signal != 0) return 128 + end.second_signal;
  if (!once) return kExitGood;
  if (end.short_of_space > 0) return kExitTryAgain;
  return end.failed > 0 || end.troubled > 0 ? kExitSomeFailed : kExitGood;
}

/// Without waiting for threads that hang with the disk of a folder.
[[noreturn]] void end_at_once(int status) {
  std::fflush(nullptr);
  std::_Exit(status);
}

/// The watcher's threads do little, each at its time. An area of memory for each of them, as the C
/// library has it, grows and is never given back.
void share_memory() {
#ifdef M_ARENA_MAX
  ::mallopt(M_ARENA_MAX, 1);
#endif
}

/// Each folder and each job takes some descriptors, and the usual limit of 1,024 is one for programs that
/// use select(2).
void raise_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

int watch(const WatchOptions& options, const CommonOptions& common) {
  share_memory();
  raise_descriptors();
  watch::WatcherOptions watcher;
  watcher.jobs = options.jobs > 0 ? options.jobs : std::max(2U, plan::available_threads() / 4);
  watcher.once = options.once;
  watcher.needs_settings = options.require_settings;
  watcher.state = options.state.empty() ? resume::state_folder() : options.state;
  // A watcher with --once, as cron starts it, may run beside a permanent one.
  watch::LoopOptions loop;
  loop.socket = !options.socket.empty() ? options.socket
                : options.once          ? std::string()
                                        : watch::default_control_path(watcher.state);
  watcher.worker_command = worker_command(options, common, watcher.jobs);
  const files::Descriptor signals = signals_as_descriptor();
  loop.signals = signals.get();
  for (const std::string& folder : options.folders) {
    watcher.folders.push_back(path_without_links(folder));
  }
  watch::WatchMetrics metrics;
  watcher.listener = &metrics;
  watch::WatchLoop one(watcher, loop);
  std::optional<watch::StatusServer> server;
  if (!options.http.empty()) {
    server.emplace(one,
                   metrics,
                   watch::StatusOptions{.listen = watch::parse_status_address(options.http),
                                        .token = page_token(watcher.state)});
    one.set_page(server->url_with_token());
    log::info("status page: {}; `mezzotint jobs page` prints the address with its buttons",
              server->url());
  }
  log::info("watching {} with {}",
            counted(options.folders.size(), "folder"),
            counted(watcher.jobs, "worker"));
  const watch::WatchEnd end = one.run();
  const int status = exit_status(end, options.once);
  if (end.is_held_up) end_at_once(status);
  return status;
}

}  // namespace

void make_watch_command(cli::Command& command, const CommonOptions& common) {
  auto options = std::make_shared<WatchOptions>();
  command.argument("FOLDER", options->folders, "Hot folders, each with its settings in folder.yaml")
      .required()
      .takes("FOLDER");
  command
      .option("--jobs",
              options->jobs,
              "Jobs at one time, a process each; default: one per 4 processors, at least 2")
      .range(1, 256);
  command
      .option("--threads",
              options->threads,
              "Threads of each job; default: an equal share of the processors")
      .range(1, 1024);
  command.option("--state", options->state, "Folder for history and journals, on a local disk")
      .takes("FOLDER");
  command.option("--socket", options->socket, "Socket for `mezzotint jobs`").takes("FILE");
  command
      .option("--http",
              options->http,
              "Serve a status page and metrics at [ADDRESS:]PORT; 127.0.0.1 alone when no address "
              "is given")
      .takes("WHERE");
  command.flag("--require-settings",
               options->require_settings,
               "Take nothing from a folder without folder.yaml, as before its share is mounted; "
               "without this option, a folder that never had one works with the defaults");
  command.flag(
      "--once",
      options->once,
      "Run the jobs that are there, then end; status 1 if any failed, 75 if pages wait for space");
  command.option("--worker", options->worker, "Command that runs jobs in place of this program")
      .takes("WORD...")
      .group("Testing");
  command.example("mezzotint watch --http 8080 /srv/hot/*",
                  "Watch all folders there, with a page on http://127.0.0.1:8080.");
  command.runs([options, &common] { return watch(*options, common); });
}

}  // namespace mezzo::commands
