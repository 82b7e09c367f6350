// Commands run to their end, in time or not.
#include "pipeline/process/command.h"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>

#include "kernels/base/error.h"
#include "tests/pipeline/cluster/engine/fake_slurm.h"

namespace mezzo::test::command_test {
namespace {

using namespace std::chrono_literals;
using test::TempFolder;
using test::Variable;

process::CommandResult shell(const std::string& script, std::chrono::milliseconds most = 20s) {
  return process::run_command({"sh", "-c", script}, most);
}

TEST(Command, TellsStatusOutputAndMessages) {
  const process::CommandResult result = shell("echo one; echo two; echo oh >&2; exit 3");
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(result.in_time);
  EXPECT_EQ(result.output, "one\ntwo\n");
  EXPECT_EQ(result.messages, "oh\n");
}

TEST(Command, TellsTheSignalThatEndedIt) {
  EXPECT_EQ(shell("kill -SEGV $$").status, 128 + SIGSEGV);
}

TEST(Command, IsNotRunWhereItsStatusWouldBeLost) {
  std::signal(SIGCHLD, SIG_IGN);
  EXPECT_THROW(shell("exit 3"), Error);
  std::signal(SIGCHLD, SIG_DFL);
  EXPECT_EQ(shell("exit 3").status, 3);
}

TEST(Command, ReadsBothPipesHoweverMuchComes) {
  const process::CommandResult result = shell(
      "i=0; while [ $i -lt 3000 ]; do printf '%0999d\\n' $i; printf '%0999d\\n' $i >&2; "
      "i=$((i+1)); done");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output.size(), 3'000'000u);
  EXPECT_EQ(result.messages.size(), 20'000u) << "the last 20 lines";
}

TEST(Command, KillsAllThatItStartedWhenItsTimeIsUp) {
  const TempFolder folder;
  const auto begun = std::chrono::steady_clock::now();
  const process::CommandResult result = shell(
      "echo early; (trap '' TERM; sleep 2; touch " + folder.path() + "/late) & sleep 60", 300ms);
  EXPECT_FALSE(result.in_time);
  EXPECT_EQ(result.status, 128 + SIGKILL);
  EXPECT_EQ(result.output, "early\n");
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 10s);
  ::sleep(3);
  EXPECT_TRUE(folder.names().empty()) << "its child lived on";
}

TEST(Command, HasNothingToRead) {
  EXPECT_EQ(shell("cat; echo end").output, "end\n");
}

TEST(Command, IsLookedForOnPath) {
  const TempFolder folder;
  folder.write("first/here", "not to be run");  // without the right to run it
  folder.write("second/here", "#!/bin/sh\necho second \"$1\"\n");
  std::filesystem::permissions(folder / "second/here", std::filesystem::perms::owner_all);
  {
    const Variable path("PATH", folder / "first" + ":" + folder / "second" + ":/bin");
    EXPECT_EQ(process::run_command({"here", "a b"}, 20s).output, "second a b\n");
  }
  const process::CommandResult nowhere = process::run_command({"here", "a b"}, 20s);
  EXPECT_EQ(nowhere.status, 127);
  EXPECT_EQ(nowhere.messages, "here: command not found");
}

TEST(Command, ChangesItsEnvironment) {
  const Variable kept("MZ_KEPT", "kept");
  const Variable lost("MZ_LOST", "lost");
  const Variable other("MZ_OTHER", "before");
  EXPECT_EQ(process::run_command({"sh", "-c", "echo $MZ_KEPT-$MZ_LOST-$MZ_OTHER-$MZ_NEW"},
                                 20s,
                                 {"MZ_LOST", "MZ_OTHER=after", "MZ_NEW=n=w"})
                .output,
            "kept--after-n=w\n");
}

TEST(ShellQuoted, IsReadBackByAShell) {
  const std::string word = "a  b'c\"$HOME`id`\\ %a\n*;&|#~é";
  EXPECT_EQ(shell("printf %s " + process::shell_quoted(word)).output, word + "\n");
  EXPECT_EQ(shell("printf '<%s>' " + process::shell_quoted("")).output, "<>\n");
}

}  // namespace
}  // namespace mezzo::test::command_test
