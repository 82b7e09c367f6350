#include "pipeline/wall_time.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "manifests/json/members.h"

namespace mezzo {

std::string utc_text(WallTime time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

std::string utc_text_ms(WallTime time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const auto rest = std::chrono::floor<std::chrono::milliseconds>(time - seconds);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                     rest.count());
}

std::optional<WallTime> parse_utc_ms(const std::string& text) {
  namespace chr = std::chrono;
  unsigned year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, ms = 0;
  std::sscanf(text.c_str(),
              "%4u-%2u-%2uT%2u:%2u:%2u.%3uZ",
              &year,
              &month,
              &day,
              &hour,
              &minute,
              &second,
              &ms);
  const chr::year_month_day date{
      chr::year(static_cast<int>(year)), chr::month(month), chr::day(day)};
  constexpr unsigned kFirstYear = 1970, kLastYear = 2200;  // what fits into the clock's 64 bits
  if (year < kFirstYear || year > kLastYear || !date.ok()) return std::nullopt;
  const auto time = chr::sys_days(date) + chr::hours(hour) + chr::minutes(minute) +
                    chr::seconds(second) + chr::milliseconds(ms);
  // Any other mistake in the text shows when the time is written again.
  if (utc_text_ms(time) != text) return std::nullopt;
  return time;
}

std::optional<WallTime> parse_utc(const std::string& text) {
  if (!text.ends_with('Z')) return std::nullopt;
  return parse_utc_ms(text.substr(0, text.size() - 1) + ".000Z");
}

std::string local_text(WallTime time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  return fmt::format("{:%Y-%m-%d %H:%M:%S %Z}", parts);
}

int64_t milliseconds_of(WallTime time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

void transfer(json::Slot& slot, Milliseconds value) {
  if (!slot.reads()) return slot.put(milliseconds_of(value.time));
  constexpr uint64_t kMost = 9'000'000'000'000;  // year 2255: nanoseconds in 64 bits end in 2262
  const auto number = slot.in().whole();
  if (!number) return slot.fail("is not a time in milliseconds");
  value.time = WallTime(std::chrono::milliseconds(std::min(*number, kMost)));
}

}  // namespace mezzo
