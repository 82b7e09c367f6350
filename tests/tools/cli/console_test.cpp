// What a terminal and a log show: of rounds, and in the formats that programs read.
#include "tools/cli/console.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "pipeline/log/log.h"

namespace mezzo::test::console_test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

plan::JobPlan one_page() {
  plan::JobPlan plan;
  plan.sheets.resize(1);
  plan.sheets[0].input = "page.tif";
  plan.pixels = 1000;
  return plan;
}

constexpr RoundReport kRound{512, 12, 1, 345, 3.14159};

TEST(Console, LogsRoundsWhenItIsVerboseOnly) {
  const plan::JobPlan plan = one_page();
  for (const cli::Verbosity verbosity : {cli::Verbosity::kNormal, cli::Verbosity::kVerbose}) {
    ::testing::internal::CaptureStderr();
    cli::set_up_log(verbosity);
    {
      cli::Progress progress(plan, verbosity);
      progress.round_done(plan.sheets[0], "black", kRound);
      progress.round_done(plan.sheets[0], "cyan", {0, 1, 0.5, 2, 0.5});  // half of a round
      progress.round_done(plan.sheets[0], "cyan", {0, 1, 1, 2, 0.5});
    }
    const std::string log = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(
        log,
        verbosity == cli::Verbosity::kNormal
            ? ""
            : "mezzotint: debug: page.tif: black from row 512: round 12 changed 345 px, "
              "average error 3.142\n"
              "mezzotint: debug: page.tif: cyan: round 1 changed 2 px, average error 0.500\n");
  }
}

/// Standard error is a terminal for as long as this lives.
class Terminal {
 public:
  Terminal() {
    int terminal = -1;
    EXPECT_EQ(::openpty(&reader_, &terminal, nullptr, nullptr, nullptr), 0);
    ::dup2(terminal, STDERR_FILENO);
    ::close(terminal);
  }
  ~Terminal() {
    ::dup2(before_, STDERR_FILENO);
    ::close(before_);
    ::close(reader_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// What was written so far, of which there must be something.
  std::string shown() const {
    std::array<char, 4096> text{};
    const ssize_t bytes = ::read(reader_, text.data(), text.size());
    return {text.data(), static_cast<size_t>(std::max<ssize_t>(bytes, 0))};
  }

 private:
  int before_ = ::dup(STDERR_FILENO);
  int reader_ = -1;
};

TEST(Console, ShowsTheLastRoundInPlaceOfTheRate) {
  ::setenv("TERM", "xterm", 1);
  ::unsetenv("CI");
  const plan::JobPlan plan = one_page();
  cli::set_up_log(cli::Verbosity::kNormal);
  const Terminal terminal;
  SteadyTime now{};
  cli::Progress progress(plan, cli::Verbosity::kNormal, [&now] { return now; });
  progress.round_done(
      plan.sheets[0], "cyan", kRound);  // not drawn: the line is redrawn every 100 ms
  now += std::chrono::milliseconds(100);
  progress.round_done(plan.sheets[0], "black", kRound);
  const std::string shown = terminal.shown();
  EXPECT_THAT(shown, HasSubstr("0%  0/1 sheets  black from row 512: round 12, error 3.142"));
  EXPECT_THAT(shown, Not(HasSubstr("cyan")));
  progress.sheet_finished(plan.sheets[0], {});
  EXPECT_THAT(terminal.shown(), Not(HasSubstr("round")));
}

/// What is logged on standard error after set_up_log(kNormal, json).
template <typename Log>
std::string logged(bool json, const Log& log) {
  ::testing::internal::CaptureStderr();
  cli::set_up_log(cli::Verbosity::kNormal, json);
  log();
  cli::set_up_log(cli::Verbosity::kNormal);
  return ::testing::internal::GetCapturedStderr();
}

TEST(Console, LogsAnObjectALine) {
  std::istringstream log(logged(true, [] {
    log::error("{}", "\"quoted\" \\ two\nlines \xff \x1b[31m");
    log::debug("not shown");
    log::warn("{}", std::string("a\0b", 3));
  }));
  std::vector<nlohmann::json> lines;
  for (std::string line; std::getline(log, line);) {
    lines.push_back(nlohmann::json::parse(line));
    EXPECT_EQ(lines.back().size(), 4U);
    EXPECT_EQ(lines.back()["pid"], ::getpid());
  }
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0]["level"], "error");
  EXPECT_EQ(lines[0]["message"], "\"quoted\" \\ two\nlines \xEF\xBF\xBD \x1b[31m");
  EXPECT_EQ(lines[1]["level"], "warning");
  EXPECT_EQ(lines[1]["message"], std::string("a\0b", 3));
  EXPECT_THAT(lines[0]["time"].get<std::string>(), MatchesRegex("....-..-..T..:..:..\\....Z"));
}

