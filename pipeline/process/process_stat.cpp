#include "pipeline/process/process_stat.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <iterator>
#include <sstream>

namespace mezzo::process {

std::vector<std::string> process_stat(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const size_t name_end = text.rfind(')');  // the name before it may hold anything
  if (name_end == std::string::npos) return {};
  std::istringstream rest(text.substr(name_end + 1));
  return {std::istream_iterator<std::string>(rest), {}};
}

bool is_alive(pid_t pid) {
  if (::kill(pid, 0) != 0 && errno == ESRCH) return false;
  const std::vector<std::string> stat = process_stat(pid);
  return stat.empty() || (stat[0] != "Z" && stat[0] != "X");  // without /proc it may be
}

}  // namespace mezzo::process
