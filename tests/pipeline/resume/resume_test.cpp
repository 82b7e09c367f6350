// A job goes on where it was stopped: what is made again, and what is not.
#include "pipeline/resume/resume.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <utility>

#include "pipeline/run/job_runner.h"
#include "pipeline/run/replaced_files.h"
#include "stages/tiff/plate/contone_writer.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::resume_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAreArray;

constexpr const char* kManifest = R"(mezzotint: 1
job: three
pages:
  - a.tif
  - {input: b.tif, halftone: {method: bayer}}
  - c.tif
)";

constexpr pid_t kNobody = 999'999'999;  // no process has this number

// Machines, as in Writer. Of the latter two, one differs in its boot, one in its process numbers.
std::string here() {
  return files::this_process().machine;
}
std::string beside_us() {
  return here().substr(0, 8) + (here().ends_with("00000000") ? "00000001" : "00000000");
}
std::string of_another_boot() {
  return (here().starts_with("00000000") ? "00000001" : "00000000") + here().substr(8);
}

std::string tail(pid_t writer, const std::string& machine) {
  return files::temporary_tail({writer, machine}, 0x0a1b2c3d);
}

/// Where every file was made and changed so many hours ago.
class OldFileSystem final : public files::FileSystem {
 public:
  int status_of_name(files::At at, struct stat& found) override {
    const int result = files::FileSystem::status_of_name(at, found);
    found.st_mtime = found.st_ctime = ::time(nullptr) - hours * 3600;
    return result;
  }
  time_t hours = 0;
};

class Resume : public testing::Test {
 protected:
  Resume() {
    write_page("a.tif", 1, 10);
    write_page("b.tif", 1, 120);
    write_page("c.tif", 4, 200);
    folder_.write("job.yaml", kManifest);
  }

  void write_page(const std::string& name, uint32_t planes, int sample) {
    tiff::ContoneOptions options;
    options.width_px = 100;
    options.height_px = 80;
    options.planes = planes;
    const auto writer = tiff::ContoneWriter::create(folder_ / name, options);
    const std::vector<std::byte> row(size_t{100} * planes, static_cast<std::byte>(sample));
    for (uint32_t y = 0; y < 80; ++y) writer->write_rows(row.data(), 1);
    writer->finish();
  }

  plan::JobPlan plan() const {
    const auto job = manifests::load_manifest(folder_ / "job.yaml");
    EXPECT_TRUE(std::holds_alternative<manifests::Job>(job));
    return plan::make_plan(std::get<manifests::Job>(job));
  }

  std::string journal_file() const { return folder_ / "journal.db"; }

  struct Outcome {
    std::vector<std::string> made;     // names of inputs
    std::vector<std::string> reasons;  // why sheets were made again
    run::JobResult result;
  };

  Outcome run(bool fresh = false) {
    plan::JobPlan todo = plan();
    const auto journal = resume::Journal::open(journal_file());
    if (fresh) journal->forget();
    Outcome outcome;
    resume::remove_orphaned_files(todo);
    resume::Resumed resumed = resume::take_done_sheets(todo, *journal);
    outcome.reasons = resumed.reasons;
    run::JobObserver observer;
    const std::atomic<bool> stop = false;
    run::RunOptions options;
    options.on_sealed = resume::enter_into(*journal);
    options.on_published = [&](const plan::SheetPlan& sheet) {
      if (notes_published) resume::note_published(*journal, *todo.files, sheet);
    };
    options.done = std::move(resumed.done);
    outcome.result = run::run_job(todo, options, observer, stop);
    for (const run::SheetResult& sheet : outcome.result.sheets) {
      EXPECT_FALSE(sheet.failure) << sheet.failure->message;
      const std::string name = std::filesystem::path(sheet.input).filename();
      if (!sheet.already_done) outcome.made.push_back(name);
    }
    return outcome;
  }

