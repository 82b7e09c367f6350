#include "tools/cli/log_format.h"

#include <fmt/format.h>
#include <spdlog/pattern_formatter.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "manifests/json/value.h"
#include "pipeline/wall_time.h"

namespace mezzo::cli {
namespace {

std::string_view view(spdlog::string_view_t text) {
  return {text.data(), text.size()};
}

class JsonLines final : public spdlog::formatter {
 public:
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& line) override {
    const json::Value object = {
        {"time", utc_text_ms(message.time)},
        {"level", std::string(view(spdlog::level::to_string_view(message.level)))},
        {"message", std::string(view(message.payload))},
        {"pid", ::getpid()},
    };
    line.append(json::to_text(object));
    line.push_back('\n');
  }
  std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<JsonLines>();
  }
};

/// The number between the angle brackets: some of syslog's levels.
int priority(spdlog::level::level_enum level) {
  switch (level) {
    case spdlog::level::critical:
      return 2;
    case spdlog::level::err:
      return 3;
    case spdlog::level::warn:
      return 4;
    case spdlog::level::info:
      return 6;
    default:
      return 7;
  }
}

class JournalLines final : public spdlog::formatter {
 public:
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& lines) override {
    const std::string prefix = fmt::format("<{}>", priority(message.level));
    lines.append(prefix);
    for (const char byte : message.payload) {
      if (byte == '\n' || byte == '\0') {  // where the journal begins a new record
        lines.append("\n" + prefix + "  ");
      } else {
        lines.push_back(byte);
      }
    }
    lines.push_back('\n');
  }
  std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<JournalLines>();
  }
};

}  // namespace

bool stderr_is_journal() {
  const char* stream = std::getenv("JOURNAL_STREAM");
  struct stat file {};
  if (stream == nullptr || ::fstat(STDERR_FILENO, &file) != 0) return false;
  return fmt::format("{}:{}", file.st_dev, file.st_ino) == stream;
}

std::unique_ptr<spdlog::formatter> log_formatter(LogFormat format) {
  switch (format) {
    case LogFormat::kJson:
      return std::make_unique<JsonLines>();
    case LogFormat::kJournal:
      return std::make_unique<JournalLines>();
    case LogFormat::kText:
      break;
  }
  return std::make_unique<spdlog::pattern_formatter>("mezzotint: %^%l%$: %v");
}

}  // namespace mezzo::cli
