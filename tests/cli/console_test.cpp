// What a terminal and a log show of rounds.
#include "tools/console.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <spdlog/spdlog.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace mezzo {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

JobPlan one_page() {
  JobPlan plan;
  plan.sheets.resize(1);
  plan.sheets[0].input = "page.tif";
  plan.pixels = 1000;
  return plan;
}

constexpr RoundReport kRound{512, 12, 1, 345, 3.14159};

TEST(Console, LogsRoundsWhenItIsVerboseOnly) {
  const JobPlan plan = one_page();
  for (const Verbosity verbosity : {Verbosity::kNormal, Verbosity::kVerbose}) {
    ::testing::internal::CaptureStderr();
    set_up_log(verbosity);
    {
      Progress progress(plan, verbosity);
      progress.round_done(plan.sheets[0], "black", kRound);
      progress.round_done(plan.sheets[0], "cyan", {0, 1, 0.5, 2, 0.5});  // half of a round
      progress.round_done(plan.sheets[0], "cyan", {0, 1, 1, 2, 0.5});
    }
    const std::string log = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(
        log,
        verbosity == Verbosity::kNormal
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
  const JobPlan plan = one_page();
  const Terminal terminal;
  Progress progress(plan, Verbosity::kNormal);
  ::usleep(150'000);  // the line is not drawn more often
  progress.round_done(plan.sheets[0], "black", kRound);
  EXPECT_THAT(terminal.shown(),
              HasSubstr("0%  0/1 sheets  black from row 512: round 12, error 3.142"));
  progress.sheet_finished(plan.sheets[0], {});
  EXPECT_THAT(terminal.shown(), Not(HasSubstr("round")));
}

}  // namespace
}  // namespace mezzo
