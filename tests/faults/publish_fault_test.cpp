// Every system call that a plate needs fails once, in turn, in every way that it may: nothing bad
// is ever published, an older plate survives, no temporary file is left, and the user is told why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cerrno>
#include <csignal>
#include <system_error>

#include "tests/stages/tiff/plate/writer_support.h"
#include "tests/support/poor_disk.h"

namespace mezzo::test::publish_fault_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

enum class Call { kOpen, kWrite, kRead, kSync, kClose, kRename, kLink, kUnlink, kMakeFolder };

enum class Fault {
  kError,      // the call does nothing and fails
  kShort,      // a write or read does half of its work
  kZero,       // a write or read does nothing and says so
  kLateError,  // the call does its work and fails all the same, as a network file system may
};

/// Fails the k-th of the calls that it watches, or all from the k-th on.
class FaultyFileSystem final : public files::FileSystem {
 public:
  Call call = Call::kWrite;
  Fault fault = Fault::kError;
  int error_number = EIO;
  int first = 0;   // counts from 1; 0: none
  int faults = 1;  // how many
  int calls = 0;

  int open(files::At at, int flags, unsigned mode) override {
    return perform(Call::kOpen, [&] { return files::FileSystem::open(at, flags, mode); });
  }
  ssize_t pread(int fd, void* data, size_t bytes, uint64_t offset) override {
    return transfer(Call::kRead, bytes, [&](size_t n) {
      return files::FileSystem::pread(fd, data, n, offset);
    });
  }
  ssize_t pwrite(int fd, const void* data, size_t bytes, uint64_t offset) override {
    return transfer(Call::kWrite, bytes, [&](size_t n) {
      return files::FileSystem::pwrite(fd, data, n, offset);
    });
  }
  int fsync(int fd) override {
    return perform(Call::kSync, [&] { return files::FileSystem::fsync(fd); });
  }
  int close(int fd) override {
    // Whatever it answers, the descriptor is gone.
    const int status = files::FileSystem::close(fd);
    return perform(Call::kClose, [&] { return status; });
  }
  int rename(files::At from, files::At to, unsigned flags) override {
    if (flags != 0 && !has_links) return refuse_flag(*this, from, to, flags);
    if (flags != 0 && !knows_rename_flags) {
      errno = EINVAL;
      return -1;
    }
    return perform(Call::kRename, [&] { return files::FileSystem::rename(from, to, flags); });
  }
  int link(files::At from, files::At to) override {
    if (!has_links) {
      errno = EPERM;
      return -1;
    }
    return perform(Call::kLink, [&] { return files::FileSystem::link(from, to); });
  }
  int unlink(files::At at, int flags) override {
    return perform(Call::kUnlink, [&] { return files::FileSystem::unlink(at, flags); });
  }
  int make_folder(files::At at, unsigned mode) override {
    return perform(Call::kMakeFolder, [&] { return files::FileSystem::make_folder(at, mode); });
  }

  bool knows_rename_flags = true;
  bool has_links = true;  // false: nor does it know the flags

 private:
  bool strikes(Call made) {
    if (made != call) return false;
    ++calls;
    return first != 0 && calls >= first && calls < first + faults;
  }

  template <typename Work>
  int perform(Call made, const Work& work) {
    if (!strikes(made)) return work();
    if (fault == Fault::kLateError) work();
    errno = error_number;
    return -1;
  }

  template <typename Work>
  ssize_t transfer(Call made, size_t bytes, const Work& work) {
    if (!strikes(made)) return work(bytes);
    switch (fault) {
      case Fault::kShort:
        return work((bytes + 1) / 2);
      case Fault::kZero:
        return 0;
      case Fault::kLateError:
        work(bytes);
        break;
      case Fault::kError:
        break;
    }
    errno = error_number;
    return -1;
  }
};

struct Scene {
  files::ExistingFile existing = files::ExistingFile::kReplace;
  bool older_plate = false;
  bool never_larger = false;  // and the plate is one that gets larger
  bool knows_rename_flags = true;
  bool has_links = true;
};

