// SIGINT and SIGTERM: the first asks the job to stop, which leaves no half-made plate behind; the
// second, or the end of the grace time, ends the process at once. SIGPIPE and SIGXFSZ become errors
// of the call that met them. SIGCHLD is not ignored, as it may be where this program was started:
// how its children end would be lost.
#pragma once

#include <atomic>

namespace mezzo::cli {

/// What a job has to stop after it was asked to, seconds.
inline constexpr unsigned kGraceSeconds = 30;

/// Installs the handlers. Call once, before threads start.
void handle_signals();

/// True once a signal has asked for the end.
const std::atomic<bool>& stop_requested();

/// The status as it is, or, for kExitInterrupted, 128 + the signal that asked for the end.
int with_signal(int status);

}  // namespace mezzo::cli