  std::string read(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  /// What stands in the folder of the plates, sorted.
  std::vector<std::string> plates() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "plates")) {
      names.push_back(entry.path().filename());
    }
    std::ranges::sort(names);
    return names;
  }

  files::FileMark mark(const std::string& name) const {
    return files::mark_of(files::FileSystem::real(), folder_ / name).value();
  }

  /// Calls `change` on the file, with its modification time put back each time, until the disk's clock
  /// gives it a new time of the last change.
  void touch(const std::string& name, const std::function<void(int file)>& change) const {
    const files::FileMark before = mark(name);
    const int file = ::open((folder_ / name).c_str(), O_RDWR);
    struct stat found {};
    ASSERT_EQ(::fstat(file, &found), 0);
    const timespec times[] = {found.st_atim, found.st_mtim};
    do {
      change(file);
      ASSERT_EQ(::futimens(file, times), 0);
    } while (mark(name) == before);
    ::close(file);
    ASSERT_TRUE(mark(name).same_content(before));
  }

  test::TempFolder folder_;
  bool notes_published = true;
};

TEST_F(Resume, MakesNothingAgainThatStands) {
  EXPECT_THAT(run().made, ElementsAre("a.tif", "b.tif", "c.tif"));
  const auto again = run();
  EXPECT_THAT(again.made, IsEmpty());
  EXPECT_THAT(again.reasons, IsEmpty());
  ASSERT_EQ(again.result.sheets.size(), 3U);
  EXPECT_EQ(again.result.sheets[2].plates.size(), 4U);
  EXPECT_GT(again.result.sheets[0].plates[0].coverage_percent, 90);
  EXPECT_THAT(run(true).made, ElementsAre("a.tif", "b.tif", "c.tif"));
}

TEST_F(Resume, NamesAChangedSetting) {
  run();
  std::string text = kManifest;
  text.replace(text.find("bayer}"), 6, "bayer, order: 2}");
  folder_.write("job.yaml", text);
  const auto again = run();
  EXPECT_THAT(again.made, ElementsAre("b.tif"));
  EXPECT_THAT(again.reasons, ElementsAre(HasSubstr("b.tif: order was 3, is 2")));
}

TEST_F(Resume, MakesAgainWhatIsToBeVerifiedBetter) {
  const auto with_level = [&](const std::string& level) {
    const std::string defaults = "defaults: {output: {verify: " + level + "}}\n";
    std::string text = kManifest;
    text.insert(text.find("pages:"), level.empty() ? "" : defaults);
    folder_.write("job.yaml", text);
    return run();
  };
  EXPECT_THAT(with_level("bytes").made, ElementsAre("a.tif", "b.tif", "c.tif"));
  EXPECT_THAT(with_level("bytes").made, IsEmpty());
  const auto decoded = with_level("");
  EXPECT_THAT(decoded.made, ElementsAre("a.tif", "b.tif", "c.tif"));
  EXPECT_THAT(decoded.reasons, testing::Contains(HasSubstr("b.tif: verify was bytes, is decode")));
  EXPECT_THAT(with_level("bytes").made, IsEmpty()) << "more is proved than is asked for";
  EXPECT_THAT(with_level("recompute").made, ElementsAre("a.tif", "b.tif", "c.tif"));
  EXPECT_THAT(with_level("decode").made, IsEmpty());
  EXPECT_THAT(with_level("recompute").made, IsEmpty());
}

TEST_F(Resume, MakesAgainWhatAChangedPressChanges) {
  const std::string press = "mezzotint-press: 1\nname: XL 106\n";
  folder_.write("xl.yaml", press + "halftone: {method: bayer}\n");
  folder_.write("job.yaml",
                "mezzotint: 1\njob: three\npress: xl.yaml\npages:\n"
                "  - a.tif\n"
                "  - {input: b.tif, halftone: {method: threshold}}\n"
                "  - {input: c.tif, halftone: {order: 2}}\n");
  EXPECT_THAT(run().made, ElementsAre("a.tif", "b.tif", "c.tif"));
  folder_.write("xl.yaml", press + "halftone: {method: bayer, order: 3}  # the usual order\n");
  EXPECT_THAT(run().made, IsEmpty());
  folder_.write("xl.yaml", press + "halftone: {method: bayer, order: 4}\n");
  const auto again = run();
  EXPECT_THAT(again.made, ElementsAre("a.tif"));
  EXPECT_THAT(again.reasons, ElementsAre(HasSubstr("a.tif: order was 3, is 4")));
  folder_.write("xl.yaml", press + "halftone: {method: bayer, order: 4}\ntone: {gamma: 2}\n");
  EXPECT_THAT(run().made, ElementsAre("a.tif", "b.tif", "c.tif"));
}

