// A file system that ends at the folders of a job; tests/faults/path_attacks_test.cpp attacks it.
#include "stages/files/confined_file_system.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <utility>

#include "stages/files/input_file.h"
#include "tests/stages/tiff/plate/writer_support.h"

namespace mezzo::test::confined_file_system_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// The errno of a call, or 0.
template <typename Call>
int error_of(const Call& call) {
  errno = 0;
  const int result = call();
  const int error_number = errno;
  if (result > 0) ::close(result);
  return result < 0 ? error_number : 0;
}

int error_of_reading(files::FileSystem& files, const std::string& path) {
  return error_of([&] { return files.open(path, O_RDONLY); });
}

int error_of_making(files::FileSystem& files, const std::string& path) {
  return error_of([&] { return files.open(path, O_RDWR | O_CREAT | O_EXCL, 0600); });
}

template <typename Body>
std::string refusal(ErrorKind kind, const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "not refused";
  return "";
}

/// job/ with a.tif and sub/b.tif, plates/, and other/c.tif, which belongs to nobody.
class Confined : public ::testing::Test {
 protected:
  Confined() {
    folder_.write("job/a.tif", "a");
    folder_.write("job/sub/b.tif", "b");
    folder_.write("other/c.tif", "c");
    fs::create_directory(folder_ / "plates");
  }

  std::vector<files::AllowedFolder> folders() const {
    return files::folders_of_job(folder_ / "job", folder_ / "plates");
  }

  TempFolder folder_;
};

TEST_F(Confined, ReadsInItsFolders) {
  files::ConfinedFileSystem files(folders());
  for (const char* name :
       {"a.tif", "sub/b.tif", "./a.tif", "sub//b.tif", "//a.tif", "sub/./b.tif"}) {
    EXPECT_EQ(error_of_reading(files, folder_ / "job/" + name), 0) << name;
    struct stat found {};
    EXPECT_EQ(files.status(folder_ / "job/" + name, found), 0) << name;
    EXPECT_EQ(found.st_size, 1);
    EXPECT_EQ(files.status_of_name(folder_ / "job/" + name, found), 0) << name;
    EXPECT_EQ(found.st_size, 1);
  }
  EXPECT_EQ(error_of_reading(files, folder_ / "job/none.tif"), ENOENT);
  EXPECT_EQ(error_of_reading(files, folder_ / "job/sub"), EISDIR);
  EXPECT_EQ(error_of_reading(files, folder_ / "job"), EISDIR);
  EXPECT_EQ(error_of_reading(files, folder_ / "other/c.tif"), EXDEV);
  EXPECT_EQ(error_of_reading(files, folder_ / "job2/a.tif"), EXDEV);
  EXPECT_EQ(error_of_reading(files, folder_ / "job/../job/a.tif"), EXDEV);
}

TEST_F(Confined, WritesWhereItMay) {
  files::ConfinedFileSystem files(folders());
  const std::string plate = folder_ / "plates/p.tif", other = folder_ / "plates/q.tif";
  EXPECT_EQ(files.make_folder(folder_ / "plates/new", 0700), 0);
  EXPECT_EQ(error_of_making(files, plate), 0);
  EXPECT_EQ(error_of_making(files, plate), EEXIST);
  EXPECT_EQ(files.link(plate, other), 0);
  EXPECT_EQ(error_of_reading(files, plate), EMLINK);
  EXPECT_EQ(files.unlink(other), 0);
  EXPECT_EQ(files.rename(plate, folder_ / "plates/new/p.tif", RENAME_NOREPLACE), 0);
  EXPECT_EQ(error_of([&] { return files.open(folder_ / "plates", O_RDONLY | O_DIRECTORY); }), 0);
  EXPECT_TRUE(fs::exists(folder_ / "plates/new/p.tif"));

  const std::string mine = folder_ / "job/a.tif", alien = folder_ / "other/c.tif";
  EXPECT_EQ(error_of_making(files, folder_ / "job/new.tif"), EROFS);
  EXPECT_EQ(error_of_making(files, folder_ / "other/new.tif"), EXDEV);
  for (const auto& [path, expected] : {std::pair(mine, EROFS), std::pair(alien, EXDEV)}) {
    const std::string& target = path;
    EXPECT_EQ(error_of([&] { return files.unlink(target); }), expected);
    EXPECT_EQ(error_of([&] { return files.make_folder(target + "s", 0700); }), expected);
    EXPECT_EQ(error_of([&] { return files.rename(target, plate, 0); }), expected);
    EXPECT_EQ(error_of([&] { return files.link(target, plate); }), expected);
    EXPECT_EQ(error_of([&] { return files.rename(folder_ / "plates/new/p.tif", target, 0); }),
              expected);
  }
  EXPECT_EQ(error_of([&] { return files.unlink(folder_ / "plates"); }), EBUSY);
  EXPECT_EQ(content_of(mine) + content_of(alien), "ac");
}

