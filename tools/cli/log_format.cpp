#include "tools/cli/log_format.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "manifests/json/value.h"
#include "pipeline/wall_time.h"

namespace mezzo::cli {
namespace {

/// The number between the angle brackets: some of syslog's levels.
int priority(log::Level level) {
  switch (level) {
    case log::Level::kError:
      return 3;
    case log::Level::kWarning:
      return 4;
    case log::Level::kInfo:
      return 6;
    case log::Level::kDebug:
      break;
  }
  return 7;
}

std::string_view colour(log::Level level) {
  switch (level) {
    case log::Level::kError:
      return "\033[31m\033[1m";  // red, bold
    case log::Level::kWarning:
      return "\033[33m\033[1m";  // yellow, bold
    case log::Level::kInfo:
      return "\033[32m";  // green
    case log::Level::kDebug:
      break;
  }
  return "\033[36m";  // cyan
}

std::string journal_lines(log::Level level, std::string_view message) {
  const std::string prefix = fmt::format("<{}>", priority(level));
  std::string lines = prefix;
  for (const char byte : message) {
    if (byte == '\n' || byte == '\0') {  // where the journal begins a new record
      lines += "\n" + prefix + "  ";
    } else {
      lines += byte;
    }
  }
  return lines + "\n";
}

std::string json_line(log::Level level,
                      std::string_view message,
                      std::chrono::system_clock::time_point time) {
  const json::Value object = {
      {"time", utc_text_ms(time)},
      {"level", std::string(log::name_of(level))},
      {"message", std::string(message)},
      {"pid", ::getpid()},
  };
  return json::to_text(object) + "\n";
}

}  // namespace

bool stderr_is_journal() {
  const char* stream = std::getenv("JOURNAL_STREAM");
  struct stat file {};
  if (stream == nullptr || ::fstat(STDERR_FILENO, &file) != 0) return false;
  return fmt::format("{}:{}", file.st_dev, file.st_ino) == stream;
}

std::string log_text(LogFormat format,
                     log::Level level,
                     std::string_view message,
                     std::chrono::system_clock::time_point time) {
  switch (format) {
    case LogFormat::kJson:
      return json_line(level, message, time);
    case LogFormat::kJournal:
      return journal_lines(level, message);
    case LogFormat::kColoured:
      return fmt::format(
          "mezzotint: {}{}\033[m: {}\n", colour(level), log::name_of(level), message);
    case LogFormat::kText:
      break;
  }
  return fmt::format("mezzotint: {}: {}\n", log::name_of(level), message);
}

}  // namespace mezzo::cli