TEST_F(Resume, NamesAnInkWhenItsSettingsChangedAlone) {
  run();
  std::string text = kManifest;
  text.insert(text.find("pages:"), "defaults: {inks: {magenta: {tone: {gamma: 2}}}}\n");
  folder_.write("job.yaml", text);
  const auto again = run();
  EXPECT_THAT(again.made, ElementsAre("c.tif"));
  EXPECT_THAT(again.reasons,
              ElementsAre(HasSubstr("c.tif: ink magenta: tone was identity, is gamma 2")));
}

TEST_F(Resume, TellsAChangedInputFromATouchedOne) {
  run();
  write_page("a.tif", 1, 10);  // the same bytes in another file
  EXPECT_THAT(run().made, IsEmpty());
  write_page("a.tif", 1, 11);
  const auto again = run();
  EXPECT_THAT(again.made, ElementsAre("a.tif"));
  EXPECT_THAT(again.reasons, ElementsAre(HasSubstr("a.tif: the input has changed")));
}

TEST_F(Resume, DoesNotJoinPlatesOfTwoStatesOfAnInput) {
  const std::string before = kManifest;
  run();
  write_page("c.tif", 4, 90);
  std::string trial = before;
  trial.insert(trial.find("pages:"),
               "defaults: {inks: {black: {output: {path: \"trial/{stem}.tif\"}}}}\n");
  folder_.write("job.yaml", trial);
  EXPECT_THAT(run().made, testing::Contains("c.tif"));
  folder_.write("job.yaml", before);
  const auto again = run();
  EXPECT_THAT(again.made, testing::Contains("c.tif"));
  EXPECT_THAT(again.reasons, testing::Contains(HasSubstr("are of two states of the input")));
  EXPECT_THAT(run().made, IsEmpty());
}

TEST_F(Resume, MakesPlatesAgainThatAreGoneOrOther) {
  run();
  std::filesystem::remove(folder_ / "plates/c_magenta.tif");
  std::ofstream(folder_ / "plates/a_black.tif", std::ios::app) << "x";
  const auto again = run();
  EXPECT_THAT(again.made, ElementsAre("a.tif", "c.tif"));
  EXPECT_THAT(again.reasons,
              ElementsAre(HasSubstr("a_black.tif is not the file that was written"),
                          HasSubstr("magenta.tif is gone")));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "plates/c_magenta.tif"));
}

TEST_F(Resume, MakesPlatesAgainThatWereCutShort) {
  for (const uintmax_t bytes : {0, 8, 100}) {
    run(true);
    std::filesystem::resize_file(folder_ / "plates/a_black.tif", bytes);
    EXPECT_THAT(run().made, ElementsAre("a.tif")) << bytes;
  }
  // A page that is being copied there is another file.
  folder_.write("copy.part", read("a.tif").substr(0, 100));
  std::filesystem::rename(folder_ / "copy.part", folder_ / "plates/a_black.tif");
  plan::JobPlan todo = plan();
  const auto journal = resume::Journal::open(journal_file());
  resume::take_done_sheets(todo, *journal);
  run::refuse_foreign_files(todo, {});
  EXPECT_TRUE(todo.sheets[0].failure);
}