TEST_F(Confined, TellsTheRoomOfItsDisksOnly) {
  files::ConfinedFileSystem files(folders());
  struct statvfs found {
  }, expected{};
  ASSERT_EQ(::statvfs((folder_ / "plates").c_str(), &expected), 0);
  EXPECT_EQ(files.room(folder_ / "plates", found), 0);
  EXPECT_EQ(found.f_blocks, expected.f_blocks);
  EXPECT_EQ(error_of([&] { return files.room("/", found); }), EXDEV);
}

TEST_F(Confined, KeepsItsFoldersWhenTheirNamesMove) {
  files::ConfinedFileSystem files(folders());
  fs::rename(folder_ / "job", folder_ / "moved");
  fs::create_directory_symlink("other", folder_ / "job");
  EXPECT_EQ(error_of_reading(files, folder_ / "job/a.tif"), 0);
  EXPECT_EQ(error_of_reading(files, folder_ / "job/c.tif"), ENOENT);
}

TEST_F(Confined, TakesTheLongestOfItsFolders) {
  for (const bool inner_first : {true, false}) {
    std::vector<files::AllowedFolder> nested = {{folder_ / "job", false},
                                                {folder_ / "job/sub", true}};
    if (inner_first) std::swap(nested[0], nested[1]);
    files::ConfinedFileSystem files(nested);
    EXPECT_EQ(error_of_making(files, folder_ / "job/x.tif"), EROFS);
    EXPECT_EQ(error_of_making(files, folder_ / "job/sub/x.tif"), 0);
    EXPECT_EQ(files.unlink(folder_ / "job/sub/x.tif"), 0);
  }
}

TEST_F(Confined, UnderstandsPathsAsTheyAreWritten) {
  const std::string before = fs::current_path();
  fs::current_path(folder_ / "job");
  {
    files::ConfinedFileSystem here({{".", true}});
    EXPECT_EQ(error_of_reading(here, "a.tif"), 0);
    EXPECT_EQ(error_of_reading(here, "./sub/b.tif"), 0);
    EXPECT_EQ(error_of_reading(here, folder_ / "job/a.tif"), EXDEV);
    EXPECT_EQ(error_of_reading(here, "../other/c.tif"), EXDEV);
    files::ConfinedFileSystem beside({{"sub/../../other/", false}, {"./sub", false}});
    EXPECT_EQ(error_of_reading(beside, "sub/../../other/c.tif"), 0);
    EXPECT_EQ(error_of_reading(beside, "../other/c.tif"), 0);
    EXPECT_EQ(error_of_reading(beside, "sub/b.tif"), 0);
    EXPECT_EQ(error_of_reading(beside, "a.tif"), EXDEV);
  }
  fs::current_path(before);
}

TEST_F(Confined, PublishesPlates) {
  files::ConfinedFileSystem files(folders());
  Bits bits = Bits::noise(300, 128);
  for (const files::ExistingFile existing :
       {files::ExistingFile::kReplace, files::ExistingFile::kRefuse}) {
    const std::string path = folder_ / "plates/deep/er/p.tif";
    fs::remove_all(folder_ / "plates/deep");
    for (const bool again : {false, true}) {
      if (again && existing == files::ExistingFile::kRefuse) continue;
      const auto file = tiff::PlateFile::create(path, 1 << 20, existing, files);
      // Begun anew, as noise gets larger.
      write_page(*file, page_of(bits.band()), bits.band(), tiff::Compression::kG4, "", "", true);
      SoloTeam team;
      publish(*file, team);
    }
    EXPECT_TRUE(tiff::read_plate(path).bits == bits.bytes());
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "plates/deep/er"), {}), 1);
  }
}

