#include "pipeline/process/worker_process.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include "kernels/base/error.h"

namespace mezzo::process {
namespace {

constexpr size_t kResultBytes = 256 << 10;  // a sheet with hundreds of plates
constexpr size_t kMessageBytes = 4 << 10;
constexpr size_t kMessagesKept = 20;
constexpr std::chrono::seconds kDrainTime{1};  // for draining a dead process's pipes

[[noreturn]] void cannot_start(const char* what) {
  throw Error(ErrorKind::kOutOfMemory,
              std::string("a worker cannot be started: ") + what + ": " +
                  std::generic_category().message(errno));
}

/// This process's environment with `changes`, which must outlive it; closed by a null.
std::vector<char*> environment_with(const std::vector<std::string>& changes) {
  const auto name_of = [](std::string_view text) { return text.substr(0, text.find('=')); };
  std::vector<char*> variables;
  for (char** at = environ; *at != nullptr; ++at) {
    const auto is_same = [&](const std::string& change) { return name_of(change) == name_of(*at); };
    if (std::none_of(changes.begin(), changes.end(), is_same)) variables.push_back(*at);
  }
  for (const std::string& change : changes) {
    if (change.find('=') != std::string::npos) {
      variables.push_back(const_cast<char*>(change.c_str()));
    }
  }
  variables.push_back(nullptr);
  return variables;
}

/// Ends the child, with "WHAT: REASON" as its last message.
[[noreturn]] void give_up(int messages, const char* what) {
  const char* reason = ::strerrordesc_np(errno);
  for (const char* text : {what, ": ", reason, "\n"}) {
    if (::write(messages, text, std::strlen(text)) < 0) break;
  }
  ::_exit(kCannotRun);
}

/// The child's work between fork and exec: system calls alone, as other threads of the parent may
/// have held any lock.
[[noreturn]] void become(char* const* words,
                         char* const* environment,
                         int results,
                         int messages,
                         int lock,
                         pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(kCannotRun);  // it died before prctl
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ, SIGCHLD}) {
    ::sigaction(number, &standard, nullptr);
  }
  sigset_t nothing;
  sigemptyset(&nothing);
  ::sigprocmask(SIG_SETMASK, &nothing, nullptr);
  const int input = ::open("/dev/null", O_RDONLY);
  if (input < 0 || ::dup2(input, STDIN_FILENO) < 0 || ::dup2(results, STDOUT_FILENO) < 0 ||
      ::dup2(messages, STDERR_FILENO) < 0) {
    give_up(messages, "no descriptor for a worker");
  }
  ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  if (lock >= 0) ::fcntl(lock, F_SETFD, 0);
  ::execve(words[0], words, environment);
  give_up(STDERR_FILENO, words[0]);
}

}  // namespace

WorkerProcess::Pipe WorkerProcess::Pipe::make() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) cannot_start("no pipe");
  return {files::Descriptor(ends[0]), files::Descriptor(ends[1])};
}

WorkerProcess::WorkerProcess(const std::vector<std::string>& command,
                             int lock,
                             const std::vector<std::string>& changes)
    : WorkerProcess(command, lock, changes, Pipe::make(), Pipe::make()) {}

WorkerProcess::WorkerProcess(const std::vector<std::string>& command,
                             int lock,
                             const std::vector<std::string>& changes,
                             Pipe results,
                             Pipe messages)
    : results_(std::move(results.read), kResultBytes),
      messages_(std::move(messages.read), kMessageBytes) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  std::vector<char*> environment = environment_with(changes);
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) {
    become(
        words.data(), environment.data(), results.write.get(), messages.write.get(), lock, parent);
  }
  results.write.reset();
  messages.write.reset();
  if (pid_ < 0) cannot_start("no process");
  ::setpgid(pid_, pid_);  // here too: signal() may come before the child has got that far
  // The header of glibc 2.36 declares its function for C alone.
  process_fd_.reset(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  if (!process_fd_) {
    const int no_descriptor = errno;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    errno = no_descriptor;
    cannot_start("no descriptor");
  }
}

WorkerProcess::~WorkerProcess() {
  if (!end_) {
    ::kill(-pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

void WorkerProcess::read_messages(const Line& line) {
  messages_.read([&](std::string_view text) {
    last_messages_.emplace_back(text);
    if (last_messages_.size() > kMessagesKept) last_messages_.pop_front();
    line(text);
  });
}

void WorkerProcess::signal(int number) noexcept {
  // Not after it was waited for: its number may be another process's by then.
  if (!end_) ::kill(-pid_, number);
}

void WorkerProcess::look_for_its_end(SteadyTime now) {
  if (end_) return;
  const auto id = static_cast<id_t>(process_fd_.get());
  siginfo_t info{};
  if (::waitid(P_PIDFD, id, &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
    if (errno != ECHILD) return;
    // This process ignores SIGCHLD, so how it ended is lost: its results must tell.
    end_ = WorkerEnd{};
    ended_at_ = now;
    return process_fd_.reset();
  }
  if (info.si_pid == 0) return;
  // Processes that it left running hold the pipes open. Before waiting for it, as its number may be
  // another process's after that.
  ::kill(-pid_, SIGKILL);
  ::waitid(P_PIDFD, id, &info, WEXITED);
  end_ = info.si_code == CLD_EXITED ? WorkerEnd{info.si_status, 0} : WorkerEnd{0, info.si_status};
  ended_at_ = now;
  process_fd_.reset();
}

std::optional<WorkerEnd> WorkerProcess::finished(SteadyTime now) {
  look_for_its_end(now);
  if (!end_) return std::nullopt;
  const bool said_all = results_.fd() < 0 && messages_.fd() < 0;
  return said_all || now >= *finished_by() ? end_ : std::nullopt;
}

std::optional<SteadyTime> WorkerProcess::finished_by() const {
  return end_ ? std::optional(ended_at_ + kDrainTime) : std::nullopt;
}

void WorkerProcess::add_polls(std::vector<pollfd>& polls) const {
  for (const int fd : {process_fd_.get(), results_.fd(), messages_.fd()}) {
    if (fd >= 0) polls.push_back({.fd = fd, .events = POLLIN, .revents = 0});
  }
}

void wait_for_news(const std::vector<const WorkerProcess*>& processes, SteadyTime until) {
  std::vector<pollfd> polls;
  for (const WorkerProcess* process : processes) process->add_polls(polls);
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - SteadyClock::now());
  constexpr int64_t kMostMs = 1000;  // for any `until`
  ::poll(
      polls.data(), polls.size(), static_cast<int>(std::clamp<int64_t>(left.count(), 0, kMostMs)));
}

}  // namespace mezzo::process
