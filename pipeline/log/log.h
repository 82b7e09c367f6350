// Messages about the work: warnings, errors, and notes. The program decides where they go and in which form
// (tools/cli/console.h).
#pragma once

#include <fmt/core.h>

#include <functional>
#include <string_view>

namespace mezzo::log {

enum class Level { kDebug, kInfo, kWarning, kError };

/// "debug", "info", "warning" or "error".
std::string_view name_of(Level level);

/// Takes one message at a time, from any thread.
using Sink = std::function<void(Level level, std::string_view message)>;

/// Sends all messages to `sink` from now on, and returns the sink before it. The first sink writes warnings
/// and errors to standard error. Thread-safe.
Sink set_sink(Sink sink);

/// Formats the message and hands it to the sink. Drops it if either throws, for example for want of memory.
/// Thread-safe.
void write(Level level, fmt::string_view format, fmt::format_args arguments) noexcept;

template <typename... T>
void message(Level level, fmt::format_string<T...> format, T&&... arguments) noexcept {
  write(level, format, fmt::make_format_args(arguments...));
}
template <typename... T>
void debug(fmt::format_string<T...> format, T&&... arguments) noexcept {
  write(Level::kDebug, format, fmt::make_format_args(arguments...));
}
template <typename... T>
void info(fmt::format_string<T...> format, T&&... arguments) noexcept {
  write(Level::kInfo, format, fmt::make_format_args(arguments...));
}
template <typename... T>
void warn(fmt::format_string<T...> format, T&&... arguments) noexcept {
  write(Level::kWarning, format, fmt::make_format_args(arguments...));
}
template <typename... T>
void error(fmt::format_string<T...> format, T&&... arguments) noexcept {
  write(Level::kError, format, fmt::make_format_args(arguments...));
}

}  // namespace mezzo::log
