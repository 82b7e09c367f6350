// A worker: a process that runs one job, so that a page that crashes its decoder does not end this
// process; or any other command.
//
// It leads a process group of its own, gets SIGTERM when the thread that started it ends, leaves no
// core file, and has no descriptor of this process but its two pipes and the lock of its job:
// should this process be killed, no other begins the job while the worker has it.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/process/line_reader.h"
#include "stages/files/descriptor.h"

namespace mezzo::process {

/// The exit status of a program that could not be run, as shells have it.
inline constexpr int kCannotRun = 127;

/// The end of a process.
struct WorkerEnd {
  int exit_status = 0;
  int signal = 0;  ///< that killed it; 0: it ended by itself
};

class WorkerProcess {
 public:
  using Clock = std::chrono::steady_clock;

  /// Runs `command`, whose first word is the path of the program, with the descriptor `lock` kept
  /// open in it; -1: none. A program that cannot be run ends with
  /// kCannotRun, and a message that ends with the reason. Throws Error(kOutOfMemory)
  /// when there is no process or descriptor left. `changes` to its environment: "NAME=VALUE" sets
  /// a variable, "NAME" takes it away.
  explicit WorkerProcess(const std::vector<std::string>& command,
                         int lock = -1,
                         const std::vector<std::string>& changes = {});

  /// Kills what still runs, and waits for it.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  pid_t pid() const { return pid_; }  ///< of the leader of its group

  /// Adds the descriptors to poll: it has ended, or has written something.
  void add_polls(std::vector<pollfd>& polls) const;

  /// Standard output, by whole lines of at most 256 KiB; never blocks.
  void read_results(const std::function<void(std::string_view)>& line) { results_.read(line); }

  /// Standard error likewise; the last 20 lines are kept.
  void read_messages(const std::function<void(std::string_view)>& line);
  const std::deque<std::string>& last_messages() const { return last_messages_; }

  /// Sends a signal to the whole group.
  void signal(int number) noexcept;

  /// Once the process has ended. Its last lines may still lie in the pipes.
  std::optional<WorkerEnd> end();

  /// Once it has ended and all that it wrote was read; a second after its end at the latest, as
  /// other processes may hold the pipes open.
  std::optional<WorkerEnd> finished(Clock::time_point now);

  /// That second after its end; nothing while it runs.
  std::optional<Clock::time_point> finished_by() const;

 private:
  struct Pipe {
    files::Descriptor read;
    files::Descriptor write;
    static Pipe make();
  };
  WorkerProcess(const std::vector<std::string>& command,
                int lock,
                const std::vector<std::string>& changes,
                Pipe results,
                Pipe messages);

  pid_t pid_ = -1;
  files::Descriptor process_fd_;
  std::optional<WorkerEnd> end_;
  Clock::time_point ended_at_{};
  LineReader results_;
  LineReader messages_;
  std::deque<std::string> last_messages_;
};

/// Returns when one of the processes has ended or has written something, at `until` at the latest;
/// a signal may end it earlier.
void wait_for_news(const std::vector<const WorkerProcess*>& processes,
                   WorkerProcess::Clock::time_point until);

}  // namespace mezzo::process
