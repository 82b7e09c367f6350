// The command line: what words set, what is refused and in which words, what help shows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "kernels/base/error.h"
#include "manifests/scalars.h"
#include "tests/support/temp_folder.h"
#include "tools/cli/completion.h"
#include "tools/cli/program.h"

namespace mezzo::test::options_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A program with one command of each kind.
class Options : public ::testing::Test {
 protected:
  Options() {
    program_.flag("-q,--quiet", quiet_, "Errors only");
    cli::Command& run = program_.command("run", "Run jobs");
    run.argument("JOB", jobs_, "Manifests").required();
    run.option("--threads", threads_, "Threads to use").range(1, 1024);
    run.option("--slab_rows", rows_, "Rows of a slab").shows_default();
    run.option("--gamma", gamma_, "Power").range(0.1, 10);
    run.option("--engine", engine_, "Where to run").one_of({"cpu", "gpu"}).shows_default();
    run.option("--memory", cli::parsed(memory_, manifests::parse_byte_size), "Budget")
        .takes("SIZE");
    run.option("--sizes", sizes_, "Sides").by_comma().range(1, 100).group("Testing");
    run.option("--pass", passed_, "A word for sbatch").one_at_a_time();
    run.option("--secret", rows_, "Not shown").hidden();
    run.option("--proof", proof_, "May stand alone").one_of({"low", "high"}).alone("high").hidden();
    cli::Option& fresh = run.flag("--fresh", fresh_, "Forget earlier runs");
    run.flag("--resume", resume_, "Go on").excludes(fresh);
    run.runs([] { return 7; });
    run.example("tool run job.yaml", "Run one job");
    run.section([this] {
      return cli::HelpSection{.title = "Of " + engine_, .rows = {{"left", "right"}}};
    });

    cli::Command& jobs = program_.command("jobs", "Show jobs");
    jobs.option("--all", rows_, "Of all").without_command();
    jobs.runs([] { return 8; });
    jobs.command("list", "List them").runs([] { return 9; });
    jobs.command("pause", "Begin none");
    program_.topic("units", "Of lengths", [] { return std::string("a millimetre\n"); });
  }

  /// The exit status of the command that the words ask for.
  int status(std::vector<const char*> words) {
    words.insert(words.begin(), "tool");
    return program_.parse(words)();
  }

  /// What is wrong with the words.
  std::string refusal(std::vector<const char*> words) {
    try {
      status(std::move(words));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return error.what();
    }
    return "nothing";
  }

  /// What the words print.
  std::string printed(std::vector<const char*> words) {
    ::testing::internal::CaptureStdout();
    EXPECT_EQ(status(std::move(words)), 0);
    std::fflush(stdout);
    return ::testing::internal::GetCapturedStdout();
  }

  bool quiet_ = false, fresh_ = false, resume_ = false;
  std::vector<std::string> jobs_, passed_;
  std::optional<uint32_t> threads_;
  uint32_t rows_ = 64;
  double gamma_ = 1;
  std::string engine_ = "cpu", proof_;
  uint64_t memory_ = 0;
  std::vector<uint32_t> sizes_;
  cli::Program program_{"tool", "Does things.", "1.2.3"};
};

TEST_F(Options, SetVariables) {
  EXPECT_EQ(status({"run",
                    "a",
                    "--threads",
                    "8",
                    "b",
                    "--gamma=0.5",
                    "-q",
                    "--memory",
                    "2 KiB",
                    "--engine",
                    "gpu",
                    "--sizes",
                    "1,2,30"}),
            7);
  EXPECT_THAT(jobs_, ElementsAre("a", "b"));
  EXPECT_EQ(threads_, 8U);
  EXPECT_EQ(gamma_, 0.5);
  EXPECT_TRUE(quiet_);
  EXPECT_EQ(memory_, 2048U);
  EXPECT_EQ(engine_, "gpu");
  EXPECT_THAT(sizes_, ElementsAre(1U, 2U, 30U));
}

TEST_F(Options, HaveHyphensOrUnderscores) {
  status({"run", "a", "--slab-rows", "8"});
  EXPECT_EQ(rows_, 8U);
  status({"run", "a", "--slab_rows", "9"});
  EXPECT_EQ(rows_, 9U);
  EXPECT_THAT(refusal({"run", "a", "--slab_rows", "x"}), HasSubstr("--slab-rows must be"));
}

TEST_F(Options, TakeOneWordAtATimeWhenTheyAreToldTo) {
  status({"run", "--pass", "--x", "--pass=--y", "a", "b"});
  EXPECT_THAT(passed_, ElementsAre("--x", "--y"));
  EXPECT_THAT(jobs_, ElementsAre("a", "b"));
}

/// The next word is another's, whatever CLI11 makes of such an option.
TEST_F(Options, HaveAnEmptyValueBehindAnEqualsSign) {
  EXPECT_EQ(refusal({"run", "--threads=", "8"}),
            "--threads must be a whole number from 1 to 1024, found ''");
  EXPECT_EQ(refusal({"run", "--proof=", "low", "a"}), "--proof must be low or high, found ''");
  EXPECT_EQ(refusal({"run", "a", "--proof="}), "--proof must be low or high, found ''");
  status({"run", "--pass=", "a"});
  EXPECT_THAT(passed_, ElementsAre(""));
  EXPECT_THAT(jobs_, ElementsAre("a"));
  status({"run", "--", "--threads="});
  EXPECT_THAT(jobs_, ElementsAre("--threads="));
}

