// Renaming without replacing, where the file system lacks the flag, and links.
#include "stages/files/rename.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "stages/files/publish.h"
#include "tests/support/content_of.h"
#include "tests/support/poor_disk.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::rename_test {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

/// Ends its process at the k-th call that changes something.
class DyingDisk final : public PoorDisk {
 public:
  explicit DyingDisk(int strike) : strike_(strike) {}

  int open(files::At at, int flags, unsigned mode) override {
    if ((flags & O_CREAT) != 0) count();
    return PoorDisk::open(at, flags, mode);
  }
  ssize_t pwrite(int fd, const void* data, size_t bytes, uint64_t offset) override {
    count();
    return PoorDisk::pwrite(fd, data, bytes, offset);
  }
  int rename(files::At from, files::At to, unsigned flags) override {
    count();
    return PoorDisk::rename(from, to, flags);
  }

 private:
  void count() {
    if (++calls_ == strike_) ::_exit(7);
  }

  int strike_;
  int calls_ = 0;
};

/// The exit status of a process that does this.
int status_of(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(0);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WEXITSTATUS(status);
}

TEST(RenameNew, TakesAFreeNameAndNoOther) {
  files::FileSystem rich;
  PoorDisk poor;
  for (files::FileSystem* disk : {&rich, static_cast<files::FileSystem*>(&poor)}) {
    const TempFolder folder;
    folder.write("a", "content a");
    EXPECT_EQ(files::rename_new(*disk, folder / "a", folder / "b"), 0);
    EXPECT_THAT(folder.names(), ElementsAre("b"));
    EXPECT_EQ(content_of(folder / "b"), "content a");
    folder.write("c", "content c");
    EXPECT_EQ(files::rename_new(*disk, folder / "c", folder / "b"), -1);
    EXPECT_EQ(errno, EEXIST);
    EXPECT_EQ(content_of(folder / "b"), "content a");
    EXPECT_EQ(content_of(folder / "c"), "content c");
    EXPECT_EQ(files::rename_new(*disk, folder / "none", folder / "d"), -1);
    EXPECT_EQ(errno, ENOENT);
    EXPECT_THAT(folder.names(), UnorderedElementsAre("b", "c"));
  }
}

TEST(RenameNew, GoesOnWhereverItsProcessEnded) {
  for (int strike = 1;; ++strike) {
    SCOPED_TRACE("stopped at call " + std::to_string(strike));
    const TempFolder folder;
    folder.write("a", "content a");
    const int status = status_of([&] {
      DyingDisk disk(strike);
      files::rename_new(disk, folder / "a", folder / "b");
    });
    if (status == 0) {
      EXPECT_GT(strike, 3);
      break;
    }
    ASSERT_LT(strike, 10);
    PoorDisk disk;
    EXPECT_EQ(files::rename_new(disk, folder / "a", folder / "b"), 0);
    EXPECT_THAT(folder.names(), ElementsAre("b"));
    EXPECT_EQ(content_of(folder / "b"), "content a");
  }
}

TEST(RenameNew, LeavesNoPlaceholderThatIsTakenForAPlate) {
  for (int strike = 1;; ++strike) {
    SCOPED_TRACE("stopped at call " + std::to_string(strike));
    const TempFolder folder;
    const auto publish = [&](files::FileSystem& disk) {
      files::PendingFile file(folder / "plate.tif", files::ExistingFile::kRefuse, disk);
      file.write_at(0, std::as_bytes(std::span("plate", 5)));
      file.sync();
      file.publish();
      file.commit();
    };
    const int status = status_of([&] {
      DyingDisk disk(strike);
      publish(disk);
    });
    if (status == 0) {
      EXPECT_GT(strike, 3);
      break;
    }
    ASSERT_LT(strike, 12);
    PoorDisk disk;
    publish(disk);  // not refused
    EXPECT_EQ(content_of(folder / "plate.tif"), "plate");
    EXPECT_THROW(publish(disk), Error);  // refused, as it must be
  }
}

