// The exit statuses of README.md.

#include "pipeline/exit_status.h"

#include <gtest/gtest.h>

#include "pipeline/run/result.h"

namespace mezzo::test::exit_status_test {
namespace {

TEST(ExitStatus, EachKindOfTroubleHasItsOwn) {
  EXPECT_EQ(status_of(ErrorKind::kUsage), 64);
  for (const ErrorKind kind :
       {ErrorKind::kData, ErrorKind::kUnsupported, ErrorKind::kLimit, ErrorKind::kChecksum}) {
    EXPECT_EQ(status_of(kind), 65);
  }
  EXPECT_EQ(status_of(ErrorKind::kMissing), 66);
  EXPECT_EQ(status_of(ErrorKind::kDevice), 69);
  EXPECT_EQ(status_of(ErrorKind::kBug), 70);
  EXPECT_EQ(status_of(ErrorKind::kDeviceLost), 71);
  EXPECT_EQ(status_of(ErrorKind::kCannotCreate), 73);
  EXPECT_EQ(status_of(ErrorKind::kCannotCreate, true), 73);
  EXPECT_EQ(status_of(ErrorKind::kUsage, true), 65);
  EXPECT_EQ(status_of(ErrorKind::kIo), 74);
  EXPECT_EQ(status_of(ErrorKind::kDiskFull), 75);
  EXPECT_EQ(status_of(ErrorKind::kOutOfMemory), 75);
  EXPECT_EQ(status_of(ErrorKind::kInterrupted), 130);
}

TEST(ExitStatus, OfAJobSaysWhatTheNextRunShouldBe) {
  run::JobResult result;
  EXPECT_EQ(status_of(result), 0);
  result.sheets.emplace_back().failure = {ErrorKind::kDevice, "the GPU failed"};
  EXPECT_EQ(status_of(result), 1);
  result.device_lost = true;
  EXPECT_EQ(status_of(result), 71);
  result.interrupted = true;
  EXPECT_EQ(status_of(result), 130);
}

TEST(ExitStatus, OfAJobSaysWhenAnotherTryCanHelp) {
  run::JobResult result;
  result.sheets.resize(2);
  result.sheets[0].failure = {ErrorKind::kData, "damaged"};
  EXPECT_EQ(status_of(result), 1);
  result.sheets[1].failure = {ErrorKind::kDiskFull, "full"};
  EXPECT_EQ(status_of(result), 75);
  result.sheets.clear();
  result.out_of_time = true;
  EXPECT_FALSE(result.all_good());
  EXPECT_EQ(status_of(result), 75);
}

TEST(ExitStatus, OfAJobWithoutAFailedSheetIsNotGoodWhenAGpuWasLost) {
  run::JobResult result;
  result.device_lost = true;
  EXPECT_FALSE(result.all_good());
  EXPECT_EQ(status_of(result), 71);
}

}  // namespace
}  // namespace mezzo::test::exit_status_test
