// A worker: a process that runs one job, so that a page that crashes its decoder does not end this
// process; or any other command.
//
// It leads a process group of its own, gets SIGTERM when the thread that started it ends, leaves no
// core file, and has no descriptor of this process but its two pipes and the lock of its job:
// should this process be killed, no other begins the job while the worker has it.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/process/line_reader.h"
#include "pipeline/steady_time.h"
#include "stages/files/descriptor.h"

namespace mezzo::process {

/// The exit status of a program that could not be run, as shells have it.
inline constexpr int kCannotRun = 127;

/// The end of a process.
struct WorkerEnd {
  int exit_status = 0;
  int signal = 0;  ///< that killed it; 0: it ended by itself
};

/// A worker as its callers see it. Tests implement it without a process.
class Worker {
 public:
  using Line = std::function<void(std::string_view)>;

  virtual ~Worker() = default;

  virtual pid_t pid() const = 0;  ///< of the leader of its group

  /// Adds the descriptors to poll: it has ended, or has written something.
  virtual void add_polls(std::vector<pollfd>& polls) const = 0;

  /// Standard output, by whole lines of at most 256 KiB; never blocks.
  virtual void read_results(const Line& line) = 0;

  /// Standard error likewise; the last 20 lines are kept.
  virtual void read_messages(const Line& line) = 0;
  virtual const std::deque<std::string>& last_messages() const = 0;

  /// Sends a signal to the whole group.
  virtual void signal(int number) noexcept = 0;

  /// Once it has ended and all that it wrote was read; a second after its end at the latest, as
  /// other processes may hold the pipes open.
  virtual std::optional<WorkerEnd> finished(SteadyTime now) = 0;

  /// The latest time at which finished() returns the end; nothing until finished() has seen that the process
  /// has ended.
  virtual std::optional<SteadyTime> finished_by() const = 0;
};

class WorkerProcess final : public Worker {
 public:
  /// Runs `command`, whose first word is the path of the program, with the descriptor `lock` kept
  /// open in it; -1: none. A program that cannot be run ends with
  /// kCannotRun, and a message that ends with the reason. Throws Error(kOutOfMemory)
  /// when there is no process or descriptor left. `changes` to its environment: "NAME=VALUE" sets
  /// a variable, "NAME" takes it away.
  explicit WorkerProcess(const std::vector<std::string>& command,
                         int lock = -1,
                         const std::vector<std::string>& changes = {});

  /// Kills what still runs, and waits for it.
  ~WorkerProcess() override;
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  pid_t pid() const override { return pid_; }
  void add_polls(std::vector<pollfd>& polls) const override;
  void read_results(const Line& line) override { results_.read(line); }
  void read_messages(const Line& line) override;
  const std::deque<std::string>& last_messages() const override { return last_messages_; }
  void signal(int number) noexcept override;
  std::optional<WorkerEnd> finished(SteadyTime now) override;
  std::optional<SteadyTime> finished_by() const override;

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

  void look_for_its_end(SteadyTime now);

  pid_t pid_ = -1;
  files::Descriptor process_fd_;
  std::optional<WorkerEnd> end_;
  SteadyTime ended_at_{};
  LineReader results_;
  LineReader messages_;
  std::deque<std::string> last_messages_;
};

/// Returns when one of the processes has ended or has written something, at `until` at the latest;
/// a signal may end it earlier.
void wait_for_news(const std::vector<const WorkerProcess*>& processes, SteadyTime until);

}  // namespace mezzo::process
