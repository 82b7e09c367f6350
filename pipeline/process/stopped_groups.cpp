#include "pipeline/process/stopped_groups.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "pipeline/log/log.h"
#include "pipeline/process/process_stat.h"

namespace mezzo::process {
namespace {

/// When the process began, in ticks since the start of the machine: another process of this number
/// has another. Empty when there is none.
std::string start_of(pid_t pid) {
  const std::vector<std::string> stat = process_stat(pid);
  return stat.size() > 19 ? stat[19] : std::string();
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
  if (!file.flush()) log::warn("{}: cannot be written", file_);
}

}  // namespace mezzo::process