TEST_F(Resume, MakesPlatesAgainThatChangedBehindTheirTime) {
  for (const bool notes : {true, false}) {
    notes_published = notes;  // a kill may come before that
    run(true);
    const std::string plate = read("plates/a_black.tif");
    touch("plates/a_black.tif", [](int file) { ASSERT_EQ(::pwrite(file, "bad", 3, 20), 3); });
    ASSERT_NE(read("plates/a_black.tif"), plate);
    const auto again = run();
    EXPECT_THAT(again.made, ElementsAre("a.tif"));
    EXPECT_THAT(again.reasons,
                ElementsAre(HasSubstr("a_black.tif is not the file that was written")));
    EXPECT_EQ(read("plates/a_black.tif"), plate);
    EXPECT_THAT(run().made, IsEmpty());
  }
}

TEST_F(Resume, MakesNothingAgainForNewRightsAndNames) {
  run();
  touch("plates/a_black.tif", [](int file) { ASSERT_EQ(::fchmod(file, 0600), 0); });
  std::filesystem::create_hard_link(folder_ / "plates/b_black.tif", folder_ / "backup.tif");
  EXPECT_THAT(run().made, IsEmpty());
}

TEST_F(Resume, ReadsNoPlateWhoseTimeIsNoted) {
  run();
  std::string digest;
  {
    const auto journal = resume::Journal::open(journal_file());
    auto entry = journal->find(folder_ / "plates/a_black.tif");
    ASSERT_TRUE(entry);
    EXPECT_EQ(entry->file, mark("plates/a_black.tif"));
    digest = std::exchange(entry->file_digest, "xxh3:of another file");
    journal->enter({&*entry, 1});
  }
  EXPECT_THAT(run().made, IsEmpty());
  touch("plates/a_black.tif", [](int file) { ASSERT_EQ(::fchmod(file, 0600), 0); });
  EXPECT_THAT(run().made, ElementsAre("a.tif"));
  EXPECT_THAT(digest, testing::StartsWith("xxh3:"));
}

/// As an older program entered it.
TEST_F(Resume, TakesAPlateWithoutADigestByItsMark) {
  notes_published = false;
  run();
  {
    const auto journal = resume::Journal::open(journal_file());
    auto entry = journal->find(folder_ / "plates/a_black.tif");
    ASSERT_TRUE(entry);
    entry->file_digest.clear();
    journal->enter({&*entry, 1});
  }
  EXPECT_THAT(run().made, IsEmpty());
}

TEST_F(Resume, AnEntryWithoutItsFileClaimsNothing) {
  // As after a kill between the entry and the rename.
  run();
  const plan::JobPlan all = plan();
  {
    const auto journal = resume::Journal::open(journal_file());
    auto entry = journal->find(all.sheets[0].plates[0].path);
    ASSERT_TRUE(entry);
    entry->file.inode += 1;
    journal->enter({&*entry, 1});
  }
  EXPECT_THAT(run().made, ElementsAre("a.tif"));
}

TEST_F(Resume, AnUnfinishedSheetMayReplaceItsOwnPlateWhereOthersMayNot) {
  std::string text = kManifest;
  text.insert(text.find("pages:"), "defaults: {output: {existing: refuse}}\n");
  folder_.write("job.yaml", text);
  run();
  std::filesystem::remove(folder_ / "plates/c_magenta.tif");
  EXPECT_THAT(run().made, ElementsAre("c.tif"));
}

TEST_F(Resume, ARunThatStoppedBeforeTheRenameMayReplaceItsOwnPlateWhereOthersMayNot) {
  std::string text = kManifest;
  text.insert(text.find("pages:"), "defaults: {output: {existing: refuse}}\n");
  folder_.write("job.yaml", text);
  run();
  for (int stops = 1; stops <= 2; ++stops) {
    // The settings changed, the plate was entered again, and then the power failed.
    plan::JobPlan todo = plan();
    const auto journal = resume::Journal::open(journal_file());
    resume::take_done_sheets(todo, *journal);
    auto entry = journal->find(todo.sheets[0].plates[0].path);
    ASSERT_TRUE(entry && todo.sheets[0].plates[0].own);
    entry->replaced = todo.sheets[0].plates[0].own;
    entry->file.inode += 1;
    entry->settings += "x";
    journal->enter({&*entry, 1});
  }
  EXPECT_THAT(run().made, ElementsAre("a.tif"));
  EXPECT_THAT(run().made, IsEmpty());
}