constexpr Scene kScenes[] = {
    {},
    {.older_plate = true},
    {.existing = files::ExistingFile::kRefuse},
    {.never_larger = true},
    {.older_plate = true, .never_larger = true},
    {.existing = files::ExistingFile::kRefuse, .knows_rename_flags = false},
    {.knows_rename_flags = false},
    {.existing = files::ExistingFile::kRefuse, .has_links = false},
    {.has_links = false},
};

/// One plate in a folder of its own, published through a file system that fails.
class FaultTrial {
 public:
  explicit FaultTrial(const Scene& scene) : scene_(scene) {
    files_.knows_rename_flags = scene.knows_rename_flags;
    files_.has_links = scene.has_links;
  }

  FaultyFileSystem& files() { return files_; }
  const std::string& message() const { return message_; }
  ErrorKind kind() const { return kind_; }

  /// Returns whether the plate was published; checks what must hold then, or otherwise.
  bool run() {
    const std::string path = folder_ / "out/plate.tif";
    if (scene_.older_plate) {
      write_plate(path, page_of(older_.band()), older_.band(), tiff::Compression::kDeflate);
    }
    const bool published = attempt(path);
    if (published) {
      EXPECT_TRUE(tiff::read_plate(path).bits == newer_.bytes());
    } else if (scene_.older_plate) {
      EXPECT_TRUE(tiff::read_plate(path).bits == older_.bytes());
    } else {
      EXPECT_FALSE(std::filesystem::exists(path));
    }
    return published;
  }

  /// The names in the output folder, beside the plate.
  std::vector<std::string> left_over() const {
    std::vector<std::string> names;
    std::error_code missing;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "out", missing)) {
      if (entry.path().filename() != "plate.tif") names.push_back(entry.path().filename());
    }
    return names;
  }

 private:
  bool attempt(const std::string& path) {
    try {
      const auto file = tiff::PlateFile::create(path, 1 << 20, scene_.existing, files_);
      const tiff::Compression compression =
          scene_.never_larger ? tiff::Compression::kG4 : tiff::Compression::kDeflate;
      write_page(*file,
                 page_of(newer_.band(), 32),
                 newer_.band(),
                 compression,
                 "s",
                 "d",
                 scene_.never_larger);
      SoloTeam team;
      publish(*file, team);
      return true;
    } catch (const Error& error) {
      message_ = error.what();
      kind_ = error.kind();
      return false;
    }
  }

  Scene scene_;
  TempFolder folder_;
  FaultyFileSystem files_;
  inline static Bits older_ = Bits::noise(300, 100, 1);
  inline static Bits newer_ = Bits::noise(300, 128, 2);
  std::string message_;
  ErrorKind kind_ = ErrorKind::kBug;
};

/// Fails the k-th `call` for k = 1, 2, ... until there is no k-th; `check` sees each trial.
/// Returns how many there were.
template <typename Check>
int for_each_fault(const Scene& scene, Call call, Fault fault, int error_number, Check check) {
  for (int k = 1;; ++k) {
    FaultTrial trial(scene);
    trial.files().call = call;
    trial.files().fault = fault;
    trial.files().error_number = error_number;
    trial.files().first = k;
    const bool published = trial.run();
    if (trial.files().calls < k) {
      EXPECT_TRUE(published);
      return k - 1;
    }
    SCOPED_TRACE("call " + std::to_string(k) + ": " + trial.message());
    check(trial, published);
    if (testing::Test::HasFailure()) return k;
  }
}

void expect_refusal(const FaultTrial& trial, bool published, int error_number) {
  EXPECT_FALSE(published);
  EXPECT_THAT(trial.left_over(), IsEmpty());
  EXPECT_THAT(trial.message(), HasSubstr("plate.tif"));
  EXPECT_THAT(trial.message(), HasSubstr(std::generic_category().message(error_number)));
  const bool full = error_number == ENOSPC || error_number == EDQUOT;
  EXPECT_EQ(trial.kind(), full ? ErrorKind::kDiskFull : ErrorKind::kIo);
}