/// Says so and waits where it would fill the placeholder (1), or rename over it (2).
class HaltingDisk final : public PoorDisk {
 public:
  HaltingDisk(int call, int pipe) : call_(call), pipe_(pipe) {}

  ssize_t pwrite(int fd, const void* data, size_t bytes, uint64_t offset) override {
    if (call_ == 1) halt();
    return PoorDisk::pwrite(fd, data, bytes, offset);
  }
  int rename(files::At from, files::At to, unsigned flags) override {
    if (call_ == 2 && flags == 0) halt();
    return PoorDisk::rename(from, to, flags);
  }

 private:
  void halt() const {
    (void)::write(pipe_, "x", 1);
    for (;;) ::pause();
  }

  int call_, pipe_;
};

TEST(RenameNew, KeepsThePlaceholderOfAProcessThatLives) {
  for (const int call : {1, 2}) {
    const TempFolder folder;
    folder.write("a", "content a");
    folder.write("c", "content c");
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      HaltingDisk disk(call, pipe[1]);
      files::rename_new(disk, folder / "a", folder / "b");
      ::_exit(0);
    }
    char byte = 0;
    ASSERT_EQ(::read(pipe[0], &byte, 1), 1);
    PoorDisk disk;
    EXPECT_EQ(files::rename_new(disk, folder / "c", folder / "b"), -1);
    EXPECT_EQ(errno, EEXIST);
    EXPECT_FALSE(files::is_abandoned_placeholder(disk, folder / "b"));
    EXPECT_THAT(folder.names(), UnorderedElementsAre("a", "b", "c"));
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    EXPECT_EQ(files::rename_new(disk, folder / "c", folder / "b"), 0);
    EXPECT_EQ(content_of(folder / "b"), "content c");
    EXPECT_EQ(content_of(folder / "a"), "content a");
    ::close(pipe[0]);
    ::close(pipe[1]);
  }
}

/// Does something as soon as a file is made.
class OvertakenDisk final : public PoorDisk {
 public:
  explicit OvertakenDisk(std::function<void()> work) : work_(std::move(work)) {}

  int open(files::At at, int flags, unsigned mode) override {
    const int fd = PoorDisk::open(at, flags, mode);
    if ((flags & O_CREAT) != 0 && work_) std::exchange(work_, nullptr)();
    return fd;
  }

 private:
  std::function<void()> work_;
};

TEST(RenameNew, ReplacesNoFileThatTookTheNameOfItsPlaceholder) {
  const TempFolder folder;
  folder.write("a", "content a");
  folder.write("c", "content c");
  OvertakenDisk disk([&] {
    PoorDisk other;
    EXPECT_EQ(files::rename_new(other, folder / "c", folder / "b"), 0);
  });
  EXPECT_EQ(files::rename_new(disk, folder / "a", folder / "b"), -1);
  EXPECT_EQ(errno, EEXIST);
  EXPECT_EQ(content_of(folder / "b"), "content c");
  EXPECT_EQ(content_of(folder / "a"), "content a");
}

TEST(RenameNew, ReplacesThePlaceholderOfAnotherBoot) {
  const TempFolder folder;
  folder.write("a", "content a");
  folder.write("b",
               "Placeholder of mezzotint for a file that is renamed: "
               "17.4711-00000000ffffffff-0123abcd.part\n");
  PoorDisk disk;
  EXPECT_EQ(files::rename_new(disk, folder / "a", folder / "b"), 0);
  EXPECT_EQ(content_of(folder / "b"), "content a");
}

TEST(RenameNew, KeepsAnEmptyFileWhereNoPlaceholdersAreNeeded) {
  const TempFolder folder;
  folder.write("a", "content a");
  folder.write("b", "");
  EXPECT_EQ(files::rename_new(files::FileSystem::real(), folder / "a", folder / "b"), -1);
  EXPECT_EQ(errno, EEXIST);
  EXPECT_THAT(folder.names(), UnorderedElementsAre("a", "b"));
}

}  // namespace
}  // namespace mezzo::test::rename_test
