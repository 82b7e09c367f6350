#include "pipeline/watch/job/content_digest.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>
#include <future>
#include <memory>
#include <stop_token>
#include <utility>

#include "kernels/base/error.h"
#include "stages/files/descriptor.h"
#include "tests/pipeline/watch/machine/fake_machine.h"
#include "tests/support/failing_readdir.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::content_digest_test {
namespace {

using test::TempFolder;

std::string digest(const TempFolder& folder, const std::string& id = "ID-7") {
  return watch::content_digest(folder.path(), id, {});
}

TEST(ContentDigest, tells_those_of_the_single_files) {
  const TempFolder folder;
  folder.write("a.tif", "page");
  folder.write("b.tif", "page");
  folder.write("c.tif", "other");
  folder.write("job.yaml", "name: ID-7\n");
  watch::FileDigests files;
  EXPECT_EQ(watch::content_digest(folder.path(), "ID-7", {}, nullptr, &files), digest(folder));
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files.at("a.tif"), files.at("b.tif"));
  EXPECT_NE(files.at("a.tif"), files.at("c.tif"));
}

TEST(ContentDigest, depends_on_names_bytes_and_settings_alone) {
  const TempFolder one, two;
  for (const TempFolder* folder : {&one, &two}) {
    folder->write("a.tif", "page");
    folder->write("sub/b.tif", "other");
  }
  one.write("job.yaml", "name: ID-7\n");
  two.write("job.yaml", "name: ID-8\n");
  two.write(".hidden", "x");
  const std::string first = digest(one);
  EXPECT_EQ(first.size(), 32U);
  EXPECT_EQ(first, digest(two, "ID-8"));
  two.write("job.yaml", "name: ID-8, more\n");
  EXPECT_NE(first, digest(two, "ID-8"));
  two.write("job.yaml", "name: ID-8\n");
  two.write("a.tif", "pagf");
  EXPECT_NE(first, digest(two, "ID-8"));
  // The same bytes, cut into files in another way.
  two.write("a.tif", "pag");
  two.write("sub/b.tif", "eother");
  EXPECT_NE(first, digest(two, "ID-8"));
}

TEST(ContentDigest, follows_nothing) {
  const TempFolder folder;
  folder.write("a.tif", "page");
  ASSERT_EQ(::symlink("/etc/passwd", (folder / "link.tif").c_str()), 0);
  EXPECT_THROW(digest(folder), Error);
  ::unlink((folder / "link.tif").c_str());
  ASSERT_EQ(::mkfifo((folder / "pipe.tif").c_str(), 0600), 0);
  EXPECT_THROW(digest(folder), Error);  // and does not wait for a writer
  ::unlink((folder / "pipe.tif").c_str());
  ASSERT_EQ(::link((folder / "a.tif").c_str(), (folder / "b.tif").c_str()), 0);
  EXPECT_THROW(digest(folder), Error);
}

TEST(ContentDigest, reads_no_holes) {
  for (const off_t bytes : {off_t{1} << 43, off_t{20} << 20}) {
    const TempFolder folder;
    folder.write("page.tif", "page");
    ASSERT_EQ(::truncate((folder / "page.tif").c_str(), bytes), 0);
    try {
      digest(folder);
      ADD_FAILURE() << bytes;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kLimit);
    }
  }
  const TempFolder folder;
  folder.write("page.tif", "page");
  ASSERT_EQ(::truncate((folder / "page.tif").c_str(), 1 << 20), 0);  // nothing that costs time
  EXPECT_EQ(digest(folder).size(), 32U);
}

TEST(DigestTask, tells_how_far_it_is) {
  const TempFolder folder;
  folder.write("page.tif", std::string(300'000, 'x'));
  folder.write("other.tif", std::string(1'000, 'x'));
  const auto done = std::make_shared<std::promise<void>>();
  const watch::DigestTask task(
      watch::Machine::real(), folder.path(), "", [done] { done->set_value(); });
  done->get_future().wait();
  ASSERT_TRUE(task.state().finished);
  EXPECT_EQ(task.state().bytes_read.load(), 301'000U);
  EXPECT_EQ(task.state().result, digest(folder, ""));
}

TEST(StallWatch, tells_slow_from_none) {
  using std::chrono::seconds;
  const SteadyTime begun(std::chrono::hours(1));
  watch::StallWatch watch(begun);
  EXPECT_FALSE(watch.stands_still(0, begun + seconds(10), seconds(10)));
  EXPECT_FALSE(watch.stands_still(1, begun + seconds(100), seconds(10)));
  EXPECT_EQ(watch.due(seconds(10)), begun + seconds(110));
  EXPECT_FALSE(watch.stands_still(1, begun + seconds(110), seconds(10)));
  EXPECT_TRUE(watch.stands_still(1, begun + seconds(111), seconds(10)));
}

TEST(DigestTask, stops_when_it_is_dropped) {
  const TempFolder folder;
  folder.write("page.tif", "page");
  FakeMachine machine;
  std::function<void()> work;
  machine.on_detach = [&](std::function<void()> its) { work = std::move(its); };
  const auto is_done = std::make_shared<bool>(false);
  {
    const watch::DigestTask task(machine, folder.path(), "", [is_done] { *is_done = true; });
    EXPECT_FALSE(task.state().finished);
  }
  work();
  EXPECT_FALSE(*is_done);
  work = nullptr;
  EXPECT_EQ(is_done.use_count(), 1) << "it owns what it uses, and no longer than it works";
  std::stop_source stop;
  stop.request_stop();
  try {
    watch::content_digest(folder.path(), "", stop.get_token());
    FAIL() << "it goes on";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
  }
}

TEST(ContentDigest, takes_no_read_error_for_the_end_of_a_folder) {
  const TempFolder folder;
  folder.write("a.tif", "page");
  folder.write("b.tif", "other");
  const FailingReaddir failing(3);  // ".", ".." and one of the files
  EXPECT_THROW(digest(folder), Error);
}

}  // namespace
}  // namespace mezzo::test::content_digest_test