TEST_F(Resume, RemovesWhatAKilledRunLeft) {
  run();
  const std::vector<std::string> before = plates();
  const std::string other = ".other.tif" + tail(kNobody, here());
  folder_.write("plates/.a_black.tif" + tail(kNobody, here()));
  folder_.write("plates/" + other);           // not of this job
  folder_.write("plates/.a_black.tif.part");  // not of our making
  run();
  std::vector<std::string> expected = before;
  expected.insert(expected.end(), {".a_black.tif.part", other});
  std::ranges::sort(expected);
  EXPECT_EQ(plates(), expected);
}

TEST_F(Resume, WhatIsForgottenIsMadeAgainAndStillItsOwn) {
  std::string text = kManifest;
  text.insert(text.find("pages:"), "defaults: {output: {existing: refuse}}\n");
  folder_.write("job.yaml", text);
  run();
  resume::Journal::open(journal_file())
      ->forget();  // and the run that was to make all is killed at once
  const auto again = run();
  EXPECT_THAT(again.made, ElementsAre("a.tif", "b.tif", "c.tif"));
  EXPECT_THAT(again.reasons, IsEmpty());
  EXPECT_THAT(run().made, IsEmpty());
}

TEST_F(Resume, DoesNotReadATouchedInputTwice) {
  run();
  write_page("a.tif", 1, 10);
  run();
  const auto journal = resume::Journal::open(journal_file());
  const auto entry = journal->find(folder_ / "plates/a_black.tif");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->input_file, files::mark_of(files::FileSystem::real(), folder_ / "a.tif"));
}

TEST_F(Resume, LeavesAloneWhatIsNoJournal) {
  const std::string before = read("a.tif");
  try {
    resume::Journal::open(folder_ / "a.tif");
    FAIL() << "a page was taken for a journal";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
  }
  EXPECT_EQ(read("a.tif"), before);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a.tif.lock"));
}

TEST_F(Resume, LeavesAloneWhatAnotherProcessIsWriting) {
  run();
  const pid_t writer = ::fork();
  if (writer == 0) {
    ::pause();
    ::_exit(0);
  }
  const std::string name = "plates/.a_black.tif" + tail(writer, here());
  folder_.write(name);
  run();
  EXPECT_TRUE(std::filesystem::exists(folder_ / name));
  ::kill(writer, SIGKILL);
  siginfo_t ended;
  // It has ended, and keeps its number: nobody has asked for its status.
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(writer), &ended, WEXITED | WNOWAIT), 0);
  run();
  EXPECT_FALSE(std::filesystem::exists(folder_ / name));
  ::waitpid(writer, nullptr, 0);
  folder_.write(name);
  run();
  EXPECT_FALSE(std::filesystem::exists(folder_ / name));
}

TEST_F(Resume, LeavesAloneWhatAnotherUsersProcessIsWriting) {
  const std::string name = "plates/.a_black.tif" + tail(1, here());  // root's process
  folder_.write(name);
  const plan::JobPlan todo = plan();
  std::filesystem::permissions(folder_.path(), std::filesystem::perms::all);
  std::filesystem::permissions(folder_ / "plates", std::filesystem::perms::all);
  const pid_t child = ::fork();
  if (child == 0) {
    // As one who may not send it a signal, and yet could remove the file.
    if (::geteuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) ::_exit(1);
    resume::remove_orphaned_files(todo);
    ::_exit(0);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / name));
}

TEST_F(Resume, RemovesWhatAPowerCutLeft) {
  // The folder for temporary files is on a disk that no other computer writes to.
  folder_.write("plates/.a_black.tif" + tail(1, of_another_boot()));
  resume::remove_orphaned_files(plan());
  EXPECT_THAT(plates(), IsEmpty());
}

