// The forms of messages on standard error: for people, for programs, for the systemd journal.
#pragma once

#include <spdlog/formatter.h>

#include <memory>

namespace mezzo::cli {

enum class LogFormat {
  kText,     ///< "mezzotint: warning: ...", for people
  kJson,     ///< a JSON object a line: time (RFC 3339, UTC, milliseconds), level, message, pid
  kJournal,  ///< "<4>...", the priority as sd-daemon(3) has it; the journal adds time and name
};

/// Whether standard error is a stream of the systemd journal, by JOURNAL_STREAM.
bool stderr_is_journal();

/// The formatter of `format`. A message is one line of JSON, in which bytes that are not UTF-8
/// become U+FFFD; in the journal its further lines are indented and have the same priority, so that
/// no file name passes for a message.
std::unique_ptr<spdlog::formatter> log_formatter(LogFormat format);

}  // namespace mezzo::cli
