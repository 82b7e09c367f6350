// Commands run to their end, in time or not.
#include "pipeline/process/command.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "kernels/base/error.h"
#include "tests/pipeline/cluster/engine/fake_slurm.h"

namespace mezzo::test::command_test {
namespace {

using namespace std::chrono_literals;
using test::TempFolder;
using test::Variable;

constexpr auto kPatience = 10min;  // ends a command that hangs; no load of the machine reaches it

process::CommandResult shell(const std::string& script,
                             std::chrono::milliseconds most = kPatience) {
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
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  process::CommandResult result;
  // Again with more time where the shell had none for its first word.
  for (auto most = 300ms; result.output.empty(); most *= 2) {
    result = shell("(trap '' TERM; exec sleep 100000) >" + pipe + " & echo early; wait", most);
    EXPECT_FALSE(result.in_time);
    EXPECT_EQ(result.status, 128 + SIGKILL);
  }
  EXPECT_EQ(result.output, "early\n");
  ASSERT_EQ(::fcntl(reader, F_SETFL, 0), 0);
  char byte = 0;
  EXPECT_EQ(::read(reader, &byte, 1), 0) << "the end: its child does not hold the pipe any more";
  ::close(reader);
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
    EXPECT_EQ(process::run_command({"here", "a b"}, kPatience).output, "second a b\n");
  }
  const process::CommandResult nowhere = process::run_command({"here", "a b"}, kPatience);
  EXPECT_EQ(nowhere.status, 127);
  EXPECT_EQ(nowhere.messages, "here: command not found");
}

TEST(Command, ChangesItsEnvironment) {
  const Variable kept("MZ_KEPT", "kept");
  const Variable lost("MZ_LOST", "lost");
  const Variable other("MZ_OTHER", "before");
  EXPECT_EQ(process::run_command({"sh", "-c", "echo $MZ_KEPT-$MZ_LOST-$MZ_OTHER-$MZ_NEW"},
                                 kPatience,
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
