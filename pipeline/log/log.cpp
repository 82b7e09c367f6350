#include "pipeline/log/log.h"

#include <fmt/format.h>

#include <cstdio>
#include <mutex>

namespace mezzo::log {
namespace {

void write_to_stderr(Level level, std::string_view message) {
  if (level >= Level::kWarning) fmt::print(stderr, "{}: {}\n", name_of(level), message);
}

struct Log {
  std::mutex mutex;
  Sink sink = write_to_stderr;
};

/// Is never destroyed, as threads may have messages while the program exits.
Log& the_log() {
  static Log* const log = new Log;
  return *log;
}

}  // namespace

std::string_view name_of(Level level) {
  switch (level) {
    case Level::kDebug:
      return "debug";
    case Level::kInfo:
      return "info";
    case Level::kWarning:
      return "warning";
    case Level::kError:
      break;
  }
  return "error";
}

Sink set_sink(Sink sink) {
  Log& log = the_log();
  const std::lock_guard lock(log.mutex);
  return std::exchange(log.sink, std::move(sink));
}

void write(Level level, fmt::string_view format, fmt::format_args arguments) noexcept {
  try {
    fmt::memory_buffer text;
    fmt::vformat_to(fmt::appender(text), format, arguments);
    Log& log = the_log();
    const std::lock_guard lock(log.mutex);
    log.sink(level, {text.data(), text.size()});
  } catch (...) {  // a message is less than the work that it is about
  }
}

}  // namespace mezzo::log
