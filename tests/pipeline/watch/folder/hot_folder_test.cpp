// A hot folder by its outside: what becomes a job, when, and where its files go.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <map>
#include <set>

#include "kernels/base/error.h"
#include "manifests/draft.h"
#include "manifests/settings/folder_rows.h"
#include "pipeline/watch/folder/keep_times.h"
#include "pipeline/watch/folder/ticket.h"
#include "stages/files/xxh3.h"
#include "tests/pipeline/watch/folder/hot_folder_support.h"

namespace mezzo::test::hot_folder_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
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
  ASSERT_THAT(scene.waiting(), ElementsAre("a"));
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

  const auto moved = scene.hot.work().finish(*job, watch::WorkEnd::kDone, "");
  EXPECT_THAT(scene.tree(), UnorderedElementsAre("done/a.tif"));
  ASSERT_EQ(moved.size(), 1U);
  EXPECT_EQ(moved[0].name, "a.tif");
  EXPECT_EQ(moved[0].path, "done/a.tif");
}

TEST(HotFolder, MovesAFailureBesideItsReason) {
  Scene scene;
  for (const char* expected : {"failed/a.tif", "failed/a (2).tif", "failed/a (3).tif"}) {
    scene.folder.write("a.tif");
    scene.look_until_complete();
    auto job = scene.hot.claim(scene.hot.waiting().at(0));
    ASSERT_TRUE(job.has_value());
    scene.hot.work().record_attempt(*job);
    EXPECT_EQ(scene.hot.work().finish(*job, watch::WorkEnd::kFailed, "the page is torn").at(0).path,
              expected);
    EXPECT_EQ(read(scene.folder / (std::string(expected) + ".error.txt")), "the page is torn\n");
  }
  EXPECT_EQ(scene.tree().size(), 6U);
}

constexpr const char* kTicket =
    "mezzotint: 1\njob: order\npages_total: 2\npages:\n- a.tif\n- b.tif\nend: true\n";

TEST(HotFolder, StartsAgainWhenAFileChanges) {
  Scene scene;
  scene.folder.write("a.tif", "1");
  scene.look_after(0);
  for (const char* text : {"12", "123", "123 reopened"}) {  // one write every 2.5 s
    scene.look_after(2500);
    EXPECT_THAT(scene.waiting(), IsEmpty());
    scene.folder.write("a.tif", text);
  }
  scene.look_after(2500);
  scene.look_after(2000);
  EXPECT_THAT(scene.waiting(), IsEmpty());
  scene.look_after(1000);
  EXPECT_THAT(scene.waiting(), ElementsAre("a"));
}

TEST(HotFolder, DoesNotTrustTheClockOfFiles) {
  Scene scene;
  scene.folder.write("past.tif");
  scene.folder.write("future.tif");
  const auto year = std::chrono::hours(24 * 365);
  const auto now = std::filesystem::last_write_time(scene.folder / "past.tif");
  std::filesystem::last_write_time(scene.folder / "past.tif", now - 30 * year);
  std::filesystem::last_write_time(scene.folder / "future.tif", now + 10 * year);
  scene.look_after(0);
  scene.look_after(2999);
  EXPECT_THAT(scene.waiting(), IsEmpty());
  scene.look_after(1);
  EXPECT_THAT(scene.waiting(), ElementsAre("past", "future"));
  scene.folder.write("later.tif");
  scene.look_until_complete();
  EXPECT_THAT(scene.waiting(), ElementsAre("past", "future", "later"));
}

TEST(HotFolder, LooksTooSoonDoNotCount) {
  Scene scene;
  scene.folder.write("a.tif");
  for (int look = 0; look < 10; ++look) scene.look_after(100);
  scene.look_after(900);  // 1.8 s since it was first seen
  EXPECT_EQ(scene.hot.arriving(), 1U);
}

TEST(HotFolder, LeavesAloneWhatIsNotForIt) {
  Scene scene;
  for (const char* name : {".a.tif",
                           "~$a.tif",
                           "a.tif.part",
                           "a.tmp",
                           "a.tif.crdownload",
                           "a.PARTIAL",
                           "a.tif.filepart",
                           "a.download",
                           "done/x.tif",
                           "failed/x.tif",
                           "incomplete/x.tif",
                           "reports/x.tif",
                           "plates/x_black.tif"}) {
    scene.folder.write(name);
  }
  scene.look_until_complete();
  EXPECT_THAT(scene.waiting(), IsEmpty());
  EXPECT_THAT(scene.hot.notes(), IsEmpty());
  EXPECT_EQ(scene.tree().size(), 13U);
  scene.folder.write("notes.txt");
  scene.folder.write("pages/x.tif");
  scene.folder.write("B.TIFF");
  scene.look_until_complete();
  EXPECT_THAT(scene.waiting(), ElementsAre("B"));
  ASSERT_EQ(scene.hot.notes().size(), 2U);
  EXPECT_EQ(scene.hot.notes()[0].name, "notes.txt");
  EXPECT_EQ(scene.hot.notes()[1].name, "pages");
  EXPECT_EQ(scene.tree().size(), 16U);
}

