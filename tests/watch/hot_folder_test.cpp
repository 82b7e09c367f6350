// A hot folder by its outside: what becomes a job, when, and where its files go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/watch/hot_folder_support.h"

namespace mezzo::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(HotFolder, TakesAFileThatHeldStill) {
  Scene scene;
  scene.folder.write("a.tif", "page");
  scene.hot.look(scene.at(0));
  EXPECT_THAT(scene.waiting(), IsEmpty());
  EXPECT_EQ(scene.hot.arriving(), 1U);
  EXPECT_EQ(scene.hot.next_look(), scene.at(2000));
  scene.hot.look(scene.at(2000));  // looks enough, but too young
  EXPECT_THAT(scene.waiting(), IsEmpty());
  EXPECT_EQ(scene.hot.next_look(), scene.at(3000));
  scene.hot.look(scene.at(3000));
  EXPECT_THAT(scene.waiting(), ElementsAre("a"));
  EXPECT_EQ(scene.hot.arriving(), 0U);
  EXPECT_FALSE(scene.hot.next_look().has_value());

  const auto job = scene.hot.claim(scene.hot.waiting().front());
  ASSERT_TRUE(job.has_value());
  EXPECT_EQ(job->name, "a");
  EXPECT_EQ(job->work, scene.folder / (".work/" + job->id + "/files"));
  EXPECT_EQ(job->manifest, job->work + "/job.yaml");
  EXPECT_EQ(read(job->work + "/a.tif"), "page");
  EXPECT_THAT(read(job->manifest), HasSubstr("a.tif"));
  EXPECT_FALSE(job->resumed);
  EXPECT_EQ(job->tries, 0U);
  EXPECT_FALSE(scene.hot.claim(scene.hot.waiting().front()).has_value());

  const auto moved = scene.hot.finish(*job, true, "");
  EXPECT_THAT(scene.tree(), UnorderedElementsAre("done/a.tif"));
  ASSERT_EQ(moved.size(), 1U);
  EXPECT_EQ(moved[0].name, "a.tif");
  EXPECT_EQ(moved[0].path, "done/a.tif");
}

TEST(HotFolder, MovesAFailureBesideItsReason) {
  Scene scene;
  for (const char* expected : {"failed/a.tif", "failed/a (2).tif", "failed/a (3).tif"}) {
    scene.folder.write("a.tif");
    scene.settle();
    auto job = scene.hot.claim(scene.hot.waiting().at(0));
    ASSERT_TRUE(job.has_value());
    scene.hot.note_try(*job);
    EXPECT_EQ(scene.hot.finish(*job, false, "the page is torn").at(0).path, expected);
    EXPECT_EQ(read(scene.folder / (std::string(expected) + ".error.txt")), "the page is torn\n");
  }
  EXPECT_EQ(scene.tree().size(), 6U);
}

}  // namespace
}  // namespace mezzo::test
