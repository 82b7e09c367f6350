// Runs a command of another program, such as sbatch, to its end, and keeps its output.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mezzo::process {

struct CommandResult {
  int status = 0;        ///< exit status; 127: there is no such command; 128 + N: signal N ended it
  bool in_time = true;   ///< false: it was killed when its time was up
  std::string output;    ///< standard output, at most 16 MiB
  std::string messages;  ///< the last lines of standard error
};

/// Runs `words`, a program on PATH and its arguments, without input, and with `changes` to the
/// environment as in WorkerProcess. Throws Error: kOutOfMemory when no process can be started, kBug
/// where this process ignores SIGCHLD, as the status would be lost.
CommandResult run_command(const std::vector<std::string>& words,
                          std::chrono::milliseconds most,
                          const std::vector<std::string>& changes = {});

/// A word as a POSIX shell reads it back.
std::string shell_quoted(const std::string& word);

/// Names of the variables in this process's environment that are `wanted`.
std::vector<std::string> variables_that(const std::function<bool(std::string_view)>& wanted);

}  // namespace mezzo::process
