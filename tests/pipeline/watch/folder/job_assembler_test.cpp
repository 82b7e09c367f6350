// A file of a set whose ink is not in the list of `separations`.
#include "pipeline/watch/folder/job_assembler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/pipeline/watch/folder/hot_folder_support.h"

namespace mezzo::test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr const char* kTwoInks = "mezzotint: 1\nseparations: {inks: [cyan, black]}\n";

class StrayInks : public testing::Test {
 protected:
  StrayInks() { settings(kTwoInks); }
  void settings(const std::string& text) {
    scene_.folder.write("folder.yaml", text);
    EXPECT_THAT(scene_.hot.reload_settings(), IsEmpty());
  }
  void drop(const std::vector<std::string>& names) {
    for (const std::string& name : names) scene_.folder.write(name, name);
    scene_.look_until_complete();
  }
  std::string notes() const {
    std::string all;
    for (const watch::FolderNote& note : scene_.hot.notes()) {
      all += note.name + ": " + note.text + "\n";
    }
    return all;
  }
  /// Of the sets that wait.
  std::string wanted() const {
    std::string all;
    for (const watch::WaitingSet& set : scene_.hot.waiting_sets()) {
      all += set.name + ": " + set.wanted + "\n";
    }
    return all;
  }
  /// The one job that waits is claimed, and done.
  void make_all() {
    for (const watch::WaitingJob& job : std::vector(scene_.hot.waiting())) {
      auto claimed = scene_.hot.claim(job);
      ASSERT_TRUE(claimed);
      scene_.hot.work().finish(std::move(*claimed), watch::WorkEnd::kDone, "");
    }
  }

  Scene scene_;
};

TEST_F(StrayInks, hold_a_set_that_is_there) {
  drop({"cover_cyan.tif", "cover_black.tif", "cover_varnish.tif"});
  EXPECT_THAT(scene_.waiting(), IsEmpty());
  EXPECT_EQ(wanted(), "cover: 'varnish' among the inks of folder.yaml (for cover_varnish.tif)\n");
  EXPECT_THAT(notes(),
              HasSubstr("cover_varnish.tif: its ink 'varnish' is not among the inks of "
                        "`separations` in folder.yaml, so the set 'cover' waits"));
  settings("mezzotint: 1\nseparations: {inks: [cyan, black, varnish]}\n");
  scene_.look_until_complete();
  EXPECT_THAT(scene_.waiting(), ElementsAre("cover"));
  EXPECT_EQ(scene_.hot.waiting()[0].files.size(), 3U);
}

TEST_F(StrayInks, let_their_set_go_when_they_are_taken_away) {
  drop({"cover_cyan.tif", "cover_black.tif", "cover_varnish.tif"});
  ASSERT_THAT(scene_.waiting(), IsEmpty());
  fs::remove(scene_.folder / "cover_varnish.tif");
  scene_.look_until_complete();
  EXPECT_THAT(scene_.waiting(), ElementsAre("cover"));
}

TEST_F(StrayInks, go_to_incomplete_with_their_set) {
  drop({"cover_cyan.tif", "cover_varnish.tif"});
  EXPECT_THAT(wanted(), HasSubstr("cover: black, 'varnish' among the inks"));
  scene_.look_after(900'000);
  EXPECT_THAT(scene_.tree(), Contains("incomplete/cover_cyan.tif"));
  EXPECT_THAT(scene_.tree(), Contains("incomplete/cover_varnish.tif"));
  EXPECT_THAT(read(scene_.folder / "incomplete/cover_cyan.tif.error.txt"),
              HasSubstr("The ink of cover_varnish.tif, 'varnish', is not among the inks"));
}

TEST_F(StrayInks, wait_when_their_set_has_begun) {
  drop({"cover_cyan.tif", "cover_black.tif"});
  auto claimed = scene_.hot.claim(scene_.hot.waiting().at(0));
  ASSERT_TRUE(claimed);
  drop({"Cover_varnish.tif"});
  EXPECT_THAT(scene_.waiting(), IsEmpty());
  EXPECT_THAT(notes(), HasSubstr("it waits, as the set 'Cover' has begun without it"));
  EXPECT_THAT(wanted(), HasSubstr("'varnish' among the inks"));
  scene_.hot.work().finish(std::move(*claimed), watch::WorkEnd::kDone, "");
  scene_.look_after(900'000);
  EXPECT_THAT(scene_.waiting(), IsEmpty());
  EXPECT_THAT(scene_.tree(), Contains("incomplete/Cover_varnish.tif"));
}

TEST_F(StrayInks, wait_when_their_set_was_done_failed_or_given_up_before_the_start) {
  for (const char* end : {"done", "failed", "incomplete", ".work/1/files"}) {
    Scene scene;
    scene.folder.write("folder.yaml", kTwoInks);
    scene.folder.write(std::string(end) + "/cover_black.tif");
    ASSERT_THAT(scene.hot.reload_settings(), IsEmpty());
    scene.folder.write("cover_varnish.tif");
    scene.folder.write("back_varnish.tif");
    scene.look_until_complete();
    EXPECT_THAT(scene.waiting(), ElementsAre("back_varnish")) << end;
  }
}

TEST_F(StrayInks, of_another_watchers_set_wait) {
  drop({"x_y.tif"});
  ASSERT_THAT(scene_.waiting(), ElementsAre("x_y"));
  scene_.folder.write("done/x_cyan.tif");
  drop({"x_varnish.tif"});
  EXPECT_THAT(scene_.waiting(), IsEmpty());
}

TEST_F(StrayInks, are_known_by_the_names_of_ghostscript) {
  settings("mezzotint: 1\nseparations: {inks: [cyan, black], pattern: \"{page}({ink}).tif\"}\n");
  drop({"cover(Cyan).tif", "cover(Black).tif", "cover(Varnish).tif", "cover.tif"});
  EXPECT_THAT(scene_.waiting(), ElementsAre("cover")) << "the page of all inks";
  EXPECT_EQ(scene_.hot.waiting()[0].files.size(), 1U);
  EXPECT_EQ(wanted(), "cover: 'Varnish' among the inks of folder.yaml (for cover(Varnish).tif)\n");
}

TEST_F(StrayInks, are_no_pages_that_only_look_so) {
  drop({"spring_catalogue.tif", "cover.tif", "cover_cyan.tif", "covers_back.tif"});
  EXPECT_THAT(scene_.waiting(), UnorderedElementsAre("spring_catalogue", "cover", "covers_back"));
  EXPECT_EQ(notes(), "");
  make_all();
  drop({"spring_poster.tif"});
  EXPECT_THAT(scene_.waiting(), ElementsAre("spring_poster"));
}

}  // namespace
}  // namespace mezzo::test