TEST(Console, GivesAMessageItsTime) {
  const std::chrono::system_clock::time_point time{std::chrono::milliseconds(1'000'000'000'042)};
  const std::string line = cli::log_text(cli::LogFormat::kJson, log::Level::kError, "late", time);
  EXPECT_EQ(nlohmann::json::parse(line)["time"], "2001-09-09T01:46:40.042Z");
}

TEST(Console, ColoursTheLevel) {
  const auto text = [](log::Level level) {
    return cli::log_text(cli::LogFormat::kColoured, level, "m", {});
  };
  EXPECT_EQ(text(log::Level::kError), "mezzotint: \033[31m\033[1merror\033[m: m\n");
  EXPECT_EQ(text(log::Level::kWarning), "mezzotint: \033[33m\033[1mwarning\033[m: m\n");
  EXPECT_EQ(text(log::Level::kInfo), "mezzotint: \033[32minfo\033[m: m\n");
  EXPECT_EQ(text(log::Level::kDebug), "mezzotint: \033[36mdebug\033[m: m\n");
}

TEST(Console, KeepsColourAndProgressOutOfJson) {
  ::setenv("TERM", "xterm", 1);
  ::unsetenv("CI");
  ::unsetenv("NO_COLOR");
  const plan::JobPlan plan = one_page();
  const Terminal terminal;
  cli::set_up_log(cli::Verbosity::kNormal, true);
  SteadyTime now{};
  cli::Progress progress(plan, cli::Verbosity::kNormal, [&now] { return now; });
  now += std::chrono::milliseconds(150);
  progress.round_done(plan.sheets[0], "black", kRound);
  log::warn("once");
  const std::string shown = terminal.shown();
  cli::set_up_log(cli::Verbosity::kNormal);
  EXPECT_THAT(shown, StartsWith("{"));
  EXPECT_THAT(shown, HasSubstr("once"));
  EXPECT_THAT(shown, Not(HasSubstr("\x1b")));
  EXPECT_THAT(shown, Not(HasSubstr("round")));
}

TEST(Console, GivesTheJournalPriorities) {
  const std::string log = logged(false, [] {
    // Standard error is a file by now; that it is a stream of the journal is up to the variable.
    struct stat file {};
    ASSERT_EQ(::fstat(STDERR_FILENO, &file), 0);
    const std::string stream = std::to_string(file.st_dev) + ":" + std::to_string(file.st_ino);
    ::setenv("JOURNAL_STREAM", (stream + "0").c_str(), 1);  // some other file
    cli::set_up_log(cli::Verbosity::kVerbose);
    log::info("people");
    ::setenv("JOURNAL_STREAM", stream.c_str(), 1);
    cli::set_up_log(cli::Verbosity::kVerbose);
    log::error("e\n<0>forged");
    log::warn("{}", std::string("w\0<0>forged", 11));
    log::info("i");
    log::debug("d");
    cli::set_up_log(cli::Verbosity::kVerbose, true);
    EXPECT_EQ(cli::log_format(), cli::LogFormat::kJson)
        << "asked for, it is also what the journal gets";
    ::unsetenv("JOURNAL_STREAM");
  });
  EXPECT_EQ(log,
            "mezzotint: info: people\n"
            "<3>e\n<3>  <0>forged\n<4>w\n<4>  <0>forged\n<6>i\n<7>d\n");
}

}  // namespace
}  // namespace mezzo::test::console_test