TEST(PublishFaults, EveryWriteFails) {
  for (const Scene& scene : kScenes) {
    for (const int error_number : {ENOSPC, EIO, EDQUOT}) {
      for (const Fault fault : {Fault::kError, Fault::kLateError}) {
        const auto refused = [&](const FaultTrial& trial, bool published) {
          expect_refusal(trial, published, error_number);
        };
        EXPECT_GT(for_each_fault(scene, Call::kWrite, fault, error_number, refused), 6);
      }
    }
  }
}

TEST(PublishFaults, EverySyncFails) {
  for (const Scene& scene : kScenes) {
    for (const int error_number : {ENOSPC, EIO, EDQUOT}) {
      const auto refused = [&](const FaultTrial& trial, bool published) {
        expect_refusal(trial, published, error_number);
      };
      // The file, the folder of the plate; the folder above when it is made.
      EXPECT_GE(for_each_fault(scene, Call::kSync, Fault::kError, error_number, refused), 2);
    }
  }
}

TEST(PublishFaults, EveryRenameFails) {
  for (const Scene& scene : kScenes) {
    for (const int error_number : {ENOSPC, EIO, EDQUOT}) {
      const auto check = [&](const FaultTrial& trial, bool published) {
        expect_refusal(trial, published, error_number);
      };
      const Call call = scene.existing == files::ExistingFile::kRefuse && !scene.knows_rename_flags
                            ? Call::kLink
                            : Call::kRename;
      EXPECT_GE(for_each_fault(scene, call, Fault::kError, error_number, check), 1);
    }
  }
}

TEST(PublishFaults, EveryOpenFails) {
  for (const Scene& scene : kScenes) {
    for (const int error_number : {ENOSPC, EMFILE, EACCES}) {
      const auto refused = [&](const FaultTrial& trial, bool published) {
        EXPECT_FALSE(published);
        EXPECT_THAT(trial.left_over(), IsEmpty());
        EXPECT_THAT(trial.message(), HasSubstr("plate.tif"));
        EXPECT_THAT(trial.message(), HasSubstr(std::generic_category().message(error_number)));
        EXPECT_NE(trial.kind(), ErrorKind::kBug);
      };
      // The temporary file, the one read back, the folder to sync.
      EXPECT_GE(for_each_fault(scene, Call::kOpen, Fault::kError, error_number, refused), 3);
    }
  }
}

TEST(PublishFaults, EveryReadBackFails) {
  for (const Scene& scene : kScenes) {
    for (const Fault fault : {Fault::kError, Fault::kZero}) {
      const auto refused = [](const FaultTrial& trial, bool published) {
        EXPECT_FALSE(published);
        EXPECT_THAT(trial.left_over(), IsEmpty());
        EXPECT_THAT(trial.message(), HasSubstr("plate.tif"));
        EXPECT_EQ(trial.kind(), ErrorKind::kIo);
      };
      EXPECT_GT(for_each_fault(scene, Call::kRead, fault, EIO, refused), 4);
    }
  }
}

TEST(PublishFaults, EveryFolderFails) {
  const auto refused = [](const FaultTrial& trial, bool published) {
    EXPECT_FALSE(published);
    EXPECT_THAT(trial.message(), HasSubstr("making its folder"));
  };
  for (const int error_number : {ENOSPC, EIO, EDQUOT, EACCES}) {
    EXPECT_EQ(for_each_fault({}, Call::kMakeFolder, Fault::kError, error_number, refused), 1);
  }
}