TEST(HotFolder, SaysWhatItDoesNotTake) {
  Scene scene;
  scene.folder.write("brochure.PDF");
  scene.folder.write("pages/x.tif");
  scene.folder.write("mine.error.txt", "of a user");
  scene.look_until_complete();
  const auto& left = scene.hot.not_taken().files();
  ASSERT_EQ(left.size(), 2U);
  EXPECT_THAT(left.at("brochure.PDF").reason, HasSubstr("it is a PDF"));
  EXPECT_THAT(left.at("pages").reason, HasSubstr("without a job.yaml"));
  EXPECT_THAT(scene.tree(), testing::SizeIs(3));
  scene.look_after(60'000);
  EXPECT_THAT(read(scene.folder / "brochure.PDF.error.txt"),
              HasSubstr("Not taken: it is a PDF; export each page as a TIFF file.\n"));
  EXPECT_THAT(read(scene.folder / "pages.error.txt"), HasSubstr("without a job.yaml"));
  std::filesystem::remove(scene.folder / "brochure.PDF");
  scene.folder.write("pages/job.yaml", "mezzotint: 1\njob: pages\npages: [x.tif]\n");
  scene.look_until_complete();
  EXPECT_EQ(scene.hot.not_taken().count(), 0U);
  EXPECT_THAT(scene.tree(),
              testing::ElementsAre("mine.error.txt", "pages/job.yaml", "pages/x.tif"));
}

TEST(HotFolder, TakesNoFolderForSuchAText) {
  Scene scene;
  scene.folder.write("z.error.txt/x.tif");
  scene.folder.write("job.error.txt/job.yaml", "mezzotint: 1\njob: a\npages: [x.tif]\n");
  scene.folder.write("brochure.pdf");
  std::filesystem::create_directory(scene.folder / "brochure.pdf.error.txt");
  std::filesystem::create_symlink("brochure.pdf", scene.folder / "link.error.txt");
  scene.look_until_complete();
  EXPECT_THAT(scene.waiting(), ElementsAre("job.error.txt"));
  const auto& left = scene.hot.not_taken().files();
  ASSERT_EQ(left.size(), 4U);
  EXPECT_THAT(left.at("z.error.txt").reason, HasSubstr("without a job.yaml"));
  scene.look_after(60'000);
  EXPECT_THAT(read(scene.folder / "z.error.txt.error.txt"), HasSubstr("without a job.yaml"));
  scene.look_after(1'000);
  EXPECT_EQ(scene.hot.not_taken().count(), 4U);
  std::filesystem::remove_all(scene.folder / "z.error.txt");
  scene.look_after(1'000);
  EXPECT_FALSE(std::filesystem::exists(scene.folder / "z.error.txt.error.txt"));
}

TEST(HotFolder, BoundsTheTextsOnWhatItDoesNotTake) {
  Scene scene;
  for (int i = 0; i < 250; ++i) scene.folder.write("notes" + std::to_string(i) + ".txt");
  scene.look_after(0);
  for (int look = 0; look < 3; ++look) scene.look_after(60'000);
  EXPECT_EQ(scene.hot.not_taken().count(), 250U);
  EXPECT_THAT(scene.tree(), testing::SizeIs(250 + watch::NotTaken::kMost));
}

TEST(HotFolder, FoldersOfPlatesInItAreNoMistake) {
  Scene scene;
  scene.folder.write("folder.yaml",
                     "mezzotint: 1\nplates: .\ndefaults: {output: {path: \"{job}/{ink}.tif\"}}\n");
  scene.hot.reload_settings();
  scene.folder.write("page7/black.tif");
  scene.look_until_complete();
  EXPECT_EQ(scene.hot.not_taken().count(), 0U);
}

TEST(HotFolder, SaysWhatItsFilesWaitFor) {
  Scene scene;
  scene.folder.write("folder.yaml", kSetsYaml);
  scene.hot.reload_settings();
  scene.folder.write("milk_cyan.tif");
  scene.folder.write("order.yaml", "mezzotint: 1\njob: order\npages:\n- front.tif\n- back.tif\n");
  scene.folder.write("front.tif");
  scene.look_until_complete();
  const auto& sets = scene.hot.waiting_sets();
  ASSERT_EQ(sets.size(), 2U);
  EXPECT_EQ(sets[0].name, "milk");
  EXPECT_EQ(sets[0].wanted, "magenta, yellow");
  EXPECT_EQ(sets[0].due - sets[0].since, std::chrono::minutes(15));
  EXPECT_EQ(sets[1].name, "order");
  EXPECT_EQ(sets[1].wanted, "back.tif");
}

TEST(HotFolder, RefusesWhatIsNoFileOfItsOwn) {
  TempFolder outside;
  outside.write("secret.tif", "secret");
  Scene scene;
  std::filesystem::create_symlink(outside / "secret.tif", scene.folder / "link.tif");
  std::filesystem::create_symlink("/dev/zero", scene.folder / "zero.yaml");
  std::filesystem::create_hard_link(outside / "secret.tif", scene.folder / "hard.tif");
  ASSERT_EQ(::mkfifo((scene.folder / "fifo.tif").c_str(), 0666), 0);
  ASSERT_EQ(::mkfifo((scene.folder / "fifo.yaml").c_str(), 0666), 0);
  scene.folder.write("line\nfeed.tif");
  scene.folder.write("\xFF.tif");
  scene.folder.write(std::string(197, 'n') + ".tif");
  scene.look_until_complete();
  EXPECT_THAT(scene.waiting(), IsEmpty());
  EXPECT_THAT(scene.tree(), testing::SizeIs(16));
  for (const char* name :
       {"link.tif", "zero.yaml", "hard.tif", "fifo.tif", "fifo.yaml", "line_feed.tif", "_.tif"}) {
    EXPECT_THAT(scene.tree(), Contains("failed/" + std::string(name)));
    EXPECT_THAT(scene.tree(), Contains("failed/" + std::string(name) + ".error.txt"));
  }
  EXPECT_THAT(read(scene.folder / "failed/link.tif.error.txt"),
              HasSubstr("links are not followed"));
  EXPECT_EQ(read(outside / "secret.tif"), "secret");
}

TEST(HotFolder, GathersTheInksOfAPage) {
  Scene scene;
  scene.folder.write("folder.yaml", kSetsYaml);
  EXPECT_THAT(scene.hot.reload_settings(), IsEmpty());
  scene.folder.write("a_b_cyan.tif");
  scene.folder.write("a_b_Magenta.TIF");
  scene.folder.write("alone.tif");
  scene.look_until_complete();
  EXPECT_THAT(scene.waiting(), ElementsAre("alone"));
  EXPECT_EQ(scene.hot.arriving(), 2U);
  scene.folder.write("a_b_yellow.tiff");
  scene.look_until_complete();
  EXPECT_THAT(scene.waiting(), ElementsAre("alone", "a_b"));
  EXPECT_THAT(scene.hot.waiting()[1].files,
              ElementsAre("a_b_cyan.tif", "a_b_Magenta.TIF", "a_b_yellow.tiff"));
  auto job = scene.hot.claim(scene.hot.waiting()[1]);
  ASSERT_TRUE(job.has_value());
  const std::string manifest = read(job->manifest);
  EXPECT_THAT(manifest, HasSubstr("input: \"a_b_Magenta.TIF\"\n    ink: \"magenta\"\n"));
  EXPECT_THAT(manifest, HasSubstr("input: \"a_b_yellow.tiff\"\n    ink: \"yellow\"\n"));
  scene.hot.work().finish(*job, watch::WorkEnd::kDone, "");

  // A late one is a new set, and alone in it.
  scene.folder.write("a_b_cyan.tif");
  scene.look_until_complete();
  const int64_t minute = 60'000;
  ASSERT_TRUE(scene.hot.next_look().has_value());
  scene.look_after(14 * minute);
  EXPECT_EQ(scene.hot.arriving(), 1U);
  scene.look_after(minute);
  EXPECT_THAT(scene.tree(), Contains("incomplete/a_b_cyan.tif"));
  EXPECT_THAT(read(scene.folder / "incomplete/a_b_cyan.tif.error.txt"),
              HasSubstr("15 min 00 s: magenta, yellow"));
}

TEST(HotFolder, ATicketSpeaksForItsPages) {
  Scene scene;
  scene.folder.write("order.yaml", kTicket);
  scene.folder.write("a.tif", "content a");
  scene.folder.write("c.tif");
  scene.look_until_complete();
  EXPECT_THAT(scene.waiting(), ElementsAre("c"));
  scene.folder.write("b.tif");
  scene.look_until_complete();
  EXPECT_THAT(scene.waiting(), ElementsAre("c", "order"));
  auto job = scene.hot.claim(scene.hot.waiting()[1]);
  ASSERT_TRUE(job.has_value());
  EXPECT_EQ(read(job->manifest), kTicket);
  EXPECT_EQ(read(job->work + "/a.tif"), "content a");
  scene.hot.work().finish(*job, watch::WorkEnd::kFailed, "torn");
  EXPECT_THAT(scene.tree(),
              ElementsAre("c.tif",
                          "failed/a.tif",
                          "failed/b.tif",
                          "failed/order.yaml",
                          "failed/order.yaml.error.txt"));
}

TEST(HotFolder, PagesWaitForATicketThatIsHalfThere) {
  Scene scene;
  scene.folder.write("a.tif");
  scene.folder.write("order.yaml", "mezzotint: 1\njob: order\npag");
  scene.look_after(0);
  scene.look_after(2000);
  scene.folder.write("order.yaml", kTicket);
  scene.look_after(1500);
  scene.look_after(10000);
  EXPECT_THAT(scene.waiting(), IsEmpty());
  scene.look_after(15 * 60'000);
  EXPECT_THAT(
      scene.tree(),
      ElementsAre("incomplete/a.tif", "incomplete/order.yaml", "incomplete/order.yaml.error.txt"));
}

TEST(HotFolder, TicketsThatNameTooManyPagesWaitUnread) {
  Scene scene;
  constexpr size_t kNames = 5000, kTickets = watch::kMaxTicketNames / kNames + 3;
  const auto ticket = [](size_t number) { return "order" + std::to_string(number) + ".yaml"; };
  for (size_t i = 0; i < kTickets; ++i) {
    std::string text = "\t\n";  // no YAML
    for (size_t page = 0; page < kNames; ++page) {
      text += "- page-" + std::to_string(i) + "-" + std::to_string(page) + ".tif\n";
    }
    scene.folder.write(ticket(i), text);
  }
  scene.folder.write("x.tif");
  scene.look_until_complete();
  EXPECT_EQ(scene.hot.waiting().size(), kTickets - 3) << "neither those unread, nor any page";
  const auto& left = scene.hot.not_taken().files();
  ASSERT_EQ(left.size(), 3U);
  EXPECT_THAT(left.begin()->second.reason, HasSubstr("name more than 100000 pages"));
  // Failed, its pages are held, which is no more room.
  const watch::WaitingJob first = scene.hot.waiting().front();
  auto claimed = scene.hot.claim(first);
  ASSERT_TRUE(claimed);
  scene.hot.work().finish(std::move(*claimed), watch::WorkEnd::kFailed, "bad");
  scene.look_until_complete();
  EXPECT_EQ(scene.hot.not_taken().count(), 3U);
  size_t removed = 0;
  for (size_t i = 0; i < kTickets && removed < 3; ++i) {
    const bool is_left = scene.hot.not_taken().files().contains(ticket(i));
    if (!is_left) removed += std::filesystem::remove(scene.folder / ticket(i));
  }
  scene.look_until_complete();
  EXPECT_EQ(scene.hot.not_taken().count(), 0U);
  EXPECT_EQ(scene.hot.waiting().size(), kTickets - 1 - 3 + 1) << "the page as well";
}

TEST(HotFolder, ATicketWithAMistakeHoldsItsPages) {
  for (const char* pages : {"- a.tif\n- {input: \"b c.tif\"}\n", "[./a.tif, 'b c.tif'\n"}) {
    Scene scene;
    scene.folder.write(
        "order.yaml",
        std::string("mezzotint: 1\njob: order\ndefaults: {tone: {gama: 2}}\npages:\n") + pages);
    scene.folder.write("a.tif");
    scene.folder.write("b c.tif");
    scene.folder.write("other.tif");
    scene.look_until_complete();
    EXPECT_THAT(scene.waiting(), UnorderedElementsAre("order", "other"));
    const auto order = std::ranges::find(scene.hot.waiting(), "order", &watch::WaitingJob::name);
    ASSERT_NE(order, scene.hot.waiting().end());
    EXPECT_THAT(order->files, ElementsAre("order.yaml", "a.tif", "b c.tif"));
  }
}

TEST(HotFolder, ATicketWithAMistakeHoldsPagesThatComeLater) {
  Scene scene;
  scene.folder.write("order.yaml", "mezzotint: 1\njob: order\npage:\n- a.tif\n- b.tif\n");
  scene.folder.write("a.tif");
  scene.look_until_complete();
  auto job = scene.hot.claim(scene.hot.waiting().at(0));
  ASSERT_TRUE(job.has_value());
  scene.hot.work().finish(*job, watch::WorkEnd::kFailed, "order.yaml:3: no such key");
  scene.folder.write("b.tif");
  scene.look_until_complete();
  EXPECT_THAT(read(scene.folder / "failed/b.tif.error.txt"),
              HasSubstr("ticket order.yaml, which names it, has a mistake"));
  scene.folder.write("order.yaml", "mezzotint: 1\njob: order\npages:\n- b.tif\n");
  scene.folder.write("b.tif");
  scene.look_until_complete();
  EXPECT_THAT(scene.waiting(), ElementsAre("order"));  // the corrected one
  std::filesystem::remove(scene.folder / "order.yaml");
  scene.look_after(15 * 60'000);
  scene.folder.write("a.tif");
  scene.look_until_complete();
  EXPECT_THAT(scene.waiting(), Contains("a"));  // they are not held for ever
}

TEST(HotFolder, ATicketThatCannotBeAJobTakesItsPagesAlong) {
  Scene scene;
  scene.folder.write("order.yaml", "mezzotint: 1\njob: order\npages:\n- a.tif\n- ../b.tif\n");
  scene.folder.write("a.tif");
  scene.look_until_complete();
  EXPECT_THAT(scene.tree(),
              ElementsAre("failed/a.tif", "failed/order.yaml", "failed/order.yaml.error.txt"));
}

TEST(HotFolder, ATicketFailsWithAPageThatIsRefused) {
  for (const bool is_link : {true, false}) {
    Scene scene;
    scene.folder.write("a.tif");
    if (is_link) {
      std::filesystem::create_symlink("/etc/passwd", scene.folder / "type.tif");
    } else {
      ASSERT_EQ(::mkfifo((scene.folder / "type.tif").c_str(), 0666), 0);
    }
    scene.folder.write("order.yaml",
                       "mezzotint: 1\njob: order\npages:\n"
                       "- {input: a.tif, linework: type.tif}\n- {input: b.tif}\n");
    scene.look_until_complete();
    EXPECT_THAT(
        scene.tree(),
        ElementsAre(
            "failed/a.tif", "failed/order.yaml", "failed/order.yaml.error.txt", "failed/type.tif"));
    EXPECT_THAT(read(scene.folder / "failed/order.yaml.error.txt"),
                HasSubstr(is_link ? "type.tif, which it names, is refused: it is a link, and links"
                                  : "type.tif, which it names, is refused: it is a pipe"));
    EXPECT_EQ(scene.hot.arriving(), 0U);
    scene.folder.write("b.tif");  // not to be printed without its ticket
    scene.look_until_complete();
    EXPECT_THAT(read(scene.folder / "failed/b.tif.error.txt"),
                HasSubstr("The ticket order.yaml, which names it, has a mistake."));
  }
}

TEST(HotFolder, ATicketWaitsForAllItsLinework) {
  Scene scene;
  scene.folder.write("a.tif");
  scene.folder.write("order.yaml",
                     "mezzotint: 1\njob: order\npages:\n"
                     "- {input: a.tif, linework: [type.tif, {file: marks.tif, ink: all}]}\n");
  scene.folder.write("type.tif");
  scene.look_until_complete();
  EXPECT_THAT(scene.waiting(), IsEmpty());
  scene.folder.write("marks.tif");
  scene.look_until_complete();
  EXPECT_THAT(scene.waiting(), ElementsAre("order"));
}

TEST(HotFolder, ATicketWithLineworkOfEachInkWaitsForNoFileOfThatName) {
  Scene scene;
  scene.folder.write("a.tif");
  scene.folder.write("order.yaml",
                     "mezzotint: 1\njob: order\npages:\n"
                     "- {input: a.tif, linework: 'type_{ink}.tif'}\n");
  scene.look_until_complete();
  EXPECT_THAT(scene.waiting(), ElementsAre("order"));  // which is refused when it is read
}

TEST(HotFolder, ATicketTakesItsTilesAlong) {
  Scene scene;
  scene.folder.write("a.tif");
  scene.folder.write("order.yaml",
                     "mezzotint: 1\njob: order\npages:\n- {input: a.tif, halftone: {method: tile, "
                     "file: house.tif}, inks: {black: {halftone: {file: k.tif}}}}\n");
  scene.look_until_complete();
  EXPECT_THAT(scene.waiting(), IsEmpty());  // for its tiles
  scene.folder.write("house.tif");
  scene.folder.write("k.tif");
  scene.look_until_complete();
  EXPECT_THAT(scene.waiting(), ElementsAre("order"));
}

TEST(HotFolder, PagesWaitForTheTicketsThatTheSettingsRequire) {
  Scene scene;
  scene.folder.write("folder.yaml", kSetsYaml + std::string("tickets: required\n"));
  EXPECT_THAT(scene.hot.reload_settings(), IsEmpty());
  for (const char* name : {"a.tif", "b.tif", "c.tif", "d_cyan.tif"}) scene.folder.write(name);
  scene.look_until_complete();
  EXPECT_THAT(scene.waiting(), IsEmpty());
  EXPECT_EQ(scene.hot.arriving(), 4U);
  EXPECT_TRUE(scene.hot.next_look().has_value());
  scene.folder.write("order.yaml", kTicket);
  scene.look_until_complete();
  EXPECT_THAT(scene.waiting(), ElementsAre("order"));
  scene.look_after(15 * 60'000);
  EXPECT_THAT(scene.tree(), Contains("incomplete/c.tif"));
  EXPECT_THAT(scene.tree(), Contains("incomplete/d_cyan.tif"));
  EXPECT_THAT(read(scene.folder / "incomplete/c.tif.error.txt"), HasSubstr("`tickets: required`"));
}

TEST(HotFolder, ATicketThatComesAfterItsPageWasPrintedSaysSo) {
  Scene scene;
  scene.folder.write("done/a.tif");
  scene.folder.write("order.yaml", kTicket);
  scene.look_until_complete();
  scene.look_after(15 * 60'000);
  const std::string reason = read(scene.folder / "incomplete/order.yaml.error.txt");
  EXPECT_THAT(reason, HasSubstr("Missing after 15 min 00 s: a.tif, b.tif."));
  EXPECT_THAT(reason, HasSubstr("a.tif is in done/: its plates were made before the ticket came"));
}

TEST(HotFolder, RefusesTicketsThatLeadElsewhere) {
  for (const char* page : {"../a.tif", "/etc/a.tif", "sub/a.tif", "a.txt", ".a.tif"}) {
    Scene scene;
    scene.folder.write("order.yaml",
                       std::string("mezzotint: 1\njob: order\npages:\n- ") + page + "\n");
    scene.look_until_complete();
    EXPECT_THAT(scene.tree(), ElementsAre("failed/order.yaml", "failed/order.yaml.error.txt"));
    EXPECT_THAT(read(scene.folder / "failed/order.yaml.error.txt"), HasSubstr("one by one"));
  }
}

TEST(HotFolder, RefusesTicketsWithPatternsAtOnce) {
  for (const char* page : {"'*.tif'", "'a?.tif'"}) {
    Scene scene;
    scene.folder.write("a1.tif");
    scene.folder.write("order.yaml",
                       std::string("mezzotint: 1\njob: order\npages:\n- ") + page + "\n");
    scene.look_until_complete();
    EXPECT_THAT(scene.tree(),
                ElementsAre("a1.tif", "failed/order.yaml", "failed/order.yaml.error.txt"));
    EXPECT_THAT(read(scene.folder / "failed/order.yaml.error.txt"),
                HasSubstr("name files one by one"));
  }
}

TEST(HotFolder, RefusesPlatesThatWouldBePages) {
  Scene scene;
  scene.folder.write("order.yaml",
                     "mezzotint: 1\njob: order\ndefaults: {output: {path: '{stem}_{ink}.tif'}}\n"
                     "pages:\n- a.tif\n");
  scene.look_until_complete();
  EXPECT_THAT(read(scene.folder / "failed/order.yaml.error.txt"),
              HasSubstr("would lie among the pages of the hot folder"));
}

TEST(HotFolder, RefusesPlatesAmongFilesOfItsOwn) {
  for (const std::string where : {".work", "done", "failed", "incomplete", "reports"}) {
    Scene scene;
    const std::string job = "mezzotint: 1\njob: order\ndefaults: {output: {path: '" + where +
                            "/{stem}_{ink}.tif'}}\npages:\n- a.tif\n";
    scene.folder.write("order.yaml", job);
    scene.folder.write("sub/job.yaml", job);
    scene.folder.write("sub/a.tif");
    scene.look_until_complete();
    for (const char* name : {"order.yaml", "sub"}) {
      EXPECT_THAT(read(scene.folder / ("failed/" + std::string(name) + ".error.txt")),
                  HasSubstr("where the hot folder keeps files of its own"))
          << where << " " << name;
    }
  }
}

TEST(HotFolder, RefusesSettingsThatLeadBackIntoIt) {
  TempFolder around;
  around.write("hot/folder.yaml", "mezzotint: 1\nplates: ../hot/done\n");
  QuickCalls calls;
  watch::HotFolder hot(around / "hot", calls);
  ASSERT_EQ(hot.reload_settings().size(), 1U);
  EXPECT_THAT(hot.reload_settings()[0].message, HasSubstr("files of its own"));
}

TEST(HotFolder, TakesAFolderWithItsManifestAsAWhole) {
  Scene scene;
  scene.folder.write("order/more/b.tif", "b");
  scene.look_until_complete();
  EXPECT_THAT(scene.waiting(), IsEmpty());
  scene.folder.write("order/job.yaml", "j");
  scene.look_after(2000);
  scene.look_after(2000);
  scene.folder.write("order/more/c.tif");
  scene.look_after(2000);
  EXPECT_THAT(scene.waiting(), IsEmpty());
  scene.look_until_complete();
  EXPECT_THAT(scene.waiting(), ElementsAre("order"));
  scene.folder.write("order/more/b.tif", "B");  // after the look
  EXPECT_FALSE(scene.hot.claim(scene.hot.waiting()[0]).has_value());
  EXPECT_TRUE(std::filesystem::exists(scene.folder / "order/job.yaml"));
  scene.look_until_complete();
  auto job = scene.hot.claim(scene.hot.waiting().at(0));
  ASSERT_TRUE(job.has_value());
  EXPECT_EQ(read(job->work + "/more/b.tif"), "B");
  scene.hot.work().give_back(*job);
  EXPECT_THAT(scene.tree(), ElementsAre("order/job.yaml", "order/more/b.tif", "order/more/c.tif"));
}

TEST(HotFolder, LeavesAloneWhatSomebodyStillWrites) {
  Scene scene;
  scene.folder.write("a.tif", "the first half");
  scene.folder.write("order/job.yaml", "j");
  scene.folder.write("order/b.tif");
  std::ofstream page(scene.folder / "a.tif", std::ios::app);
  std::ofstream inside(scene.folder / "order/b.tif", std::ios::app);
  for (int again = 0; again < 3; ++again) {
    scene.look_until_complete();
    for (const watch::WaitingJob& job : scene.hot.waiting()) {
      EXPECT_FALSE(scene.hot.claim(job).has_value()) << job.name;
    }
    scene.look_after(500);
    EXPECT_THAT(scene.waiting(), IsEmpty());
    EXPECT_EQ(scene.hot.arriving(), 2U);
    EXPECT_TRUE(scene.hot.next_look().has_value());
    ASSERT_EQ(scene.hot.notes().size(), 2U);
    EXPECT_THAT(scene.hot.notes()[0].text, HasSubstr("still has it open for writing"));
  }
  EXPECT_THAT(scene.tree(), ElementsAre("a.tif", "order/b.tif", "order/job.yaml"));
  page.close();
  inside.close();
  scene.look_until_complete();
  EXPECT_THAT(scene.waiting(), UnorderedElementsAre("a", "order"));
  for (const watch::WaitingJob& job : scene.hot.waiting()) {
    EXPECT_TRUE(scene.hot.claim(job).has_value()) << job.name;
  }
}

TEST(HotFolder, DoesNotMoveASetAwayThatSomebodyStillWrites) {
  Scene scene;
  scene.folder.write("folder.yaml", kSetsYaml);
  scene.hot.reload_settings();
  scene.folder.write("a_cyan.tif");
  std::ofstream page(scene.folder / "a_cyan.tif", std::ios::app);
  scene.look_until_complete();
  scene.look_after(16 * 60'000);
  scene.look_until_complete();
  EXPECT_THAT(scene.tree(), ElementsAre("a_cyan.tif", "folder.yaml"));
  page.close();
  scene.look_until_complete();
  EXPECT_THAT(scene.tree(), Contains("incomplete/a_cyan.tif"));
}

TEST(HotFolder, GivesBackWhatChangedBeforeTheClaim) {
  Scene scene;
  scene.folder.write("a.tif", "old");
  scene.look_until_complete();
  scene.folder.write("a.tif", "newer");
  EXPECT_FALSE(scene.hot.claim(scene.hot.waiting().at(0)).has_value());
  EXPECT_THAT(scene.tree(), ElementsAre("a.tif"));
}

TEST(HotFolder, LeavesToOthersWhatTheyHold) {
  Scene scene;
  scene.folder.write("a.tif");
  scene.look_until_complete();
  auto job = scene.hot.claim(scene.hot.waiting().at(0));
  ASSERT_TRUE(job.has_value());
  scene.hot.work().record_attempt(*job);
  watch::HotFolder other(scene.folder.path(), scene.calls);
  EXPECT_THAT(take_all_orphaned(other), IsEmpty());
  job.reset();
  std::filesystem::remove(scene.folder /
                          (".work/" + names_in(scene.folder / ".work").at(0) + "/files/job.yaml"));
  auto left = take_all_orphaned(other);
  ASSERT_EQ(left.size(), 1U);
  EXPECT_TRUE(left[0].resumed);
  EXPECT_EQ(left[0].tries, 1U);
  EXPECT_EQ(left[0].name, "a");
  EXPECT_THAT(read(left[0].manifest), HasSubstr("a.tif"));
  EXPECT_THAT(take_all_orphaned(scene.hot), IsEmpty());
}

TEST(HotFolder, GivesBackWhatAClaimTookThatWasStopped) {
  for (const bool was_begun : {false, true}) {
    Scene scene;
    scene.folder.write("a.tif", "held still");
    scene.look_until_complete();
    auto job = scene.hot.claim(scene.hot.waiting().at(0));
    ASSERT_TRUE(job.has_value());
    if (was_begun) scene.hot.work().record_attempt(*job);
    // As when another page gets the name just before the claim's rename, and the watcher dies after it.
    scene.folder.write("new", "other");
    std::filesystem::rename(scene.folder / "new", job->work + "/a.tif");
    job.reset();
    EXPECT_EQ(take_all_orphaned(scene.hot).size(), was_begun ? 1U : 0U);
    EXPECT_EQ(std::filesystem::exists(scene.folder / "a.tif"), !was_begun);
    EXPECT_EQ(names_in(scene.folder / ".work").size(), was_begun ? 1U : 0U);
  }
}

TEST(HotFolder, TakesNoPageWhileAJobOfItsNameIsInWork) {
  Scene scene;
  const auto drop_and_claim = [&](watch::HotFolder& hot, const std::string& text) {
    scene.folder.write("a.tif", text);
    for (int look = 0; look < 4; ++look) hot.look(scene.at(scene.now_ms += 2000));
    return hot.waiting().empty() ? std::nullopt : hot.claim(hot.waiting().at(0));
  };
  auto first = drop_and_claim(scene.hot, "older");
  ASSERT_TRUE(first.has_value());
  watch::HotFolder other(scene.folder.path(), scene.calls);
  EXPECT_FALSE(drop_and_claim(other, "newer").has_value());
  other.look(scene.at(scene.now_ms += 1));
  EXPECT_THAT(other.waiting(), IsEmpty());  // for now
  ASSERT_EQ(other.notes().size(), 1U);
  EXPECT_THAT(other.notes()[0].text, HasSubstr("a job of this name is still in work"));
  scene.hot.work().finish(*first, watch::WorkEnd::kDone, "");
  EXPECT_TRUE(drop_and_claim(other, "newer").has_value());
}

TEST(HotFolder, EndsAJobWhoseRecordIsLost) {
  Scene scene;
  scene.folder.write("a.tif", "content");
  scene.look_until_complete();
  auto job = scene.hot.claim(scene.hot.waiting().at(0));
  ASSERT_TRUE(job.has_value());
  std::filesystem::remove(scene.folder / (".work/" + job->id + "/record"));
  EXPECT_THAT(scene.hot.work().finish(*job, watch::WorkEnd::kDone, ""), IsEmpty());
  EXPECT_THAT(scene.tree(),
              ElementsAre("failed/" + job->id + ".error.txt",
                          "failed/" + job->id + "/a.tif",
                          "failed/" + job->id + "/job.yaml"));
  EXPECT_THAT(read(scene.folder / ("failed/" + job->id + ".error.txt")), HasSubstr("is lost"));
}

/// The mark of a file, as a watcher keeps it of a page in done/.
files::FileMark mark_of(const std::string& path) {
  return *files::mark_of(files::FileSystem::real(), path);
}

TEST(HotFolder, KnowsALaterFileThatHasTheInodeOfAPage) {
  Scene scene;
  scene.folder.write("done/a.tif", "half");
  scene.look();
  watch::MovedFile page{
      .name = "a.tif", .path = "done/a.tif", .mark = mark_of(scene.folder / "done/a.tif")};
  EXPECT_FALSE(scene.hot.has_changed(page));
  std::ofstream(scene.folder / "done/a.tif") << "whole page";
  EXPECT_TRUE(scene.hot.has_changed(page));
  struct statx found {};
  ASSERT_EQ(::statx(AT_FDCWD, (scene.folder / "done/a.tif").c_str(), 0, STATX_BTIME, &found), 0);
  if ((found.stx_mask & STATX_BTIME) == 0) GTEST_SKIP() << "files have no time of birth here";
  page.mark.changed_ns -= 3'600'000'000'000;  // as if the mark were older than the file
  EXPECT_FALSE(scene.hot.has_changed(page));
}

TEST(HotFolder, KnowsALaterChangeWhoseTimeWasPutBack) {
  Scene scene;
  const std::string path = scene.folder / "done/a.tif";
  scene.folder.write("done/a.tif", "half");
  scene.look();
  files::Xxh3 digest;
  digest.add("half", 4);
  watch::MovedFile page{
      .name = "a.tif", .path = "done/a.tif", .mark = mark_of(path), .digest = digest.hex128()};
  const files::FileMark before = page.mark;
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  EXPECT_FALSE(scene.hot.has_changed(page)) << "other rights";
  EXPECT_EQ(page.mark, mark_of(path)) << "it need not be read again";
  std::filesystem::create_hard_link(path, scene.folder / "done/copy.tif");
  EXPECT_FALSE(scene.hot.has_changed(page)) << "a second name";
  const auto modified = std::filesystem::last_write_time(path);
  do {  // until the disk's clock has moved
    std::ofstream(path) << "full";
    std::filesystem::last_write_time(path, modified);
  } while (mark_of(path).changed_ns == page.mark.changed_ns);
  ASSERT_TRUE(mark_of(path).same_content(before)) << "as far as its size and time tell";
  EXPECT_TRUE(scene.hot.has_changed(page));
  page.digest.clear();
  EXPECT_FALSE(scene.hot.has_changed(page)) << "nothing tells what was changed";
}

TEST(HotFolder, SearchesManyLeftOverJobsInTurns) {
  Scene scene;
  for (int i = 0; i < 250; ++i)
    scene.folder.write(".work/b-" + std::to_string(i) + "/record", "{}");
  for (const char* name : {"a.tif", "b.tif"}) {
    scene.folder.write(name);
    scene.look_until_complete();
    auto job = scene.hot.claim(scene.hot.waiting().at(0));
    ASSERT_TRUE(job.has_value());
  }
  scene.hot.search_work();
  EXPECT_TRUE(scene.hot.is_searching());
  size_t calls = 0, jobs = 0;
  std::vector<watch::ClaimedJob> held;
  for (; scene.hot.is_searching(); ++calls) {
    for (watch::ClaimedJob& job : scene.hot.take_orphaned(1)) held.push_back(std::move(job));
    EXPECT_LE(held.size(), ++jobs);
  }
  EXPECT_GE(calls, 5U);
  EXPECT_EQ(held.size(), 2U);
}

TEST(HotFolder, LeavesAloneWhatUsersPutIntoWork) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives folders away";
  Scene scene;
  scene.folder.write(".work/b-1/record", "{}");
  scene.folder.write(".work/b-1/files/a.tif");
  ASSERT_EQ(::chown((scene.folder / ".work/b-1").c_str(), 12345, 12345), 0);
  ASSERT_EQ(::chown((scene.folder / ".work").c_str(), 12345, 12345), 0);  // made before a watcher's
  EXPECT_THAT(take_all_orphaned(scene.hot), IsEmpty());
  EXPECT_THAT(scene.tree(), ElementsAre(".work/b-1/files/a.tif", ".work/b-1/record"));
  ASSERT_EQ(scene.hot.notes().size(), 1U);
  EXPECT_THAT(scene.hot.notes()[0].text, HasSubstr("another user"));
}

TEST(HotFolder, ShowsFilesWhoseRecordIsLost) {
  Scene scene;
  scene.folder.write(".work/some-id/files/a.tif", "content");
  scene.folder.write(".work/other-id/record", "{");
  scene.folder.write(".work/other-id/files/b.tif");
  EXPECT_THAT(take_all_orphaned(scene.hot), IsEmpty());
  EXPECT_THAT(scene.tree(),
              ElementsAre("failed/other-id.error.txt",
                          "failed/other-id/b.tif",
                          "failed/some-id.error.txt",
                          "failed/some-id/a.tif"));
}

TEST(HotFolder, ComesBackAfterItsFolderWasGone) {
  Scene scene;
  scene.folder.write("a.tif");
  scene.look_until_complete();
  const std::string away = scene.folder.path() + "-away";
  std::filesystem::rename(scene.folder.path(), away);
  try {
    scene.look_after(2000);
    ADD_FAILURE() << "no Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kMissing);
  }
  EXPECT_THAT(scene.waiting(), IsEmpty());
  std::filesystem::create_directory(scene.folder.path());
  scene.folder.write("a.tif");
  scene.look_after(2000);
  EXPECT_THAT(scene.waiting(), IsEmpty());  // another folder: nothing is known of its files
  scene.look_until_complete();
  EXPECT_THAT(scene.waiting(), ElementsAre("a"));
  std::filesystem::remove_all(away);
}

constexpr const char* kOnPress =
    "mezzotint: 1\n"
    "press: ../presses/xl.yaml\n"
    "defaults:\n"
    "  halftone: {order: 2}\n"
    "  inks: {PANTONE 185 C: {label: \"P: 185\"}, varnish: drop}\n";
constexpr const char* kPress =
    "mezzotint-press: 1\n"
    "name: XL 106, board\n"
    "resolution: 1200\n"
    "halftone: {method: bayer}\n"
    "inks: {black: {label: K, names: [PB]}, spot: {tone: {curve: [[0%, 0%], [100%, 95%]]}}}\n";

TEST(HotFolder, PrintsOnThePressOfItsSettings) {
  TempFolder around;
  around.write("presses/xl.yaml", kPress);
  around.write("hot/folder.yaml", kOnPress);
  QuickCalls calls;
  watch::HotFolder hot(around / "hot", calls);
  EXPECT_THAT(hot.reload_settings(), IsEmpty());
  const manifests::PageSettings defaults = hot.settings().defaults;
  EXPECT_EQ(defaults.press->name, "XL 106, board");
  EXPECT_EQ(defaults.output.resolution_dpi, 1200U);
  EXPECT_EQ(defaults.halftone, (HalftoneSettings{.method = "bayer", .parameters = {{"order", 2}}}));
  // The manifest of loose pages has the same settings over the same press.
  const std::string text = manifests::write_manifest("x", hot.settings(), {{"a.tif"}});
  const auto parsed = manifests::parse_manifest(text, "m.yaml", {.given = hot.settings().press});
  ASSERT_EQ(parsed.index(), 0U) << text;
  EXPECT_EQ(std::get<0>(parsed)->pages.front().settings, defaults) << text;
  // A ticket is for that press, and for no other.
  around.write("hot/good.yaml",
               "mezzotint: 1\njob: x\npages: [{input: a.tif, halftone: {order: 3}}]\n");
  around.write("hot/bad.yaml", "mezzotint: 1\njob: x\npress: ../presses/xl.yaml\npages: [a.tif]\n");
  const files::Descriptor folder(::open((around / "hot").c_str(), O_RDONLY | O_DIRECTORY));
  EXPECT_TRUE(
      watch::read_ticket(folder.get(), "good.yaml", around / "hot", hot.settings()).is_readable);
  EXPECT_FALSE(
      watch::read_ticket(folder.get(), "bad.yaml", around / "hot", hot.settings()).is_readable);
}

TEST(HotFolder, NoticesAChangedPress) {
  TempFolder around;
  around.write("presses/xl.yaml", kPress);
  around.write("hot/folder.yaml", kOnPress);
  QuickCalls calls;
  watch::HotFolder hot(around / "hot", calls);
  EXPECT_THAT(hot.reload_settings(), IsEmpty());
  around.write("presses/xl.yaml", kPress + std::string("protect: both\n"));
  EXPECT_THAT(hot.reload_settings(), IsEmpty());
  EXPECT_TRUE(hot.settings().defaults.protect.any());
  around.write("presses/xl.yaml", kPress + std::string("protect: all\n"));
  for (int again = 0; again < 2; ++again) {
    ASSERT_EQ(hot.reload_settings().size(), 1U);
    EXPECT_TRUE(hot.reload_settings()[0].file.ends_with("presses/xl.yaml"));
    EXPECT_EQ(hot.reload_settings()[0].line, 6U);
    EXPECT_TRUE(hot.settings().defaults.protect.any());
  }
  std::filesystem::remove(around / "presses/xl.yaml");
  ASSERT_EQ(hot.reload_settings().size(), 1U);
  EXPECT_THAT(hot.reload_settings()[0].message, HasSubstr("there is no press file"));
  EXPECT_EQ(hot.reload_settings()[0].line, 2U);
  around.write("presses/xl.yaml", kPress);
  EXPECT_THAT(hot.reload_settings(), IsEmpty());
  EXPECT_FALSE(hot.settings().defaults.protect.any());
}

TEST(HotFolder, LetsItsUsersChooseNoPress) {
  TempFolder around;
  around.write("presses/xl.yaml", kPress);
  around.write("hot/xl.yaml", kPress);
  around.write("hot/folder.yaml", "mezzotint: 1\npress: xl.yaml\n");
  QuickCalls calls;
  watch::HotFolder hot(around / "hot", calls);
  ASSERT_EQ(hot.reload_settings().size(), 1U);
  EXPECT_THAT(hot.reload_settings()[0].message, HasSubstr("lies in the hot folder"));
  const auto link = around / "presses/link.yaml";
  std::filesystem::create_symlink(around / "hot/xl.yaml", link);
  around.write("hot/folder.yaml", "mezzotint: 1\npress: ../presses/link.yaml\n");
  ASSERT_EQ(hot.reload_settings().size(), 1U);
  EXPECT_THAT(hot.reload_settings()[0].message, HasSubstr("lies in the hot folder"));
  around.write("hot/folder.yaml", kOnPress);
  ASSERT_EQ(::chmod((around / "presses/xl.yaml").c_str(), 0666), 0);
  ASSERT_EQ(hot.reload_settings().size(), 1U);
  EXPECT_THAT(
      hot.reload_settings()[0].message,
      HasSubstr("the press file must be one that nobody but the watcher's user and root can "
                "write, and anyone may write to it"));
  ASSERT_EQ(::chmod((around / "presses/xl.yaml").c_str(), 0644), 0);
  EXPECT_THAT(hot.reload_settings(), IsEmpty());
  ASSERT_EQ(::chmod((around / "hot/folder.yaml").c_str(), 0666), 0);
  ASSERT_EQ(hot.reload_settings().size(), 1U);
  EXPECT_THAT(hot.reload_settings()[0].message, HasSubstr("anyone may write to it"));
  EXPECT_EQ(hot.settings().press->file, around / "hot/../presses/xl.yaml");
}

TEST(HotFolder, KeepsGoodSettings) {
  Scene scene;
  scene.folder.write("folder.yaml", kSetsYaml);
  EXPECT_THAT(scene.hot.reload_settings(), IsEmpty());
  EXPECT_EQ(scene.hot.settings().separations.inks.size(), 3U);
  scene.folder.write("folder.yaml", "mezzotint: 1\nseparation: {}\n");
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(scene.hot.reload_settings().size(), 1U);
    EXPECT_EQ(scene.hot.settings().separations.inks.size(), 3U);
  }
  std::filesystem::remove(scene.folder / "folder.yaml");
  std::filesystem::create_symlink("/dev/zero", scene.folder / "folder.yaml");
  EXPECT_EQ(scene.hot.reload_settings().size(), 1U);
  std::filesystem::remove(scene.folder / "folder.yaml");
  for (int again = 0; again < 2; ++again) {
    ASSERT_EQ(scene.hot.reload_settings().size(), 1U);
    EXPECT_EQ(scene.hot.reload_settings()[0].message, "the file is gone");
    EXPECT_EQ(scene.hot.settings().separations.inks.size(), 3U);
  }
  scene.folder.write("folder.yaml", "mezzotint: 1\n");
  EXPECT_THAT(scene.hot.reload_settings(), IsEmpty());
  EXPECT_THAT(scene.hot.settings().separations.inks, IsEmpty());
  watch::HotFolder later(scene.folder.path(), scene.calls);
  std::filesystem::remove(scene.folder / "folder.yaml");
  EXPECT_THAT(later.reload_settings(), IsEmpty());  // it never had any
}

/// A folder.yaml of this process's user that anyone may write to, like one of a stranger.
void write_as_stranger(const Scene& scene, const std::string& settings) {
  scene.folder.write("folder.yaml", "mezzotint: 1\n" + settings);
  ASSERT_EQ(::chmod((scene.folder / "folder.yaml").c_str(), 0666), 0);
}

/// "reserve" of "reserve: 0", and "done" of "keep: {done: 1 s}".
std::string name_in(const std::string& settings) {
  const size_t brace = settings.find('{');
  const size_t begin = brace == std::string::npos ? 0 : brace + 1;
  return settings.substr(begin, settings.find(':', begin) - begin);
}

TEST(HotFolder, TakesNothingBeyondItFromStrangers) {
  std::set<std::string> tried = {
      "plates", "limits", "priority"};  // and those that the table marks:
  for (const std::string settings : {"plates: ../other\n",
                                     "plates: /srv/other\n",
                                     "keep: {done: 1 s}\n",
                                     "keep: {failed: 1 s}\n",
                                     "reserve: 0\n",
                                     "limits: {memory: 2 GiB}\n",
                                     "hours: ['01:00-02:00']\n",
                                     "priority: 100\n",
                                     "throttle: 1\n",
                                     "tries: 100\n",
                                     "stall: 7 days\n"}) {
    Scene scene;
    write_as_stranger(scene, settings);
    const auto mistakes = scene.hot.reload_settings();
    ASSERT_EQ(mistakes.size(), 1U) << settings;
    EXPECT_THAT(mistakes[0].message, HasSubstr("'" + settings.substr(0, settings.find(':')) + "'"));
    EXPECT_THAT(mistakes[0].message, HasSubstr("anyone may write"));
    EXPECT_THAT(mistakes[0].hint, HasSubstr("chmod go-w " + scene.folder.path()));
    EXPECT_FALSE(scene.hot.has_settings()) << settings;
    EXPECT_EQ(scene.hot.settings(), manifests::FolderSettings()) << settings;
    ASSERT_EQ(::chmod((scene.folder / "folder.yaml").c_str(), 0644), 0);
    EXPECT_THAT(scene.hot.reload_settings(), IsEmpty()) << settings;
    tried.insert(name_in(settings));
  }
  for (const manifests::FolderGroup& group : manifests::folder_groups()) {
    for (const auto& row : group.rows) {
      if (!row.has(manifests::kReserved)) continue;
      EXPECT_TRUE(tried.contains(std::string(row.field.name))) << row.field.name << " is not tried";
    }
  }
}

TEST(HotFolder, TakesSettingsOfItsPagesFromAnyone) {
  Scene scene;
  write_as_stranger(scene,
                    "plates: made/here\nseparations: {inks: [cyan, magenta]}\n"
                    "stability: {looks: 3, every: 1 s, age: 1 s}\norder: name\n");
  EXPECT_THAT(scene.hot.reload_settings(), IsEmpty());
  EXPECT_EQ(scene.hot.settings().separations.inks.size(), 2U);
  EXPECT_EQ(scene.hot.plates(), scene.folder / "made/here");
}

TEST(HotFolder, KeepsWhatReachesBeyondItWhenAStrangerReplacesItsSettings) {
  Scene scene;
  scene.folder.write("folder.yaml", "mezzotint: 1\nplates: ../plates\nthrottle: 2\n");
  ASSERT_EQ(::chmod((scene.folder / "folder.yaml").c_str(), 0644), 0);
  EXPECT_THAT(scene.hot.reload_settings(), IsEmpty());
  write_as_stranger(scene, "order: name\n");
  const auto mistakes = scene.hot.reload_settings();
  ASSERT_EQ(mistakes.size(), 1U);
  EXPECT_THAT(mistakes[0].message, HasSubstr("'plates' and 'throttle'"));
  EXPECT_EQ(scene.hot.settings().throttle, 2U);
  EXPECT_TRUE(scene.hot.has_settings());
}

TEST(HotFolder, KnowsStrangersByTheOwnerOfTheFile) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  Scene scene;
  scene.folder.write("folder.yaml", "mezzotint: 1\nplates: ../plates\n");
  ASSERT_EQ(::chmod((scene.folder / "folder.yaml").c_str(), 0644), 0);
  ASSERT_EQ(::chown((scene.folder / "folder.yaml").c_str(), 12345, 12345), 0);
  const auto mistakes = scene.hot.reload_settings();
  ASSERT_EQ(mistakes.size(), 1U);
  EXPECT_THAT(mistakes[0].message, HasSubstr("belongs to user 12345"));
  EXPECT_THAT(mistakes[0].hint, HasSubstr("chown root " + scene.folder.path() + "/folder.yaml"));
  ASSERT_EQ(::chown((scene.folder / "folder.yaml").c_str(), 0, 0), 0);
  EXPECT_THAT(scene.hot.reload_settings(), IsEmpty());
}

TEST(HotFolder, KeepsTheOrderOfItsSettings) {
  const std::map<std::string, std::vector<std::string>> orders = {{"oldest", {"b", "c", "a"}},
                                                                  {"newest", {"a", "b", "c"}},
                                                                  {"smallest", {"c", "a", "b"}},
                                                                  {"largest", {"b", "a", "c"}},
                                                                  {"name", {"a", "b", "c"}}};
  for (const auto& [order, expected] : orders) {
    Scene scene;
    scene.folder.write("folder.yaml", "mezzotint: 1\norder: " + order + "\n");
    EXPECT_THAT(scene.hot.reload_settings(), IsEmpty());
    scene.folder.write("b.tif", "123");
    scene.folder.write("c.tif", "1");
    const auto now = std::filesystem::last_write_time(scene.folder / "b.tif");
    std::filesystem::last_write_time(scene.folder / "c.tif", now);
    scene.look_after(0);
    scene.folder.write("a.tif", "12");
    for (int look = 0; look < 5; ++look) {
      scene.look_until_complete();
      EXPECT_EQ(scene.waiting(), expected) << order;
    }
  }
}

TEST(HotFolder, FindsAFreeNameAmongMany) {
  Scene scene;
  scene.folder.write("done/a.tif");
  for (int i = 2; i <= 1100; ++i) scene.folder.write("done/a (" + std::to_string(i) + ").tif");
  scene.folder.write("a.tif");
  scene.look_until_complete();
  auto job = scene.hot.claim(scene.hot.waiting().at(0));
  const auto moved = scene.hot.work().finish(*job, watch::WorkEnd::kDone, "");
  EXPECT_EQ(moved.at(0).path, "done/a (2000).tif");
}

TEST(HotFolder, DropsAgainUnderTheOldName) {
  Scene scene;
  scene.folder.write("failed/a.tif");
  scene.folder.write("a.tif", "content");
  scene.look_until_complete();
  auto job = scene.hot.claim(scene.hot.waiting().at(0));
  const auto moved = scene.hot.work().finish(*job, watch::WorkEnd::kFailed, "torn");
  ASSERT_EQ(moved.at(0).path, "failed/a (2).tif");
  EXPECT_EQ(scene.hot.work().drop_again(moved), 1U);
  EXPECT_THAT(scene.tree(), ElementsAre("a.tif", "failed/a.tif"));
  EXPECT_EQ(scene.hot.work().drop_again(moved), 0U);
  EXPECT_EQ(scene.hot.work().drop_again({{.name = "x.tif", .path = "../x.tif"}}), 0U);
}

TEST(HotFolder, DropsNoOtherPageAgainThatHasGotTheName) {
  Scene scene;
  scene.folder.write("a.tif", "content");
  scene.look_until_complete();
  auto job = scene.hot.claim(scene.hot.waiting().at(0));
  const auto moved = scene.hot.work().finish(*job, watch::WorkEnd::kDone, "");
  ASSERT_EQ(moved.at(0).path, "done/a.tif");
  std::filesystem::rename(scene.folder / "done/a.tif", scene.folder / "done/kept.tif");
  scene.folder.write("done/a.tif", "of another day");
  EXPECT_EQ(scene.hot.work().drop_again(moved), 0U);
  EXPECT_THAT(scene.tree(), ElementsAre("done/a.tif", "done/kept.tif"));
  // The page itself in a new file, as from a backup.
  std::filesystem::copy_file(scene.folder / "done/kept.tif", scene.folder / "done/copy");
  std::filesystem::last_write_time(
      scene.folder / "done/copy", std::filesystem::last_write_time(scene.folder / "done/kept.tif"));
  std::filesystem::rename(scene.folder / "done/copy", scene.folder / "done/a.tif");
  EXPECT_EQ(scene.hot.work().drop_again(moved), 1U);
}

/// When the folder was made, by the clock of its files.
WallTime made(const Scene& scene) {
  const auto stat = files::stat_file(AT_FDCWD, scene.folder.path());
  return WallTime(
      std::chrono::duration_cast<WallTime::duration>(std::chrono::nanoseconds(stat->changed_ns)));
}

/// Deletes what is too old at `now`, in `steps` of deletions and looks at a file.
void clean_up(Scene& scene, WallTime now, int steps = 1'000'000) {
  watch::delete_old(
      scene.folder.path(), scene.hot.settings(), now, scene.calls, [&] { return steps-- > 0; });
}

TEST(HotFolder, DeletesFoldersHoweverDeep) {
  Scene scene;
  std::filesystem::create_directory(scene.folder / "done");
  files::Descriptor folder(::open((scene.folder / "done").c_str(), O_RDONLY | O_DIRECTORY));
  for (int depth = 0; depth < 2000; ++depth) {
    ASSERT_EQ(::mkdirat(folder.get(), "d", 0777), 0);
    folder.reset(::openat(folder.get(), "d", O_RDONLY | O_DIRECTORY));
  }
  folder.reset();
  scene.folder.write("done/e.tif");
  scene.folder.write("failed/f.tif");
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  const rlimit few{.rlim_cur = 100, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &few);
  const WallTime now = made(scene);
  EXPECT_NO_THROW(clean_up(scene, now + std::chrono::hours(24 * 31)));
  ::setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_THAT(scene.tree(), ElementsAre("done/", "failed/"));
}

TEST(HotFolder, GoesOnWithADeletionThatWasBrokenOff) {
  Scene scene;
  std::string deep = "done";
  for (int depth = 0; depth < 60; ++depth) deep += "/d";
  scene.folder.write(deep + "/a.tif");
  scene.folder.write("done/b.tif");
  const auto later = made(scene) + std::chrono::hours(24 * 8);
  clean_up(scene, later, 30);
  EXPECT_THAT(scene.tree(), Not(ElementsAre("done/")));
  for (int turn = 0; turn < 20; ++turn) clean_up(scene, later, 30);
  EXPECT_THAT(scene.tree(), ElementsAre("done/"));
}

TEST(KeepTimes, count_to_no_clock_that_was_set) {
  const WallTime begun(std::chrono::hours(24 * 365 * 30));
  const auto hour = std::chrono::hours(1), year = std::chrono::hours(24 * 365);
  EXPECT_EQ(watch::time_for_ages(begun + hour, begun, hour), begun + hour);
  EXPECT_EQ(watch::time_for_ages(begun + 20 * year, begun, hour), begun + hour);
  EXPECT_EQ(watch::time_for_ages(begun - year, begun, hour), begun - year);
}

TEST(HotFolder, DeletesWhatIsOldEnough) {
  Scene scene;
  for (const char* name : {"done/a.tif", "done/order/more/b.tif", "failed/c.tif", "reports/id/r"}) {
    scene.folder.write(name);
  }
  const WallTime now = made(scene);
  clean_up(scene, now + std::chrono::hours(24 * 7 - 1));
  EXPECT_EQ(scene.tree().size(), 4U);
  clean_up(scene, now + std::chrono::hours(24 * 7 + 1));
  EXPECT_THAT(scene.tree(), ElementsAre("done/", "failed/c.tif", "reports/id/r"));
  clean_up(scene, now + std::chrono::hours(24 * 30 + 1));
  EXPECT_THAT(scene.tree(), ElementsAre("done/", "failed/", "reports/"));
}

}  // namespace
}  // namespace mezzo::test::hot_folder_test
