#include "manifests/time_window.h"

#include <time.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "kernels/base/error.h"
#include "manifests/source_text.h"

namespace mezzo::manifests {
namespace {

constexpr std::array<std::string_view, 7> kDays = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
constexpr uint8_t kEveryDay = 0x7F;
constexpr uint16_t kDayMinutes = 24 * 60;
constexpr int64_t kDaySeconds = int64_t{kDayMinutes} * 60;
constexpr std::string_view kDaysHint = "the days are Mon, Tue, Wed, Thu, Fri, Sat and Sun";

using Window = Parsed<TimeWindow>;
using Clock = std::chrono::system_clock;

/// HH:MM as minutes after midnight, 24:00 included.
std::optional<uint16_t> minute_of_day(std::string_view text) {
  if (text.size() != 5 || text[2] != ':') return std::nullopt;
  unsigned number[2] = {};
  for (const size_t part : {0U, 1U}) {
    const char* first = text.data() + 3 * part;
    const auto [end, error] = std::from_chars(first, first + 2, number[part]);
    if (error != std::errc() || end != first + 2) return std::nullopt;
  }
  const unsigned minutes = number[0] * 60 + number[1];
  if (number[1] >= 60 || minutes > kDayMinutes) return std::nullopt;
  return static_cast<uint16_t>(minutes);
}

/// Bits of "Sat,Sun" or "Mon-Fri, Sun"; or why not.
struct Days {
  uint8_t bits = 0;
  std::string hint;  // when something is wrong
};

Days days_of(std::string_view text) {
  Days days;
  for (bool is_last = false; !is_last;) {
    const size_t comma = text.find(',');
    is_last = comma == std::string_view::npos;
    const std::string_view part = trimmed(text.substr(0, comma));
    if (!is_last) text.remove_prefix(comma + 1);
    const size_t dash = part.find('-');
    const std::string_view names[] = {
        part.substr(0, dash), dash == std::string_view::npos ? part : part.substr(dash + 1)};
    size_t index[2] = {};
    for (const size_t i : {0U, 1U}) {
      const auto found = std::ranges::find(kDays, names[i]);
      if (found == kDays.end()) return {0, std::string(kDaysHint)};
      index[i] = static_cast<size_t>(found - kDays.begin());
    }
    // Fri-Mon goes over the end of the week.
    for (size_t day = index[0];; day = (day + 1) % kDays.size()) {
      const auto bit = static_cast<uint8_t>(1U << day);
      if ((days.bits & bit) != 0) return {0, "name each day once"};
      days.bits = static_cast<uint8_t>(days.bits | bit);
      if (day == index[1]) break;
    }
  }
  return days;
}

std::string clock_text(uint16_t minute) {
  const auto two = [](unsigned n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  return two(minute / 60U) + ":" + two(minute % 60U);
}

/// Seconds that local time is ahead of UTC at a moment.
int64_t offset_at(int64_t moment) {
  const auto value = static_cast<time_t>(moment);
  struct tm local = {};
  MZ_ASSERT(::localtime_r(&value, &local) != nullptr);
  return local.tm_gmtoff;
}

/// The moment meant by a time that the clocks show twice.
enum class Twice { kFirst, kLast };

/// The moment at which local clocks show `wall`, seconds since 1970-01-01 00:00 on them. A time
/// that they skip is the moment of the change. Clocks change at most once in the day around it.
int64_t moment_of(int64_t wall, Twice twice) {
  int64_t low = wall - kDaySeconds, high = wall + kDaySeconds;
  const int64_t offset_before = offset_at(low), offset_after = offset_at(high);
  const int64_t before = wall - offset_before, after = wall - offset_after;
  const bool is_before = offset_at(before) == offset_before;
  const bool is_after = offset_at(after) == offset_after;
  if (is_before && is_after) return twice == Twice::kFirst ? before : after;
  if (is_before) return before;
  if (is_after) return after;
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    (offset_at(middle) == offset_before ? low : high) = middle;
  }
  return high;
}

int64_t floor_divide(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

/// The local day of a moment, counted from 1970-01-01.
int64_t local_day(int64_t moment) {
  return floor_divide(moment + offset_at(moment), kDaySeconds);
}

struct Span {
  int64_t begin = 0;
  int64_t end = 0;  // not included
};

/// The window as it begins on a day; nothing when it does not, or when the clocks skip it.
std::optional<Span> span_on(const TimeWindow& window, int64_t day) {
  const int64_t weekday = ((day + 3) % 7 + 7) % 7;  // 1970-01-01 was a Thursday
  if ((window.days >> weekday & 1U) == 0) return std::nullopt;
  const int64_t last_day = window.end_minute > window.begin_minute ? day : day + 1;
  const Span span = {
      moment_of(day * kDaySeconds + int64_t{window.begin_minute} * 60, Twice::kFirst),
      moment_of(last_day * kDaySeconds + int64_t{window.end_minute} * 60, Twice::kLast)};
  if (span.begin >= span.end) return std::nullopt;
  return span;
}

/// The last of the window's spans that the moment lies in.
std::optional<Span> span_around(const TimeWindow& window, int64_t moment) {
  const int64_t today = local_day(moment);
  for (const int64_t day : {today + 1, today, today - 1}) {
    const auto span = span_on(window, day);
    if (span && span->begin <= moment && moment < span->end) return span;
  }
  return std::nullopt;
}

int64_t seconds_of(Clock::time_point time) {
  return std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
}

Clock::time_point time_of(int64_t moment) {
  return Clock::time_point(std::chrono::seconds(moment));
}

struct TimeUnit {
  std::string_view name;
  int64_t milliseconds;
};
constexpr TimeUnit kTimeUnits[] = {
    {"ms", 1},
    {"s", 1'000},
    {"min", 60'000},
    {"h", 3'600'000},
    {"day", 86'400'000},
    {"days", 86'400'000},
};

}  // namespace

Window parse_time_window(std::string_view text) {
  const std::string expected =
      "must be a span such as 22:00-06:00 or Mon-Fri 18:30-24:00, found " + in_quotes(text);
  TimeWindow window;
  std::string_view times = text;
  if (const size_t space = text.rfind(' '); space != std::string_view::npos) {
    const Days days = days_of(text.substr(0, space));
    if (days.bits == 0) return Window::bad(expected, days.hint);
    window.days = days.bits;
    times = text.substr(space + 1);
  }
  const size_t dash = times.find('-');
  if (dash == std::string_view::npos) return Window::bad(expected);
  const auto begin = minute_of_day(times.substr(0, dash));
  const auto end = minute_of_day(times.substr(dash + 1));
  if (!begin || !end || *begin == kDayMinutes) {
    return Window::bad(expected, "times go from 00:00 to 24:00, each with two digits: 06:30");
  }
  if (*begin == *end) return Window::bad(expected, "a whole day is 00:00-24:00");
  window.begin_minute = *begin;
  window.end_minute = *end;
  return Window::good(window);
}

std::string to_string(const TimeWindow& window) {
  std::string days;
  for (size_t day = 0; day < kDays.size() && window.days != kEveryDay; ++day) {
    if ((window.days >> day & 1U) == 0) continue;
    days += (days.empty() ? "" : ",") + std::string(kDays[day]);
  }
  return days + (days.empty() ? "" : " ") + clock_text(window.begin_minute) + "-" +
         clock_text(window.end_minute);
}

bool contains(const TimeWindow& window, Clock::time_point now) {
  return span_around(window, seconds_of(now)).has_value();
}

Clock::time_point end_of(const TimeWindow& window, Clock::time_point now) {
  const auto span = span_around(window, seconds_of(now));
  MZ_ASSERT(span.has_value());
  return time_of(span->end);
}

Clock::time_point next_begin(const TimeWindow& window, Clock::time_point now) {
  const int64_t moment = seconds_of(now);
  const int64_t today = local_day(moment);
  // Two weeks: the only span of the next one may be skipped by the clocks.
  for (int64_t day = today - 1; day <= today + 15; ++day) {
    const auto span = span_on(window, day);
    if (span && span->begin > moment) return time_of(span->begin);
  }
  MZ_ASSERT(window.days != 0);
  return time_of((today + 15) * kDaySeconds);
}

Parsed<std::chrono::milliseconds> parse_duration(std::string_view text) {
  using Duration = Parsed<std::chrono::milliseconds>;
  const std::string expected = "must be a time such as 30 s or 15 min, found " + in_quotes(text);
  constexpr std::string_view kUnitsHint = "the units are ms, s, min, h and days";
  const size_t length = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view number = text.substr(0, length);
  std::string_view name = text.substr(length);
  if (name.starts_with('.')) {
    return Duration::bad(expected, "write a whole number, of a smaller unit: 90 min, not 1.5 h");
  }
  if (name.starts_with(' ')) name.remove_prefix(1);
  const auto unit = std::ranges::find(kTimeUnits, name, &TimeUnit::name);
  if (number.empty() || unit == std::end(kTimeUnits)) {
    return Duration::bad(expected, std::string(kUnitsHint));
  }
  const Parsed<uint64_t> value = parse_integer(number);
  if (!value.value) return Duration::bad(expected, value.hint);
  constexpr int64_t kLongest = int64_t{1000} * 366 * 86'400'000;  // a thousand years
  if (*value.value > static_cast<uint64_t>(kLongest / unit->milliseconds)) {
    return Duration::bad(expected, "this is longer than a thousand years");
  }
  return Duration::good(
      std::chrono::milliseconds(static_cast<int64_t>(*value.value) * unit->milliseconds));
}

std::string to_string(std::chrono::milliseconds duration) {
  const TimeUnit* best = std::begin(kTimeUnits);
  for (const TimeUnit& unit : kTimeUnits) {
    const bool is_plural =
        unit.milliseconds == best->milliseconds && duration.count() == unit.milliseconds;
    if (duration.count() % unit.milliseconds == 0 && !is_plural) best = &unit;
  }
  if (duration.count() == 0) best = &kTimeUnits[1];  // 0 s
  return std::to_string(duration.count() / best->milliseconds) + " " + std::string(best->name);
}

}  // namespace mezzo::manifests