TEST_F(Options, MayStandAlone) {
  const TempFolder folder;
  const std::string file = folder / "job";
  std::ofstream(file) << "a job";
  for (const auto& [words, value] : std::vector<std::pair<std::vector<const char*>, const char*>>{
           {{"run", "--proof", "low", "a"}, "low"},
           {{"run", "a", "--proof=low"}, "low"},
           {{"run", "a", "--proof"}, "high"},
           {{"run", "--proof", "--fresh", "a"}, "high"},
           {{"run", "--proof", "a"}, "high"},
           {{"run", "--proof", "a.yaml", "b.yaml"}, "high"},
           {{"run", "--proof", "a", "--fresh", "b"}, "high"},
           {{"run", "--proof", file.c_str(), "b"}, "high"}}) {
    proof_.clear();
    EXPECT_EQ(status(words), 7);
    EXPECT_EQ(proof_, value) << words[1] << ' ' << words[2];
  }
  EXPECT_EQ(refusal({"run", "--proof", "most", "b.yaml"}),
            "--proof must be low or high, found 'most'");
  EXPECT_EQ(refusal({"run", "--proof", "hig", file.c_str()}),
            "before the file '" + file +
                "', --proof must be low or high, found 'hig'; did you mean 'high'?");
  EXPECT_THAT(refusal({"--proof", "run", "a"}), HasSubstr("unknown option --proof"));
}

TEST_F(Options, RefuseWrongValues) {
  const std::string whole = "--threads must be a whole number from 1 to 1024, found ";
  EXPECT_EQ(refusal({"run", "a", "--threads", "0"}), whole + "'0'");
  EXPECT_EQ(refusal({"run", "a", "--threads", "1.5"}), whole + "'1.5'");
  EXPECT_EQ(refusal({"run", "a", "--threads", "010"}), whole + "'010'");
  EXPECT_EQ(refusal({"run", "a", "--threads", "--quiet"}), whole + "'--quiet'");
  EXPECT_EQ(refusal({"run", "a", "--gamma", "nan"}),
            "--gamma must be a number from 0.1 to 10, found 'nan'");
  EXPECT_EQ(refusal({"run", "a", "--sizes", "1,200"}),
            "--sizes must be a whole number from 1 to 100, found '200'");
  EXPECT_EQ(refusal({"run", "a", "--engine", "gpuu"}),
            "--engine must be cpu or gpu, found 'gpuu'; did you mean 'gpu'?");
  EXPECT_THAT(refusal({"run", "a", "--memory", "lots"}),
              HasSubstr("--memory must be a size such as 512 MiB or 1 GiB, found 'lots'"));
  EXPECT_THAT(refusal({"run", "a", "--slab-rows", "4294967296"}),
              HasSubstr("--slab-rows must be a smaller whole number"));
  EXPECT_EQ(refusal({"run", "a", "--threads", "1", "--threads", "2"}),
            "--threads was given more than once");
}

TEST_F(Options, SayWhatIsMissing) {
  EXPECT_EQ(refusal({}), "no command was given; see tool --help");
  EXPECT_EQ(refusal({"run"}), "JOB is missing; see tool run --help");
  EXPECT_EQ(refusal({"run", "a", "--threads"}), "--threads has no value; see tool run --help");
}

TEST_F(Options, AnswerAMisspeltNameWithTheClosestOne) {
  EXPECT_EQ(refusal({"run", "--thread", "3", "a"}),
            "unknown option --thread; did you mean --threads?");
  EXPECT_EQ(refusal({"run", "--thread=3"}), "unknown option --thread; did you mean --threads?");
  EXPECT_EQ(refusal({"run", "a", "--quit"}), "unknown option --quit; did you mean --quiet?");
  EXPECT_EQ(refusal({"run", "--frobnicate"}), "unknown option --frobnicate; see tool run --help");
  EXPECT_EQ(refusal({"-V"}), "unknown option -V; see tool --help");
  EXPECT_EQ(refusal({"rnu", "a"}), "there is no command 'rnu'; did you mean 'run'?");
  EXPECT_EQ(refusal({"jobs", "lst"}), "there is no command 'lst'; did you mean 'list'?");
  EXPECT_EQ(refusal({"jobs", "list", "more"}),
            "unexpected argument 'more'; see tool jobs list --help");
}

TEST_F(Options, RefuseCombinations) {
  EXPECT_EQ(refusal({"run", "a", "--fresh", "--resume"}),
            "--resume and --fresh exclude each other; give one of them");
  EXPECT_EQ(refusal({"jobs", "--all", "1", "list"}),
            "--all cannot be used with 'tool jobs list'; see tool jobs list --help");
}

