#include "stages/files/digest_of_reads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "kernels/base/error.h"
#include "stages/files/input_file.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thread_team.h"

namespace mezzo::test::digest_of_reads_test {
namespace {

/// The real calls, which counts what is read, and fails from some place of the file on.
class CountingReads final : public files::FileSystem {
 public:
  ssize_t pread(int fd, void* data, size_t bytes, uint64_t offset) override {
    if (offset + bytes > fails_from_) {
      errno = EIO;
      return -1;
    }
    const ssize_t got = FileSystem::pread(fd, data, bytes, offset);
    if (got > 0) bytes_ += static_cast<uint64_t>(got);
    return got;
  }

  void fail_from(uint64_t offset) { fails_from_ = offset; }
  uint64_t bytes() const { return bytes_; }

 private:
  std::atomic<uint64_t> bytes_{0};
  std::atomic<uint64_t> fails_from_{UINT64_MAX};
};

class DigestOfReads : public ::testing::Test {
 protected:
  static constexpr size_t kBytes = 10'000'019;

  DigestOfReads() : content_(kBytes, '\0') {
    std::mt19937 random(1);
    for (size_t at = 0; at + 4 <= kBytes; at += 4) {
      const auto word = static_cast<uint32_t>(random());
      std::memcpy(content_.data() + at, &word, 4);
    }
    std::ofstream(path_, std::ios::binary) << content_;
    files::Xxh3 digest;
    digest.add(content_.data(), content_.size());
    expected_ = digest.hex128();
  }

  files::InputFile open() {
    files::InputFile file(path_, kBytes, calls_);
    file.digest_along_reads();
    return file;
  }

  /// Reads some of the file, and finds it there.
  void read(const files::InputFile& file, uint64_t offset, size_t bytes) const {
    std::vector<std::byte> to(std::min<uint64_t>(bytes, kBytes - offset));
    file.read(offset, to);
    EXPECT_EQ(std::memcmp(to.data(), content_.data() + offset, to.size()), 0);
  }

  const TempFolder folder_;
  const std::string path_ = folder_ / "file";
  std::string content_;
  std::string expected_;
  CountingReads calls_;
};

TEST_F(DigestOfReads, IsThatOfTheFileWithoutAnyReads) {
  EXPECT_EQ(open().xxh3(), expected_);
}

TEST_F(DigestOfReads, ReadsNothingAgain) {
  const files::InputFile file = open();
  read(file, kBytes - 100, 100);  // as the tags at the end
  for (uint64_t at = 8; at < kBytes; at += 300'000) read(file, at, 300'000);
  EXPECT_EQ(calls_.bytes(), kBytes + 100);  // the 8 bytes before by itself
  EXPECT_EQ(file.xxh3(), expected_);
  EXPECT_EQ(file.xxh3(), expected_);
  EXPECT_EQ(calls_.bytes(), kBytes + 100);
}

TEST_F(DigestOfReads, ReadsWhatLiesBetween) {
  const files::InputFile file = open();
  for (uint64_t at = 1000; at < kBytes; at += 500'000) read(file, at, 400'000);
  EXPECT_EQ(file.xxh3(), expected_);
  EXPECT_EQ(calls_.bytes(), kBytes);
}

TEST_F(DigestOfReads, PassesByWhatLiesFarAhead) {
  const files::InputFile file = open();
  read(file, 5'000'000, 1'000'000);
  EXPECT_EQ(calls_.bytes(), 1'000'000U);
  for (uint64_t at = 0; at < kBytes; at += 1'000'000) read(file, at, 1'000'000);
  EXPECT_EQ(file.xxh3(), expected_);
  EXPECT_EQ(calls_.bytes(), kBytes + 1'000'000);
}

TEST_F(DigestOfReads, IsTheSameInAnyOrder) {
  std::mt19937 random(2);
  for (int i = 0; i < 20; ++i) {
    const files::InputFile file = open();
    for (int k = 0; k < 40; ++k) read(file, random() % kBytes, 1 + random() % 700'000);
    EXPECT_EQ(file.xxh3(), expected_);
  }
}

TEST_F(DigestOfReads, IsTheSameFromSeveralThreads) {
  for (int i = 0; i < 10; ++i) {
    const files::InputFile file = open();
    ThreadTeam team(4);
    constexpr size_t kPiece = 4001;
    for_each_index(
        team, kBytes / kPiece + 1, [&](uint32_t piece) { read(file, piece * kPiece, kPiece); });
    EXPECT_EQ(file.xxh3(), expected_);
  }
}

TEST_F(DigestOfReads, SaysWhenReadingFails) {
  const files::InputFile file = open();
  read(file, 0, 100'000);
  calls_.fail_from(300'000);
  read(file, 100'000, 50'000);
  errno = 0;
  EXPECT_THROW(file.xxh3(), Error);
  calls_.fail_from(UINT64_MAX);
  EXPECT_EQ(file.xxh3(), expected_);  // a failure leaves nothing behind
}

TEST_F(DigestOfReads, LeavesReadsAsTheyAre) {
  const files::InputFile file = open();
  std::vector<std::byte> to(200);
  int error_number = -1;
  EXPECT_EQ(file.read_at(kBytes - 50, to, error_number), 50U);
  EXPECT_EQ(error_number, 0);
  calls_.fail_from(0);
  EXPECT_EQ(file.read_at(0, to, error_number), 0U);
  EXPECT_EQ(error_number, EIO);
}

}  // namespace
}  // namespace mezzo::test::digest_of_reads_test
