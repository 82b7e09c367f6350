#include "pipeline/log/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace mezzo::test::log_test {
namespace {

using ::testing::ElementsAre;

/// Messages go to a sink of the test for as long as this lives.
class LogTest : public ::testing::Test {
 protected:
  ~LogTest() override { log::set_sink(before_); }

  std::vector<std::string> lines_;
  log::Sink before_ = log::set_sink([this](log::Level level, std::string_view message) {
    lines_.push_back(std::string(log::name_of(level)) + ": " + std::string(message));
  });
};

TEST_F(LogTest, HandsEveryMessageToTheSink) {
  log::debug("{} of {}", 1, "four");
  log::info("two");
  log::warn("{{three}}");
  log::error("{}", std::string("a\0b", 3));
  log::message(log::Level::kInfo, "{:.1f}", 5.0);
  EXPECT_THAT(lines_,
              ElementsAre("debug: 1 of four",
                          "info: two",
                          "warning: {three}",
                          std::string("error: a\0b", 10),
                          "info: 5.0"));
}

TEST_F(LogTest, NeverThrows) {
  log::set_sink([](log::Level, std::string_view) { throw std::runtime_error("no space"); });
  EXPECT_NO_THROW(log::error("lost"));
}

TEST_F(LogTest, WritesErrorsAndWarningsToStandardErrorAtFirst) {
  log::set_sink(before_);
  ::testing::internal::CaptureStderr();
  log::debug("details");
  log::info("notes");
  log::warn("cannot read {}", "page.tif");
  log::error("no");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "warning: cannot read page.tif\nerror: no\n");
}

}  // namespace
}  // namespace mezzo::test::log_test
