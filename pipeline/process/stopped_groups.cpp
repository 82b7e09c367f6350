#include "pipeline/process/stopped_groups.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace mezzo::process {
namespace {

/// When the process began, in ticks since the start of the machine: another process of this number
/// has another. Empty when there is none.
std::string start_of(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  size_t at = text.rfind(')');  // the name before it may hold anything
  constexpr int kFieldsBetween = 20;
  for (int i = 0; i < kFieldsBetween && at != std::string::npos; ++i) at = text.find(' ', at + 1);
  if (at == std::string::npos) return {};
  return text.substr(at + 1, text.find(' ', at + 1) - at - 1);
}

}  // namespace

StoppedGroups::StoppedGroups(std::string file) : file_(std::move(file)) {
  std::ifstream noted(file_);
  pid_t leader = 0;
  for (std::string start; noted >> leader >> start;) {
    if (leader > 1 && start_of(leader) == start) ::kill(-leader, SIGCONT);
  }
}

StoppedGroups::~StoppedGroups() {
  set({});
}

void StoppedGroups::set(std::vector<pid_t> leaders) {
  if (leaders == leaders_) return;
  leaders_ = std::move(leaders);
  std::error_code ignored;
  if (leaders_.empty()) {
    std::filesystem::remove(file_, ignored);
    return;
  }
  std::filesystem::create_directories(std::filesystem::path(file_).parent_path(), ignored);
  std::ofstream file(file_, std::ios::trunc);
  for (const pid_t leader : leaders_) file << leader << ' ' << start_of(leader) << '\n';
  if (!file.flush()) spdlog::warn("{}: cannot be written", file_);
}

}  // namespace mezzo::process
