// SIGINT and SIGTERM: the first asks the job to stop, which leaves no half-made plate behind; the
// second, or the end of the grace time, ends the process at once. SIGPIPE and SIGXFSZ become errors
// of the call that met them. SIGCHLD is not ignored, even if the parent ignored it, as the exit
// statuses of children would be lost.
#pragma once

#include <atomic>

namespace mezzo::cli {

/// Seconds that a job has to stop after a signal.
inline constexpr unsigned kGraceSeconds = 30;

/// Installs the handlers. Call once, before threads start.
void handle_signals();

/// True after a signal.
const std::atomic<bool>& stop_requested();

/// The status, but for kExitInterrupted 128 + the signal.
int with_signal(int status);

}  // namespace mezzo::cli
