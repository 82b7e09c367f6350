// SIGINT and SIGTERM: the first asks the job to stop, which leaves no half-made plate behind; the
// second ends the process at once. SIGPIPE and SIGXFSZ become errors of the call that met them.
#pragma once

#include <atomic>

namespace mezzo {

/// Installs the handlers. Call once, before threads start.
void handle_signals();

/// True once a signal has asked for the end.
const std::atomic<bool>& stop_requested();

/// 128 + the signal that asked for the end; 130 when none did.
int interrupt_status();

}  // namespace mezzo
