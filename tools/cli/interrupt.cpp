#include "tools/cli/interrupt.h"

#include <unistd.h>

#include <csignal>

#include "pipeline/exit_status.h"

namespace mezzo::cli {
namespace {

std::atomic<bool> g_stop{false};
std::atomic<int> g_signal{SIGINT};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler uses them");

extern "C" void on_stop_signal(int signal) {
  if (g_stop.exchange(true)) _exit(128 + signal);
  g_signal = signal;
  ::alarm(kGraceSeconds);
}

extern "C" void on_grace_over(int) {
  _exit(128 + g_signal);
}

}  // namespace

void handle_signals() {
  struct sigaction stop {};
  stop.sa_handler = on_stop_signal;
  stop.sa_flags = SA_RESTART;
  sigemptyset(&stop.sa_mask);
  sigaction(SIGINT, &stop, nullptr);
  sigaction(SIGTERM, &stop, nullptr);
  std::signal(SIGALRM, on_grace_over);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);
}

const std::atomic<bool>& stop_requested() {
  return g_stop;
}

int with_signal(int status) {
  return status == kExitInterrupted ? 128 + g_signal : status;
}

}  // namespace mezzo::cli
