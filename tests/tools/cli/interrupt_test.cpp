#include "tools/cli/interrupt.h"

#include <gtest/gtest.h>

#include "pipeline/exit_status.h"

namespace mezzo::test {
namespace {

TEST(Interrupt, ChangesNoStatusButThatOfItsOwn) {
  EXPECT_EQ(cli::with_signal(kExitInterrupted), 130);  // no signal has come
  EXPECT_EQ(cli::with_signal(kExitGood), 0);
  EXPECT_EQ(cli::with_signal(kExitTryAgain), 75);
}

}  // namespace
}  // namespace mezzo::test
