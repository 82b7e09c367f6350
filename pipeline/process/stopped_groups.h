// Process groups that stand still (SIGSTOP), noted in a file. When the process that stopped them is
// killed, the system wakes them only where nothing else of its session is left above them; the next
// process to use the file does otherwise, so that they take the SIGTERM that waits for them.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace mezzo::process {

class StoppedGroups {
 public:
  /// Wakes the groups that `file`, which need not exist, has from another process.
  explicit StoppedGroups(std::string file);
  ~StoppedGroups();
  StoppedGroups(const StoppedGroups&) = delete;
  StoppedGroups& operator=(const StoppedGroups&) = delete;

  /// Notes that the groups of these leaders stand still, and no others. Trouble is logged.
  void set(std::vector<pid_t> leaders);

 private:
  const std::string file_;
  std::vector<pid_t> leaders_;
};

}  // namespace mezzo::process
