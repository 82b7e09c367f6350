// What a temporary name tells of its writer.
#include "stages/files/temporary_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "stages/files/publish.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::temporary_name_test {
namespace {

TEST(TemporaryName, TellsItsWriter) {
  const test::TempFolder folder;
  const files::PendingFile file(folder / "a.1-2.tif");
  files::Writer writer;
  EXPECT_EQ(files::final_name_of(folder.names().at(0), writer), "a.1-2.tif");
  EXPECT_EQ(writer, files::this_process());
  EXPECT_EQ(writer.pid, ::getpid());
  EXPECT_THAT(writer.machine, testing::MatchesRegex("[0-9a-f]+"));
  EXPECT_EQ(writer.machine.size(), 16U);
  EXPECT_EQ(to_string(writer), std::to_string(writer.pid) + "-" + writer.machine);
}

TEST(TemporaryName, IsCutNeverInItsTail) {
  const test::TempFolder folder;
  const files::PendingFile file(folder / std::string(255, 'x'));
  files::Writer writer;
  const auto name = files::final_name_of(folder.names().at(0), writer);
  ASSERT_TRUE(name);
  EXPECT_EQ(*name, std::string(name->size(), 'x'));
  EXPECT_EQ(folder.names().at(0).size(), 255U);
  EXPECT_EQ(writer, files::this_process());
}

TEST(TemporaryName, MayTellNoMachine) {
  files::Writer writer{5, "0123456789abcdef"};
  EXPECT_EQ(files::final_name_of(".a.tif.77-0a1b2c3d.part", writer), "a.tif");
  EXPECT_EQ(writer, (files::Writer{77, ""}));
  EXPECT_EQ(".a.tif" + files::temporary_tail(writer, 0x0a1b2c3d), ".a.tif.77-0a1b2c3d.part");
}

TEST(TemporaryName, IsNoOtherName) {
  files::Writer writer;
  for (const std::string name : {".a.tif.part",
                                 "a.tif.77-0123456789abcdef-0a1b2c3d.part",
                                 ".a.tif.77-0123456789abcdef-0a1b2c3d.par",
                                 ".a.tif.77-0123456789abcde-0a1b2c3d.part",
                                 ".a.tif.77-0123456789abcdef-0a1b2c3.part",
                                 ".a.tif.x-0123456789abcdef-0a1b2c3d.part",
                                 "..77-0123456789abcdef-0a1b2c3d.part"}) {
    EXPECT_FALSE(files::final_name_of(name, writer)) << name;
  }
}

TEST(TemporaryName, TellsTwoBootsFromTwoContainers) {
  const files::Writer one{1, "00000001aaaaaaaa"}, beside{1, "00000001bbbbbbbb"};
  const files::Writer later{1, "00000002aaaaaaaa"}, unknown{1, ""};
  EXPECT_TRUE(files::are_of_two_boots(one, later));
  EXPECT_FALSE(files::are_of_two_boots(one, beside));
  EXPECT_FALSE(files::are_of_two_boots(one, unknown));
  EXPECT_FALSE(files::are_of_two_boots(unknown, one));
}

TEST(TemporaryName, TellsAForkedProcessFromItsParent) {
  files::this_process();
  const pid_t child = ::fork();
  if (child == 0) ::_exit(files::this_process().pid == ::getpid() ? 0 : 1);
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace mezzo::test::temporary_name_test
