// Of a process on this machine, as the kernel tells it: proc(5).
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace mezzo::process {

/// The fields of /proc/PID/stat from the third on, the state, which is the first after the program's
/// name: [0] is field 3. Empty when there is no process of this number.
std::vector<std::string> process_stat(pid_t pid);

/// Whether the process runs or may run again. One that has ended keeps its number until its parent asks
/// for its status, which some first processes of containers never do; it is not alive.
bool is_alive(pid_t pid);

}  // namespace mezzo::process