TEST_F(Confined, SaysWhatIsWrongWithAnInput) {
  files::ConfinedFileSystem files(folders());
  fs::create_symlink("a.tif", folder_ / "job/link.tif");
  fs::create_hard_link(folder_ / "other/c.tif", folder_ / "job/hard.tif");
  const auto opening = [&](const std::string& path, ErrorKind kind = ErrorKind::kUnsupported) {
    return refusal(kind, [&] { const files::InputFile file(path, 100, files); });
  };
  EXPECT_THAT(opening(folder_ / "job/link.tif"),
              AllOf(HasSubstr("job/link.tif: cannot be opened for reading: "),
                    HasSubstr("expected the file itself, found a symbolic link")));
  EXPECT_THAT(opening(folder_ / "job/hard.tif"), HasSubstr("copy the file instead of linking it"));
  EXPECT_THAT(opening(folder_ / "other/c.tif"), HasSubstr("found one that leads out"));
  EXPECT_THAT(opening(folder_ / "job/sub"), HasSubstr("found a folder"));
  EXPECT_THAT(refusal(ErrorKind::kUnsupported,
                      [&] { files::read_text(folder_ / "job/hard.tif", 100, files); }),
              HasSubstr("a hard link"));
  EXPECT_EQ(files::read_text(folder_ / "job/sub/b.tif", 100, files), "b");
  EXPECT_THAT(opening(folder_ / ("job/" + std::string(256, 'n')), ErrorKind::kMissing),
              HasSubstr("File name too long"));
}

TEST_F(Confined, SaysWhatIsWrongWithAPlate) {
  files::ConfinedFileSystem files(folders());
  fs::create_directory_symlink(folder_ / "other", folder_ / "plates/link");
  const auto making = [&](const std::string& path) {
    return refusal(ErrorKind::kCannotCreate, [&] {
      const files::PendingFile file(path, files::ExistingFile::kReplace, files);
    });
  };
  EXPECT_THAT(making(folder_ / "plates/link/p.tif"),
              AllOf(HasSubstr("entering its folder failed: expected the file itself, found a "
                              "symbolic link"),
                    HasSubstr("; put a folder there instead of the link")));
  EXPECT_THAT(making(folder_ / "other/p.tif"),
              AllOf(HasSubstr("found one that leads out of them"),
                    HasSubstr("; give the output another name")));
  EXPECT_THAT(making(folder_ / "job/p.tif"), HasSubstr("the job may only read in that folder"));
  EXPECT_FALSE(fs::exists(folder_ / "other/p.tif"));
}

TEST_F(Confined, RefusesFoldersThatAreNoneOrLinks) {
  fs::create_directory_symlink("job", folder_ / "link");
  const auto opening = [](const std::string& path, ErrorKind kind) {
    return refusal(kind, [&] { const files::ConfinedFileSystem files({{path, true}}); });
  };
  EXPECT_THAT(opening(folder_ / "none", ErrorKind::kMissing), HasSubstr("make it first"));
  EXPECT_THAT(opening(folder_ / "job/a.tif", ErrorKind::kCannotCreate),
              HasSubstr("expected a folder"));
  for (const char* name : {"link", "link/", "link/sub"}) {
    EXPECT_THAT(opening(folder_ / name, ErrorKind::kCannotCreate), HasSubstr("realpath")) << name;
  }
}

TEST_F(Confined, LeavesNoDescriptorOpen) {
  const auto count = [] {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  };
  const auto before = count();
  {
    files::ConfinedFileSystem files(folders());
    struct stat found {};
    for (const char* path : {"job/a.tif", "job/sub", "job/none", "job/a.tif/x", "other/c.tif"}) {
      error_of_reading(files, folder_ / path);
      files.status(folder_ / path, found);
      files.status_of_name(folder_ / path, found);
      error_of_making(files, folder_ / path);
    }
    refusal(ErrorKind::kMissing, [&] {
      const files::ConfinedFileSystem half({{folder_ / "job", true}, {folder_ / "none", true}});
    });
    EXPECT_EQ(count(), before + 2);
  }
  EXPECT_EQ(count(), before);
}

/// From here on this process has no openat2(2), as before Linux 5.6. False where it may not ask for
/// that.
bool forget_openat2() {
  const sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter = {static_cast<unsigned short>(std::size(program)),
                             const_cast<sock_filter*>(program)};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

TEST_F(Confined, IsRefusedByAnOldKernel) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (!forget_openat2()) ::_exit(77);
    try {
      const files::ConfinedFileSystem files(folders());
    } catch (const Error& error) {
      const bool clear = error.kind() == ErrorKind::kDevice &&
                         std::string(error.what()).find("use Linux 5.6") != std::string::npos;
      ::_exit(clear ? 0 : 1);
    }
    ::_exit(2);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "system calls cannot be filtered here";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace mezzo::test::confined_file_system_test