TEST(PublishFaults, FailuresThatLastStillLeaveNothing) {
  for (const Scene& scene : kScenes) {
    for (const Call call : {Call::kWrite, Call::kSync, Call::kRead}) {
      for (int k = 1;; ++k) {
        FaultTrial trial(scene);
        trial.files().call = call;
        trial.files().error_number = ENOSPC;
        trial.files().first = k;
        trial.files().faults = 1'000'000;
        const bool published = trial.run();
        if (trial.files().calls < k) break;
        EXPECT_FALSE(published);
        EXPECT_THAT(trial.left_over(), IsEmpty());
      }
    }
  }
}

TEST(PublishFaults, InterruptionsAndShortTransfersAreNoFailures) {
  const auto succeeds = [](const FaultTrial& trial, bool published) {
    EXPECT_TRUE(published);
    EXPECT_THAT(trial.left_over(), IsEmpty());
  };
  for (const Scene& scene : kScenes) {
    for (const Call call : {Call::kOpen, Call::kWrite, Call::kRead, Call::kSync, Call::kClose}) {
      for_each_fault(scene, call, Fault::kError, EINTR, succeeds);
    }
    for_each_fault(scene, Call::kWrite, Fault::kShort, 0, succeeds);
    for_each_fault(scene, Call::kRead, Fault::kShort, 0, succeeds);
  }
}

TEST(PublishFaults, AWriteThatWritesNothingIsAFailure) {
  for (const Scene& scene : kScenes) {
    const auto refused = [](const FaultTrial& trial, bool published) {
      expect_refusal(trial, published, EIO);
    };
    EXPECT_GT(for_each_fault(scene, Call::kWrite, Fault::kZero, 0, refused), 6);
  }
}

TEST(PublishFaults, AFailingCloseOfTheFileIsAFailure) {
  for (const Scene& scene : kScenes) {
    int refusals = 0;
    // Closing what was only read, or a folder, may fail without harm.
    const auto refused_or_whole = [&](const FaultTrial& trial, bool published) {
      EXPECT_THAT(trial.left_over(), IsEmpty());
      if (!published) ++refusals;
    };
    for_each_fault(scene, Call::kClose, Fault::kError, EIO, refused_or_whole);
    EXPECT_EQ(refusals, 1);
  }
}

TEST(PublishFaults, AnOlderPlateThatCannotBeRemovedStays) {
  const auto refused = [](const FaultTrial& trial, bool published) {
    EXPECT_FALSE(published);
    EXPECT_THAT(trial.message(), HasSubstr("removing the older file"));
    EXPECT_THAT(trial.left_over(), IsEmpty());
  };
  EXPECT_EQ(for_each_fault({.older_plate = true}, Call::kUnlink, Fault::kError, EIO, refused), 1);
}

TEST(PublishFaults, FoldersThatCannotBeSyncedAreTolerated) {
  const TempFolder folder;
  Bits bits = Bits::noise(300, 128);
  FaultyFileSystem files;
  files.call = Call::kSync;
  files.error_number = EINVAL;
  files.first = 2;  // the file is synced first
  const auto file =
      tiff::PlateFile::create(folder / "plate.tif", 1 << 20, files::ExistingFile::kReplace, files);
  write_page(*file, page_of(bits.band()), bits.band(), tiff::Compression::kNone);
  SoloTeam team;
  publish(*file, team);
  EXPECT_EQ(files.calls, 2);
  EXPECT_THAT(folder.names(), ElementsAre("plate.tif"));
}

TEST(PublishFaults, TheFileSizeLimitIsADiskFull) {
  const TempFolder folder;
  Bits bits = Bits::noise(8192, 1024);  // 1 MiB
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  const rlimit limit{300'000, old_limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  try {
    write_plate(folder / "plate.tif", page_of(bits.band()), bits.band(), tiff::Compression::kNone);
    ADD_FAILURE() << "published";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kDiskFull);
    EXPECT_EQ(error.what(),
              folder / "plate.tif" +
                  ": writing a strip failed: File too large; raise the file-size limit (ulimit -f) "
                  "or use another file system");
  }
  ::setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_THAT(folder.names(), IsEmpty());
}

}  // namespace
}  // namespace mezzo::test::publish_fault_test
