// The forms of messages on standard error: for people, for programs, for the systemd journal.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "pipeline/log/log.h"

namespace mezzo::cli {

enum class LogFormat {
  kText,      ///< "mezzotint: warning: ...", for people
  kColoured,  ///< the same, with the level in colour
  kJson,      ///< a JSON object a line: time (RFC 3339, UTC, milliseconds), level, message, pid
  kJournal,   ///< "<4>...", the priority as sd-daemon(3) has it; the journal adds time and name
};

/// Whether standard error is a stream of the systemd journal, by JOURNAL_STREAM.
bool stderr_is_journal();

/// Formats a message, with its line ends. As JSON it is one line, in which bytes that are not UTF-8 become
/// U+FFFD. In the journal its second and later lines are indented and have the same priority, so that no
/// file name passes for a message.
std::string log_text(LogFormat format,
                     log::Level level,
                     std::string_view message,
                     std::chrono::system_clock::time_point time);

}  // namespace mezzo::cli
