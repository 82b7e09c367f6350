#include "pipeline/process/command.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "kernels/base/error.h"
#include "pipeline/process/worker_process.h"

namespace mezzo::process {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr size_t kOutputBytes = 16 << 20;
constexpr int kNoCommand = 127;
constexpr int kBySignal = 128;
constexpr std::chrono::milliseconds kLook{100};  // between looks at a process that should be over

/// The path of a command, found as by execvp(3); empty: not found.
std::string found_on_path(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* path = std::getenv("PATH");
  std::string rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!name.empty()) {
    const size_t end = std::min(rest.find(':'), rest.size());
    std::string file = (end == 0 ? "." : rest.substr(0, end)) + "/" + name;
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0) return file;
    if (end == rest.size()) break;
    rest.erase(0, end + 1);
  }
  return {};
}

bool ignores_children() {
  struct sigaction action {};
  ::sigaction(SIGCHLD, nullptr, &action);
  return action.sa_handler == SIG_IGN;
}

}  // namespace

CommandResult run_command(const std::vector<std::string>& words,
                          std::chrono::milliseconds most,
                          const std::vector<std::string>& changes) {
  CommandResult result;
  std::vector<std::string> command = words;
  command.front() = found_on_path(words.front());
  if (command.front().empty()) {
    result.status = kNoCommand;
    result.messages = words.front() + ": command not found";
    return result;
  }
  if (ignores_children()) {
    throw Error(ErrorKind::kBug,
                words.front() + ": SIGCHLD is ignored, so its status would be lost");
  }
  WorkerProcess process(command, -1, changes);
  const auto listen = [&] {
    process.read_results([&](std::string_view line) {
      if (result.output.size() + line.size() >= kOutputBytes) return;
      result.output.append(line).append("\n");
    });
    process.read_messages([](std::string_view) {});
  };
  const Clock::time_point end = Clock::now() + most;
  std::optional<WorkerEnd> finished;
  while (!(finished = process.finished(Clock::now()))) {
    if (result.in_time && !process.finished_by() && Clock::now() >= end) {
      result.in_time = false;
      process.signal(SIGKILL);
    }
    const bool is_bounded = result.in_time && !process.finished_by();
    wait_for_news({&process}, is_bounded ? end : Clock::now() + kLook);
    listen();
  }
  const WorkerEnd ended = *finished;
  result.status = ended.signal != 0 ? kBySignal + ended.signal : ended.exit_status;
  for (const std::string& line : process.last_messages()) result.messages += line + "\n";
  return result;
}

std::string shell_quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::vector<std::string> variables_that(const std::function<bool(std::string_view)>& wanted) {
  std::vector<std::string> names;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view text = *at;
    const std::string_view name = text.substr(0, text.find('='));
    if (wanted(name)) names.emplace_back(name);
  }
  return names;
}

}  // namespace mezzo::process
