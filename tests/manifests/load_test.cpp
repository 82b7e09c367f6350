#include <gtest/gtest.h>
#include <sys/stat.h>

#include "kernels/base/error.h"
#include "tests/manifests/manifest_support.h"
#include "tests/support/read_work.h"

namespace mezzo::test::load_test {
namespace {

/// The kind and text of the Error that reading throws.
std::pair<ErrorKind, std::string> failure(const std::string& path) {
  try {
    manifests::load_manifest(path);
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
  const ReadCount read;
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
  EXPECT_LT(read.done().bytes, 2U * 256 * 1024) << "of the large one and /dev/zero";
  std::filesystem::current_path(before);
}

TEST(LoadManifest, GivesTheDiagnosticsOfTheText) {
  const TempFolder folder;
  folder.write("a.tif");
  folder.write("bad.yaml", "mezzotint: 1\njob: x\npages: [a.tif]\nprinter: y\n");
  const auto job = manifests::load_manifest(folder / "bad.yaml");
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
  EXPECT_EQ(manifests::load_manifest(folder / "job.yaml").index(), 0U);
}

TEST(LoadManifest, StartsFromTheFoldersThatItIsTold) {
  const TempFolder folder;
  folder.write("hot/in/a.tif");
  folder.write("hot/.work/7/job.yaml", "mezzotint: 1\njob: x\npriority: 80\npages: [in/a.tif]\n");
  const std::string manifest = folder / "hot/.work/7/job.yaml";
  const auto loaded = manifests::load_manifest(manifest, {folder / "hot", folder / "out", ""});
  ASSERT_EQ(loaded.index(), 0U);
  const manifests::Job& job = std::get<manifests::Job>(loaded);
  EXPECT_EQ(job.priority, 80U);
  EXPECT_EQ(job.folder, folder / "hot");
  EXPECT_EQ(job.plates_folder, folder / "out");
  ASSERT_EQ(job.pages.size(), 1U);
  EXPECT_EQ(job.pages[0].input, folder / "hot/in/a.tif");
  EXPECT_EQ(job.pages[0].settings.output.path, folder / "out/plates/a_{ink}.tif");
  const auto inside = manifests::load_manifest(manifest, {folder / "hot", "", ""});
  ASSERT_EQ(inside.index(), 0U);
  EXPECT_EQ(std::get<manifests::Job>(inside).plates_folder, folder / "hot");
}

TEST(LoadManifest, LetsNothingLeadOutOfItsFolder) {
  namespace fs = std::filesystem;
  const TempFolder folder;
  folder.write("secret/a.tif");
  folder.write("hot/b.tif");
  folder.write("hot/deep/c.tif");
  fs::create_directory_symlink(folder / "secret", folder / "hot/link");
  fs::create_symlink(folder / "secret/a.tif", folder / "hot/a.tif");
  const std::string manifest = folder / "hot/job.yaml";
  folder.write("hot/job.yaml",
               "mezzotint: 1\njob: x\npages:\n  - " + folder / "hot/b.tif" +
                   "\n  - ../secret/a.tif\n  - deep/../../secret/*.tif\n  - .?/secret/a.tif\n"
                   "  - link/a.tif\n  - a.tif\n  - link\n  - link/*.tif\n  - '?.tif'\n"
                   "  - link/b.tif\n");
  const auto job = manifests::load_manifest(manifest, {folder / "hot", "", ""});
  const auto* wrong = std::get_if<std::vector<Diagnostic>>(&job);
  ASSERT_NE(wrong, nullptr);
  const auto out = [](int line, const std::string& input) {
    return std::to_string(line) + ":5: input '" + input +
           "' leads out of the folder of the job\n"
           "  only files in it or below it can be printed\n";
  };
  const auto link = [](int line, const std::string& name) {
    return std::to_string(line) + ":5: '" + name +
           "' is a symbolic link, and none is followed here\n"
           "  put the file itself into the folder of the job\n";
  };
  EXPECT_EQ(messages(*wrong),
            out(4, folder / "hot/b.tif") + out(5, "../secret/a.tif") +
                out(6, "deep/../../secret/*.tif") + out(7, ".?/secret/a.tif") + link(8, "link") +
                link(9, "a.tif") + link(10, "link") + link(11, "link") + link(12, "a.tif") +
                link(13, "link"));
  folder.write("hot/job.yaml", "mezzotint: 1\njob: x\npages: [deep, '[b].tif']\n");
  EXPECT_EQ(manifests::load_manifest(manifest, {folder / "hot", "", ""}).index(), 0U);
  fs::create_symlink("job.yaml", folder / "hot/alias.yaml");
  const auto refusal = [&](const char* name) {
    try {
      manifests::load_manifest(folder / name, {folder / "hot", "", ""});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_NE(refusal("hot/alias.yaml").find("cannot be read: it is a symbolic link"),
            std::string::npos);
  fs::create_hard_link(manifest, folder / "hot/second.yaml");
  EXPECT_NE(refusal("hot/second.yaml").find("cannot be read: it has a second name"),
            std::string::npos);
}

}  // namespace
}  // namespace mezzo::test::load_test
