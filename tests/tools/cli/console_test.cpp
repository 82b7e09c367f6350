// What a terminal and a log show: of rounds, and in the formats that programs read.
#include "tools/cli/console.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <spdlog/spdlog.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

namespace mezzo::test {
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
  const Terminal terminal;
  cli::Progress progress(plan, cli::Verbosity::kNormal);
  ::usleep(150'000);  // the line is not drawn more often
  progress.round_done(plan.sheets[0], "black", kRound);
  EXPECT_THAT(terminal.shown(),
              HasSubstr("0%  0/1 sheets  black from row 512: round 12, error 3.142"));
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
  const auto before = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  std::istringstream log(logged(true, [] {
    spdlog::error("{}", "\"quoted\" \\ two\nlines \xff \x1b[31m");
    spdlog::debug("not shown");
    spdlog::warn("{}", std::string("a\0b", 3));
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

  const std::string time = lines[0]["time"];
  EXPECT_THAT(time, MatchesRegex("....-..-..T..:..:..\\....Z"));
  std::tm fields{};
  ASSERT_NE(::strptime(time.c_str(), "%Y-%m-%dT%H:%M:%S", &fields), nullptr);
  const auto seconds = std::chrono::system_clock::from_time_t(::timegm(&fields));
  EXPECT_GE(seconds, before);
  EXPECT_LE(seconds, std::chrono::system_clock::now());
}

TEST(Console, KeepsColourAndProgressOutOfJson) {
  ::setenv("TERM", "xterm", 1);
  ::unsetenv("CI");
  ::unsetenv("NO_COLOR");
  const plan::JobPlan plan = one_page();
  const Terminal terminal;
  cli::set_up_log(cli::Verbosity::kNormal, true);
  cli::Progress progress(plan, cli::Verbosity::kNormal);
  ::usleep(150'000);
  progress.round_done(plan.sheets[0], "black", kRound);
  spdlog::warn("once");
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
    spdlog::info("people");
    ::setenv("JOURNAL_STREAM", stream.c_str(), 1);
    cli::set_up_log(cli::Verbosity::kVerbose);
    spdlog::error("e\n<0>forged");
    spdlog::warn("{}", std::string("w\0<0>forged", 11));
    spdlog::info("i");
    spdlog::debug("d");
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
}  // namespace mezzo::test