TEST_F(Options, SetFlagsAlsoBeforeAMistake) {
  refusal({"-q", "run", "--frobnicate"});
  EXPECT_TRUE(quiet_);
}

TEST_F(Options, ChooseTheInnermostCommandThatDoesSomething) {
  EXPECT_EQ(status({"jobs"}), 8);
  EXPECT_EQ(status({"jobs", "list"}), 9);
  EXPECT_EQ(status({"jobs", "pause"}), 8);
}

TEST_F(Options, HaveHelp) {
  EXPECT_EQ(printed({"run", "--engine", "gpu", "--help"}), R"(Run jobs
Usage: tool run [OPTIONS] JOB...

Arguments:
  JOB  Manifests

Options:
  --threads N    Threads to use
  --slab-rows N  Rows of a slab; default: 64
  --gamma N      Power
  --engine NAME  Where to run: cpu or gpu; default: cpu
  --memory SIZE  Budget
  --pass TEXT    A word for sbatch
  --fresh        Forget earlier runs
  --resume       Go on

Testing:
  --sizes N  Sides

Of gpu:
  left  right

Options of every command:
  -h, --help   Show this help
  -q, --quiet  Errors only

Examples:
  tool run job.yaml
      Run one job
)");
}

TEST_F(Options, HaveHelpOnTheProgramAndItsTopics) {
  const std::string text = printed({"--help"});
  EXPECT_EQ(printed({"help"}), text);
  EXPECT_THAT(text, HasSubstr("Usage: tool [OPTIONS] COMMAND\n"));
  EXPECT_THAT(text, HasSubstr("  run   Run jobs\n"));
  EXPECT_THAT(text, HasSubstr("  units  Of lengths\n"));
  EXPECT_THAT(text, HasSubstr("  --version    Show the version\n"));
  EXPECT_EQ(printed({"help", "jobs", "list"}), printed({"jobs", "list", "-h"}));
  EXPECT_EQ(printed({"help", "units"}), "a millimetre\n");
  EXPECT_EQ(printed({"--version"}), "tool 1.2.3\n");
  EXPECT_EQ(refusal({"help", "unit"}), "there is no help on 'unit'; did you mean 'units'?");
  EXPECT_EQ(refusal({"help", "xyzzy"}), "there is no help on 'xyzzy'; see tool --help");
}

/// A program whose commands note that they are made.
class MadeCommands : public ::testing::Test {
 protected:
  MadeCommands() {
    for (const char* name : {"run", "jobs"}) {
      program_.command(name, "Does it", [this, name](cli::Command& command) {
        made_.emplace_back(name);
        command.flag("--all", all_, "All of them");
        command.argument("NAME", name_, "Of a job");
        command.command("list", "List them").runs([] { return 9; });
        command.runs([] { return 8; });
      });
    }
  }

  int status(std::vector<const char*> words) {
    words.insert(words.begin(), "tool");
    return program_.parse(words)();
  }

  bool all_ = false;
  std::string name_;
  std::vector<std::string> made_;
  cli::Program program_{"tool", "Does things.", "1.2.3"};
};

TEST_F(MadeCommands, AreThoseThatTheWordsName) {
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(status({"--version"}), 0);
  EXPECT_EQ(status({"--help"}), 0);
  EXPECT_THAT(::testing::internal::GetCapturedStdout(), HasSubstr("jobs  Does it"));
  EXPECT_THAT(made_, ElementsAre());
  EXPECT_EQ(status({"jobs", "--all", "a"}), 8);
  EXPECT_TRUE(all_);
  EXPECT_EQ(status({"jobs", "list"}), 9);
  EXPECT_THAT(made_, ElementsAre("jobs")) << "once";
}

TEST_F(MadeCommands, AreThoseThatHelpShows) {
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(status({"help", "run"}), 0);
  EXPECT_THAT(::testing::internal::GetCapturedStdout(), HasSubstr("--all"));
  EXPECT_THAT(made_, ElementsAre("run"));
}

TEST_F(MadeCommands, AreThoseThatAreCompleted) {
  EXPECT_THAT(cli::Completion(program_).lines({"jobs", "--a"}), ElementsAre("--all\tAll of them"));
  EXPECT_THAT(made_, ElementsAre("jobs"));
}

TEST(HelpText, IsWrapped) {
  EXPECT_EQ(cli::wrapped("one two three", 2, 9), "one two\n  three");
  EXPECT_EQ(cli::wrapped("one\ntwo", 2, 80), "one\n  two");
  EXPECT_EQ(cli::wrapped("incomprehensibilities it", 0, 5), "incomprehensibilities\nit");
}

/// A program without commands.
TEST(Program, MayBeOneCommand) {
  cli::Program program("trainer", "Trains.", "1");
  std::vector<std::string> tables;
  program.argument("TABLE", tables, "Tables").one_of({"mask", "raster"});
  program.runs([] { return 3; });
  const char* const words[] = {"trainer", "mask", "raster"};
  EXPECT_EQ(program.parse(words)(), 3);
  EXPECT_THAT(tables, ElementsAre("mask", "raster"));
}

}  // namespace
}  // namespace mezzo::test::options_test
