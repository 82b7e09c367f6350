// A file of a set whose ink is not in the list of `separations`.
#include "pipeline/watch/folder/job_assembler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/pipeline/watch/folder/hot_folder_support.h"

namespace mezzo::test::job_assembler_test {
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
  EXPECT_THAT(notes(), HasSubstr("Cover_varnish.tif: its ink 'varnish'"));
  EXPECT_THAT(wanted(), HasSubstr("'varnish' among the inks"));
  scene_.hot.work().finish(std::move(*claimed), watch::WorkEnd::kDone, "");
  scene_.look_after(900'000);
  EXPECT_THAT(scene_.waiting(), IsEmpty());
  EXPECT_THAT(scene_.tree(), Contains("incomplete/Cover_varnish.tif"));
}

TEST_F(StrayInks, wait_when_they_come_first) {
  drop({"cover_varnish.tif"});
  EXPECT_THAT(scene_.waiting(), IsEmpty());
  EXPECT_THAT(notes(), HasSubstr("`separations` in folder.yaml, so it waits"));
  EXPECT_THAT(wanted(), HasSubstr("'varnish' among the inks"));
  drop({"cover_cyan.tif", "cover_black.tif"});
  EXPECT_THAT(scene_.waiting(), IsEmpty());
  EXPECT_EQ(wanted(), "cover: 'varnish' among the inks of folder.yaml (for cover_varnish.tif)\n");
}

TEST_F(StrayInks, go_to_incomplete_alone) {
  drop({"spring_catalogue.tif"});
  scene_.look_after(900'000);
  EXPECT_THAT(scene_.waiting(), IsEmpty());
  EXPECT_THAT(scene_.tree(), Contains("incomplete/spring_catalogue.tif"));
  const std::string error = read(scene_.folder / "incomplete/spring_catalogue.tif.error.txt");
  EXPECT_THAT(error, HasSubstr("a separation of the ink 'catalogue', which is not among the inks"));
  EXPECT_THAT(error, HasSubstr("under a name that does not fit `pattern`, or with a ticket"));
}

TEST_F(StrayInks, are_pages_with_a_ticket) {
  drop({"spring_catalogue.tif"});
  scene_.folder.write("spring.yaml", "mezzotint: 1\npages: [{input: spring_catalogue.tif}]\n");
  scene_.look_until_complete();
  EXPECT_THAT(scene_.waiting(), ElementsAre("spring"));
}

TEST_F(StrayInks, belong_to_a_set_whose_name_has_another_form_of_Unicode) {
  drop({"Gr\u00FCn_cyan.tif", "Gr\u00FCn_black.tif", "Gru\u0308n_gold.tif"});
  EXPECT_THAT(scene_.waiting(), IsEmpty());
  EXPECT_THAT(wanted(), HasSubstr("'gold' among the inks"));
}

TEST_F(StrayInks, and_their_set_may_mix_forms_of_Unicode) {
  drop({"Gr\u00FCn_cyan.tif", "Gru\u0308n_black.tif"});
  ASSERT_EQ(scene_.waiting().size(), 1U);
  EXPECT_EQ(scene_.hot.waiting()[0].files.size(), 2U);
}

TEST_F(StrayInks, are_not_mixed_with_sets_of_other_case) {
  drop({"cover_cyan.tif", "Cover_black.tif"});
  EXPECT_THAT(scene_.waiting(), IsEmpty());
}

TEST_F(StrayInks, are_known_by_the_names_of_ghostscript) {
  settings("mezzotint: 1\nseparations: {inks: [cyan, black], pattern: \"{page}({ink}).tif\"}\n");
  drop({"cover(Cyan).tif", "cover(Black).tif", "cover(Varnish).tif", "cover.tif"});
  EXPECT_THAT(scene_.waiting(), ElementsAre("cover")) << "the page of all inks";
  EXPECT_EQ(scene_.hot.waiting()[0].files.size(), 1U);
  EXPECT_EQ(wanted(), "cover: 'Varnish' among the inks of folder.yaml (for cover(Varnish).tif)\n");
}

TEST_F(StrayInks, are_no_pages_of_other_names) {
  drop({"spring-catalogue.tif", "cover.tif", "cover_cyan.tif"});
  EXPECT_THAT(scene_.waiting(), UnorderedElementsAre("spring-catalogue", "cover"));
  EXPECT_EQ(notes(), "");
}

}  // namespace
}  // namespace mezzo::test::job_assembler_test