TEST_F(Resume, RemovesWhatAnotherMachineMadeWhenItIsADayOld) {
  const std::vector<std::string> names = {
      ".a_black.tif" + tail(kNobody, beside_us()),  // a container
      ".a_black.tif.999999999-0a1b2c3d.part",       // nobody knows
  };
  for (const std::string& name : names) folder_.write("plates/" + name);
  // Long after the content: as when the older plate has been swapped for the new one.
  for (const std::string& name : names) {
    const std::string path = folder_ / ("plates/" + name);
    std::filesystem::last_write_time(
        path, std::filesystem::file_time_type::clock::now() - std::chrono::hours(100));
  }
  plan::JobPlan todo = plan();
  resume::remove_orphaned_files(todo);
  EXPECT_THAT(plates(), UnorderedElementsAreArray(names));
  OldFileSystem files;
  todo.files = &files;
  files.hours = 23;
  resume::remove_orphaned_files(todo);
  EXPECT_THAT(plates(), UnorderedElementsAreArray(names));
  files.hours = 25;
  resume::remove_orphaned_files(todo);
  EXPECT_THAT(plates(), IsEmpty());
}

TEST_F(Resume, KeepsASecondRunOut) {
  const auto first = resume::Journal::open(journal_file());
  try {
    resume::Journal::open(journal_file());
    FAIL() << "a second run had the journal at the same time";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBusy);
    EXPECT_THAT(error.what(), HasSubstr("process " + std::to_string(::getpid())));
  }
}

TEST_F(Resume, SetsADamagedJournalAside) {
  run();
  std::ofstream(journal_file(), std::ios::binary) << std::string(5000, 'x');
  const auto journal = resume::Journal::open(journal_file());
  EXPECT_THAT(journal->damage(), HasSubstr("damaged"));
  EXPECT_TRUE(std::filesystem::exists(journal_file() + ".damaged"));
  EXPECT_FALSE(journal->find(folder_ / "plates/a_black.tif"));
}

TEST_F(Resume, SetsAJournalWithOtherColumnsAside) {
  run();
  std::string bytes = read("journal.db");
  const size_t column = bytes.find("input_digest");
  ASSERT_NE(column, std::string::npos);
  bytes[column] ^= 1;  // a sound database, whose table has a column "hnput_digest"
  std::ofstream(journal_file(), std::ios::binary) << bytes;
  EXPECT_THAT(resume::Journal::open(journal_file())->damage(), HasSubstr("damaged"));
  EXPECT_TRUE(std::filesystem::exists(journal_file() + ".damaged"));
  EXPECT_EQ(run().made.size(), 3U);
  EXPECT_THAT(run().made, IsEmpty());
}

// Whatever of a journal is cut off or overwritten: no crash, and nothing is taken for done that
// does not stand. What is lost is made again.
TEST_F(Resume, SurvivesAnyDamageToTheJournal) {
  run();
  const auto size = std::filesystem::file_size(journal_file());
  const std::string kept = folder_ / "kept";
  std::filesystem::copy_file(journal_file(), kept);
  const plan::JobPlan all = plan();
  for (uintmax_t at = 0; at < size; at += size / 97 + 1) {
    for (const bool cut : {false, true}) {
      for (const char* suffix : {"", "-wal", "-shm", ".damaged"}) {
        std::filesystem::remove(journal_file() + suffix);
      }
      std::filesystem::copy_file(kept, journal_file());
      if (cut) {
        std::filesystem::resize_file(journal_file(), at);
      } else {
        std::fstream file(journal_file(), std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(static_cast<std::streamoff>(at));
        file << "\xA5\x5A\xFF";
      }
      plan::JobPlan todo = all;
      try {
        const auto journal = resume::Journal::open(journal_file());
        resume::take_done_sheets(todo, *journal);
      } catch (const Error& error) {
        EXPECT_THAT(error.kind(), testing::AnyOf(ErrorKind::kIo, ErrorKind::kUnsupported));
      }
    }
  }
}

}  // namespace
}  // namespace mezzo::test::resume_test
