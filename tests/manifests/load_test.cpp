#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>

#include "tests/manifests/manifest_support.h"

namespace mezzo {
namespace {

/// The kind and text of the Error that reading throws.
std::pair<ErrorKind, std::string> failure(const std::string& path) {
  try {
    load_manifest(path);
  } catch (const Error& error) {
    return {error.kind(), error.what()};
  }
  return {ErrorKind::kBug, "nothing was thrown"};
}

using Failure = std::pair<ErrorKind, std::string>;

TEST(LoadManifest, SaysWhyAFileCannotBeRead) {
  const std::string before = std::filesystem::current_path();
  const TempFolder folder;
  std::filesystem::current_path(folder.path());
  folder.write("folder/x");
  folder.write("large.yaml", std::string(256 * 1024 + 1, '#'));
  ASSERT_EQ(::mkfifo("pipe.yaml", 0600), 0);
  const Alarm alarm;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(failure("none.yaml"),
            (Failure{ErrorKind::kMissing,
                     "there is no manifest 'none.yaml'; check the path and its spelling"}));
  EXPECT_EQ(failure("large.yaml/x").first, ErrorKind::kMissing);
  EXPECT_EQ(failure("folder"),
            (Failure{ErrorKind::kIo,
                     "the manifest 'folder' cannot be read: it is a folder; name the file in it"}));
  EXPECT_EQ(failure("pipe.yaml"),
            (Failure{ErrorKind::kIo,
                     "the manifest 'pipe.yaml' cannot be read: it is not a regular file"}));
  EXPECT_EQ(failure("/dev/zero").first, ErrorKind::kIo);
  EXPECT_EQ(failure("large.yaml"),
            (Failure{ErrorKind::kLimit,
                     "the manifest 'large.yaml' is larger than 256 KiB, the limit for a manifest; "
                     "split the job, or name folders and patterns instead of files"}));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
  std::filesystem::current_path(before);
}

TEST(LoadManifest, GivesTheDiagnosticsOfTheText) {
  const TempFolder folder;
  folder.write("bad.yaml", "mezzotint: 1\njob: x\npages: [a.tif]\nprinter: y\n");
  const auto job = load_manifest(folder / "bad.yaml");
  const auto* wrong = std::get_if<std::vector<Diagnostic>>(&job);
  ASSERT_NE(wrong, nullptr);
  ASSERT_EQ(wrong->size(), 1U);
  EXPECT_EQ(wrong->front().file, folder / "bad.yaml");
  EXPECT_EQ(wrong->front().excerpt, "printer: y");
}

TEST(LoadManifest, TakesAManifestOfExactlyTheLimit) {
  const TempFolder folder;
  folder.write("a.tif");
  std::string text = "mezzotint: 1\njob: x\npages: [a.tif]\n#";
  text += std::string(256 * 1024 - text.size(), '#');
  folder.write("job.yaml", text);
  EXPECT_EQ(load_manifest(folder / "job.yaml").index(), 0U);
}

}  // namespace
}  // namespace mezzo
