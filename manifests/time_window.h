// Spans of local time that recur every day or on some days of the week, such as the night.
//
// Local time is that of the environment's TZ. When clocks are put back, a time occurs twice: a
// window begins at the first and ends at the second. When they are put forward, a skipped time
// means the moment of the change, and a window that is skipped as a whole is left out.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "manifests/scalars.h"

namespace mezzo::manifests {

/// From `begin` up to, but not including, `end`, in minutes after midnight. An end at or before the
/// beginning is on the next day; `days` are those of the beginning.
struct TimeWindow {
  uint16_t begin_minute = 0;
  uint16_t end_minute = 24 * 60;
  uint8_t days = 0x7F;  ///< bit 0: Monday
  bool operator==(const TimeWindow&) const = default;
};

/// "22:00-06:00", "Mon-Fri 18:30-24:00", "Sat,Sun 00:00-24:00". Refuses one of no length.
Parsed<TimeWindow> parse_time_window(std::string_view text);

/// As parse_time_window() reads it.
std::string to_string(const TimeWindow& window);

/// Whether local time `now` lies in the window.
bool contains(const TimeWindow& window, std::chrono::system_clock::time_point now);

/// The end of the window; `now` must lie in it. The next may begin there.
std::chrono::system_clock::time_point end_of(const TimeWindow& window,
                                             std::chrono::system_clock::time_point now);

/// The next beginning of the window after `now`.
std::chrono::system_clock::time_point next_begin(const TimeWindow& window,
                                                 std::chrono::system_clock::time_point now);

/// 500 ms, 30 s, 15 min, 2 h, 1 day, 7 days: a whole number and a unit; at most a thousand years.
Parsed<std::chrono::milliseconds> parse_duration(std::string_view text);

/// As parse_duration() reads it, in the largest unit that gives a whole number.
std::string to_string(std::chrono::milliseconds duration);

}  // namespace mezzo::manifests
