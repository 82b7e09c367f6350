#include "tools/cli/interrupt.h"

#include <gtest/gtest.h>

#include <csignal>

#include "pipeline/exit_status.h"

namespace mezzo::test::interrupt_test {
namespace {

TEST(Interrupt, ChangesNoStatusButThatOfItsOwn) {
  EXPECT_EQ(cli::with_signal(kExitInterrupted), 130);  // no signal has come
  EXPECT_EQ(cli::with_signal(kExitGood), 0);
  EXPECT_EQ(cli::with_signal(kExitTryAgain), 75);
}

TEST(Interrupt, LetsEndsOfChildrenBeKnownAlsoWhereTheStarterIgnoresThem) {
  std::signal(SIGCHLD, SIG_IGN);
  cli::handle_signals();
  EXPECT_EQ(std::signal(SIGCHLD, SIG_DFL), SIG_DFL);
}

}  // namespace
}  // namespace mezzo::test::interrupt_test
