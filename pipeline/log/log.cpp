#include "pipeline/log/log.h"

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>

#include <cstdio>
#include <memory>
#include <mutex>
#include <utility>

namespace mezzo::log {
namespace {

void write_to_stderr(Level level, std::string_view message) {
  if (level >= Level::kWarning) fmt::print(stderr, "{}: {}\n", name_of(level), message);
}

spdlog::level::level_enum spdlog_level(Level level) {
  switch (level) {
    case Level::kDebug:
      return spdlog::level::debug;
    case Level::kInfo:
      return spdlog::level::info;
    case Level::kWarning:
      return spdlog::level::warn;
    case Level::kError:
      break;
  }
  return spdlog::level::err;
}

Level level_of(spdlog::level::level_enum level) {
  if (level <= spdlog::level::debug) return Level::kDebug;
  if (level == spdlog::level::info) return Level::kInfo;
  return level == spdlog::level::warn ? Level::kWarning : Level::kError;
}

/// Hands each message to the program's sink.
class SinkCaller final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  Sink exchange(Sink next) {
    const std::lock_guard lock(mutex_);
    return std::exchange(sink_, std::move(next));
  }

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    sink_(level_of(message.level), {message.payload.data(), message.payload.size()});
  }
  void flush_() override {}

  Sink sink_ = write_to_stderr;
};

struct Log {
  Log() {
    logger.set_level(spdlog::level::debug);
    // A message that cannot be written must not stop the work.
    logger.set_error_handler([](const std::string&) {});
  }

  std::shared_ptr<SinkCaller> sink = std::make_shared<SinkCaller>();
  spdlog::logger logger = spdlog::logger("mezzotint", sink);
};

/// The log is never destroyed, as threads may have messages while the program exits.
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
  return the_log().sink->exchange(std::move(sink));
}

void write(Level level, fmt::string_view format, fmt::format_args arguments) noexcept {
  try {
    fmt::memory_buffer text;
    fmt::vformat_to(fmt::appender(text), format, arguments);
    the_log().logger.log(spdlog_level(level), spdlog::string_view_t(text.data(), text.size()));
  } catch (...) {  // see set_error_handler()
  }
}

}  // namespace mezzo::log
