#include "manifests/time_window.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <time.h>

#include <optional>

namespace mezzo::test::time_window_test {
namespace {

/// The local time of a place, until the end.
class TimeZone {
 public:
  explicit TimeZone(const char* name) {
    if (const char* before = ::getenv("TZ")) before_ = before;
    set(name);
  }
  ~TimeZone() { set(before_ ? before_->c_str() : nullptr); }
  TimeZone(const TimeZone&) = delete;
  TimeZone& operator=(const TimeZone&) = delete;

 private:
  static void set(const char* name) {
    name == nullptr ? ::unsetenv("TZ") : ::setenv("TZ", name, 1);
    ::tzset();
  }
  std::optional<std::string> before_;
};

// Central Europe, as a rule, so that no database of zones is needed: summer time from the last
// Sunday of March, 02:00, to the last one of October, 03:00.
constexpr const char* kEurope = "CET-1CEST,M3.5.0,M10.5.0/3";

std::chrono::system_clock::time_point utc(const char* text) {
  struct tm fields = {};
  EXPECT_NE(::strptime(text, "%Y-%m-%d %H:%M:%S", &fields), nullptr) << text;
  return std::chrono::system_clock::from_time_t(::timegm(&fields));
}

std::string utc_text(std::chrono::system_clock::time_point time) {
  const time_t value = std::chrono::system_clock::to_time_t(time);
  struct tm fields = {};
  ::gmtime_r(&value, &fields);
  char text[32];
  return std::string(text, ::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &fields));
}

manifests::TimeWindow window(const char* text) {
  const auto parsed = manifests::parse_time_window(text);
  EXPECT_TRUE(parsed.value) << text << " " << parsed.problem;
  return parsed.value.value_or(manifests::TimeWindow());
}

/// "until TIME" when a moment lies in the window, else "from TIME" of the next.
std::string at(const char* span, const char* moment) {
  const manifests::TimeWindow w = window(span);
  if (manifests::contains(w, utc(moment)))
    return "until " + utc_text(manifests::end_of(w, utc(moment)));
  return "from " + utc_text(manifests::next_begin(w, utc(moment)));
}

struct Case {
  std::string text;
  std::string result;
};

TEST(TimeWindow, IsReadExactlyAsTheTableSays) {
  const Case cases[] = {
      {"22:00-06:00", "22:00-06:00"},
      {"00:00-24:00", "00:00-24:00"},
      {"23:59-00:00", "23:59-00:00"},
      {"Mon-Fri 18:30-24:00", "Mon,Tue,Wed,Thu,Fri 18:30-24:00"},
      {"Sat,Sun 00:00-24:00", "Sat,Sun 00:00-24:00"},
      {"Sat, Sun 00:00-24:00", "Sat,Sun 00:00-24:00"},
      {"Fri-Mon 12:00-13:00", "Mon,Fri,Sat,Sun 12:00-13:00"},
      {"Mon-Wed,Sun 12:00-13:00", "Mon,Tue,Wed,Sun 12:00-13:00"},
      {"Mon-Sun 12:00-13:00", "12:00-13:00"},
      {"Wed 12:00-13:00", "Wed 12:00-13:00"},
      {"", "refused"},
      {"22:00", "refused"},
      {"22:00-", "refused"},
      {"-06:00", "refused"},
      {"22-06", "refused"},
      {"22:00-22:00", "refused"},
      {"00:00-00:00", "refused"},
      {"24:00-06:00", "refused"},
      {"22:00-24:01", "refused"},
      {"22:60-23:00", "refused"},
      {"22:00-6:00", "refused"},
      {"22:00 - 06:00", "refused"},
      {" 22:00-06:00", "refused"},
      {"22:00-06:00 ", "refused"},
      {"22.00-06.00", "refused"},
      {"+2:00-06:00", "refused"},
      {"10:00-09:0a", "refused"},
      {"10pm-6am", "refused"},
      {"mon 22:00-06:00", "refused"},
      {"Monday 22:00-06:00", "refused"},
      {"Mon,Mon 22:00-06:00", "refused"},
      {"Mon-Wed,Tue 22:00-06:00", "refused"},
      {"Mon- 22:00-06:00", "refused"},
      {",Mon 22:00-06:00", "refused"},
      {"Mon 22:00-06:00-07:00", "refused"},
      {"22:00-06:00 Mon", "refused"},
  };
  for (const Case& c : cases) {
    const auto parsed = manifests::parse_time_window(c.text);
    EXPECT_EQ(parsed.value ? manifests::to_string(*parsed.value) : "refused", c.result) << c.text;
    EXPECT_EQ(parsed.value.has_value(), parsed.problem.empty()) << c.text;
    if (!parsed.value) continue;
    EXPECT_EQ(manifests::parse_time_window(manifests::to_string(*parsed.value)).value, parsed.value)
        << c.text;
  }
}

TEST(TimeWindow, SaysWhatIsWrong) {
  const auto empty = manifests::parse_time_window("22:00-22:00");
  EXPECT_EQ(empty.problem,
            "must be a span such as 22:00-06:00 or Mon-Fri 18:30-24:00, found '22:00-22:00'");
  EXPECT_EQ(empty.hint, "a whole day is 00:00-24:00");
  EXPECT_EQ(manifests::parse_time_window("6:00-08:00").hint,
            "times go from 00:00 to 24:00, each with two digits: 06:30");
  EXPECT_EQ(manifests::parse_time_window("Mo 06:00-08:00").hint,
            "the days are Mon, Tue, Wed, Thu, Fri, Sat and Sun");
  EXPECT_EQ(manifests::parse_time_window("Sat-Sun,Sat 06:00-08:00").hint, "name each day once");
}

TEST(TimeWindow, GoesOverMidnight) {
  const TimeZone zone("UTC");
  EXPECT_EQ(at("22:00-06:00", "2026-08-03 21:59:59"), "from 2026-08-03 22:00:00");
  EXPECT_EQ(at("22:00-06:00", "2026-08-03 22:00:00"), "until 2026-08-04 06:00:00");
  EXPECT_EQ(at("22:00-06:00", "2026-08-04 05:59:59"), "until 2026-08-04 06:00:00");
  EXPECT_EQ(at("22:00-06:00", "2026-08-04 06:00:00"), "from 2026-08-04 22:00:00");
  EXPECT_EQ(at("00:00-24:00", "2026-08-04 06:00:00"), "until 2026-08-05 00:00:00");
  EXPECT_EQ(at("23:00-00:00", "2026-08-04 23:30:00"), "until 2026-08-05 00:00:00");
  EXPECT_EQ(at("23:00-24:00", "2026-08-04 23:30:00"), "until 2026-08-05 00:00:00");
  EXPECT_EQ(at("22:00-21:00", "2026-08-04 20:59:59"), "until 2026-08-04 21:00:00");
  EXPECT_EQ(at("22:00-21:00", "2026-08-04 21:30:00"), "from 2026-08-04 22:00:00");
}

TEST(TimeWindow, CountsTheDayOfItsBeginning) {
  const TimeZone zone("UTC");  // 2026-08-07 is a Friday
  EXPECT_EQ(at("Fri 22:00-06:00", "2026-08-07 05:00:00"), "from 2026-08-07 22:00:00");
  EXPECT_EQ(at("Fri 22:00-06:00", "2026-08-08 05:00:00"), "until 2026-08-08 06:00:00");
  EXPECT_EQ(at("Fri 22:00-06:00", "2026-08-08 06:00:00"), "from 2026-08-14 22:00:00");
  EXPECT_EQ(at("Sat,Sun 00:00-24:00", "2026-08-08 23:59:59"), "until 2026-08-09 00:00:00");
  EXPECT_EQ(at("Sat,Sun 00:00-24:00", "2026-08-10 00:00:00"), "from 2026-08-15 00:00:00");
  EXPECT_EQ(at("Sun 22:00-06:00", "2026-08-10 03:00:00"), "until 2026-08-10 06:00:00");
  EXPECT_EQ(at("Mon 22:00-06:00", "1969-12-30 03:00:00"), "until 1969-12-30 06:00:00");
}

TEST(TimeWindow, IsLocal) {
  const TimeZone zone("XXX-13:45");  // far ahead of UTC
  EXPECT_EQ(at("22:00-06:00", "2026-08-03 08:15:00"), "until 2026-08-03 16:15:00");
  EXPECT_EQ(at("Tue 22:00-06:00", "2026-08-03 08:15:00"), "from 2026-08-04 08:15:00");
}

TEST(TimeWindow, StartsAndEndsByTheClockOnTheWallWhenSummerTimeBegins) {
  const TimeZone zone(kEurope);  // 2026-03-29 01:00 UTC: 02:00 becomes 03:00
  EXPECT_EQ(at("22:00-06:00", "2026-03-28 20:59:59"), "from 2026-03-28 21:00:00");
  EXPECT_EQ(at("22:00-06:00", "2026-03-28 21:00:00"), "until 2026-03-29 04:00:00");
  EXPECT_EQ(at("22:00-06:00", "2026-03-29 04:00:00"), "from 2026-03-29 20:00:00");
  EXPECT_EQ(at("02:30-04:00", "2026-03-29 00:59:59"), "from 2026-03-29 01:00:00");
  EXPECT_EQ(at("01:00-02:30", "2026-03-29 00:30:00"), "until 2026-03-29 01:00:00");
  EXPECT_EQ(at("02:15-02:45", "2026-03-29 00:30:00"), "from 2026-03-30 00:15:00");
  EXPECT_EQ(at("Sun 02:15-02:45", "2026-03-28 12:00:00"), "from 2026-04-05 00:15:00");
}

TEST(TimeWindow, StartsAndEndsByTheClockOnTheWallWhenSummerTimeEnds) {
  const TimeZone zone(kEurope);  // 2026-10-25 01:00 UTC: 03:00 becomes 02:00
  EXPECT_EQ(at("22:00-06:00", "2026-10-24 20:00:00"), "until 2026-10-25 05:00:00");
  EXPECT_EQ(at("02:30-04:00", "2026-10-25 00:29:59"), "from 2026-10-25 00:30:00");
  EXPECT_EQ(at("02:30-04:00", "2026-10-25 01:15:00"), "until 2026-10-25 03:00:00");
  EXPECT_EQ(at("01:00-02:30", "2026-10-25 00:45:00"), "until 2026-10-25 01:30:00");
  EXPECT_EQ(at("01:00-02:30", "2026-10-25 01:30:00"), "from 2026-10-26 00:00:00");
  EXPECT_EQ(at("00:00-24:00", "2026-10-25 12:00:00"), "until 2026-10-25 23:00:00");
}

TEST(TimeWindow, NeverLosesAMinute) {
  const TimeZone zone(kEurope);
  // Through a week with a change: a window and its complement share out every minute.
  for (const char* week : {"2026-03-26 00:00:00", "2026-10-22 00:00:00"}) {
    for (int minute = 0; minute < 7 * 24 * 60; ++minute) {
      const auto now = utc(week) + std::chrono::minutes(minute);
      EXPECT_TRUE(manifests::contains(window("22:00-06:00"), now) ||
                  manifests::contains(window("06:00-22:00"), now));
      EXPECT_FALSE(manifests::contains(window("22:00-06:00"), now) &&
                   contains(window("06:00-22:00"), now));
      EXPECT_TRUE(manifests::contains(window("00:00-24:00"), now));
      EXPECT_GT(manifests::end_of(window("00:00-24:00"), now), now);
      EXPECT_GT(manifests::next_begin(window("02:15-02:45"), now), now);
    }
  }
}

TEST(Duration, IsReadExactlyAsTheTableSays) {
  const Case cases[] = {
      {"500 ms", "500"},
      {"30 s", "30000"},
      {"30s", "30000"},
      {"15 min", "900000"},
      {"2 h", "7200000"},
      {"1 day", "86400000"},
      {"7 days", "604800000"},
      {"0 s", "0"},
      {"366000 days", "31622400000000"},
      {"366001 days", "refused"},
      {"99999999999999999999 s", "refused"},
      {"", "refused"},
      {"30", "refused"},
      {"0", "refused"},
      {"s", "refused"},
      {"1.5 h", "refused"},
      {"-1 s", "refused"},
      {"+1 s", "refused"},
      {"01 s", "refused"},
      {"1  s", "refused"},
      {"1 s ", "refused"},
      {" 1 s", "refused"},
      {"1 S", "refused"},
      {"1 sec", "refused"},
      {"5 m", "refused"},
      {"5 minutes", "refused"},
      {"1 h 30 min", "refused"},
      {"1e3 s", "refused"},
      {"for ever", "refused"},
  };
  for (const Case& c : cases) {
    const auto parsed = manifests::parse_duration(c.text);
    EXPECT_EQ(parsed.value ? std::to_string(parsed.value->count()) : "refused", c.result) << c.text;
    EXPECT_EQ(parsed.value.has_value(), parsed.problem.empty()) << c.text;
  }
  EXPECT_EQ(manifests::parse_duration("5 m").problem,
            "must be a time such as 30 s or 15 min, found '5 m'");
  EXPECT_EQ(manifests::parse_duration("5 m").hint, "the units are ms, s, min, h and days");
  EXPECT_EQ(manifests::parse_duration("1.5 h").hint,
            "write a whole number, of a smaller unit: 90 min, not 1.5 h");
}

}  // namespace
}  // namespace mezzo::test::time_window_test
