#include "pipeline/watch/job/worker_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "pipeline/text.h"

namespace mezzo::test::worker_report_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr process::WorkerEnd exited(int status) {
  return {status, 0};
}

watch::WorkerReport failed_with(const std::string& kind) {
  watch::WorkerReport report;
  report.add(R"({"type":"sheet","ok":false,"error":{"kind":")" + kind + R"(","message":"m"}})");
  report.add(R"({"type":"job","ok":false})");
  return report;
}

TEST(WorkerReport, follows_the_job) {
  watch::WorkerReport report;
  EXPECT_EQ(report.add(R"({"v":1,"type":"begun","pixels":100})"),
            watch::WorkerReport::Line::kProgress);
  report.add(R"({"type":"pulse","pixels_done":40})");
  EXPECT_EQ(report.pixels_done(), 40U);
  report.add(R"({"type":"paused","reason":"no space"})");
  ASSERT_TRUE(report.paused());
  EXPECT_EQ(report.paused()->reason, "no space");
  report.add(R"({"type":"continued"})");
  EXPECT_FALSE(report.paused());
  EXPECT_EQ(report.add(R"({"type":"sheet","ok":true,"pixels":100,"seconds":2,)"
                       R"("plates":[{"ink":"K","path":"/p.tif","coverage_percent":3}]})"),
            watch::WorkerReport::Line::kSheet);
  EXPECT_EQ(report.last_sheet().seconds, 2);
  EXPECT_EQ(report.plate_count(), 1U);
  EXPECT_EQ(report.outcome(exited(0), {}).kind, watch::RunOutcome::kTryAgain);  // no last line yet
  report.add(R"({"type":"job","ok":true})");
  EXPECT_EQ(report.outcome(exited(0), {}).kind, watch::RunOutcome::kGood);
  EXPECT_EQ(report.outcome({0, 9}, {}).kind, watch::RunOutcome::kTryAgain);
}

TEST(WorkerReport, adds_up_its_sheets) {
  watch::WorkerReport report;
  const std::string made = R"({"type":"sheet","ok":true,"already_done":true,"pixels":1000,)"
                           R"("seconds":5,"plates":[{"path":"/p.tif"}]})";
  EXPECT_EQ(report.add(made),
            watch::WorkerReport::Line::kProgress);  // by an earlier run: it is not counted
  EXPECT_EQ(report.plate_count(), 1U);
  report.add(R"({"type":"begun","pixels":100})");
  report.add(R"({"type":"begun","pixels":50})");
  EXPECT_EQ(report.pixels(), 150U);
  EXPECT_EQ(report.pixels_done(), 0U);
  report.add(R"({"type":"pulse","pixels_done":120})");
  EXPECT_EQ(report.add(R"({"type":"sheet","ok":true,"already_done":false,"pixels":100})"),
            watch::WorkerReport::Line::kSheet);
  EXPECT_EQ(report.pixels_done(), 120U);
  report.add(R"({"type":"sheet","ok":true,"pixels":50})");
  EXPECT_EQ(report.pixels_done(), 150U);
}

TEST(WorkerReport, tells_failures_that_last_from_those_that_may_pass) {
  for (const char* kind : {"usage", "data", "unsupported", "limit", "checksum", "missing"}) {
    EXPECT_EQ(failed_with(kind).outcome(exited(1), {}).kind, watch::RunOutcome::kBad) << kind;
  }
  for (const char* kind : {"io", "disk-full", "out-of-memory", "device-lost", "unheard-of", ""}) {
    EXPECT_EQ(failed_with(kind).outcome(exited(1), {}).kind, watch::RunOutcome::kTryAgain) << kind;
  }
  for (const int status : {64, 65, 66, 69}) {
    EXPECT_EQ(watch::WorkerReport().outcome(exited(status), {}).kind, watch::RunOutcome::kBad)
        << status;
  }
  for (const int status : {0, 1, 2, 70, 71, 73, 74, 75, 127, 130, 143}) {
    EXPECT_EQ(watch::WorkerReport().outcome(exited(status), {}).kind, watch::RunOutcome::kTryAgain)
        << status;
  }
}

TEST(OneLine, has_nothing_that_steers_a_terminal) {
  EXPECT_EQ(one_line("a\nb\x1b[1m\x7f"), "a b [1m ");
  EXPECT_EQ(one_line("a\xC2\x9B"
                     "1mb"),
            "a 1mb");  // CSI in one character
  EXPECT_EQ(one_line("x\xE2\x80\xAE"
                     "fit.a"),
            "x fit.a");  // from right to left
  EXPECT_EQ(one_line("\xC3\xA4 \xE2\x82\xAC"), "\xC3\xA4 \xE2\x82\xAC");
}

TEST(WorkerReport, has_last_words_where_there_is_no_other_reason) {
  EXPECT_EQ(watch::WorkerReport().outcome(exited(70), {"first", "last \x1b[31m\xFF"}).reason,
            "the worker ended with status 70; its last message: last  [31m\xEF\xBF\xBD");
  EXPECT_EQ(watch::WorkerReport().outcome({0, 9}, {}).reason,
            "the worker was killed by signal 9 (Killed)");
}

TEST(WorkerReport, names_lines_only_of_a_manifest_that_somebody_wrote) {
  const std::string line = R"({"type":"diagnostic","file":"job.yaml","line":19,)"
                           R"("message":"input 'a.tif' cannot be read","hint":"chmod it"})";
  watch::WorkerReport of_ticket(true), of_page(false);
  of_ticket.add(line);
  of_page.add(line);
  const watch::Outcome ticket = of_ticket.outcome(exited(65), {});
  EXPECT_EQ(ticket.reason, "job.yaml:19: input 'a.tif' cannot be read; chmod it");
  EXPECT_THAT(ticket.advice, HasSubstr("Correct the manifest"));
  const watch::Outcome page = of_page.outcome(exited(65), {});
  EXPECT_EQ(page.reason, "input 'a.tif' cannot be read; chmod it");
  EXPECT_THAT(page.advice, Not(HasSubstr("manifest")));
  EXPECT_THAT(page.advice, HasSubstr("drop the page again"));
}

TEST(WorkerReport, names_the_place_of_a_setting) {
  watch::WorkerReport report;
  report.add(R"({"type":"sheet","ok":false,"error":{"kind":"usage","place":"job.yaml:3:4",)"
             R"("message":"a.tif: too fine","hint":"Use 75 lpi."}})");
  const watch::Outcome outcome = report.outcome(exited(65), {});
  EXPECT_EQ(outcome.reason, "job.yaml:3:4: a.tif: too fine");
  EXPECT_EQ(outcome.advice, "Use 75 lpi.");
}

TEST(WorkerReport, tells_the_reason_of_a_whole_set_once) {
  const std::string line =
      R"({"type":"sheet","ok":false,"error":{"kind":"data",)"
      R"("message":"b.tif has 300 dpi and a.tif none","hint":"Export both."}})";
  watch::WorkerReport report;
  for (int i = 0; i < 5; ++i) report.add(line);
  EXPECT_EQ(report.outcome(exited(1), {}).reason, "b.tif has 300 dpi and a.tif none");
}

TEST(WorkerReport, suspects_the_memory_when_its_worker_was_killed) {
  EXPECT_THAT(watch::WorkerReport().outcome({0, SIGKILL}, {}).advice, HasSubstr("memory"));
  EXPECT_THAT(watch::WorkerReport().outcome({0, SIGSEGV}, {}).advice, HasSubstr("report this"));
}

TEST(WorkerReport, takes_anything) {
  watch::WorkerReport report;
  for (const std::string line : {"",
                                 "{",
                                 "[]",
                                 "7",
                                 "{\"type\":\"\xFF\"}",
                                 R"({"type":["sheet"]})",
                                 R"({"type":"nothing"})"}) {
    EXPECT_EQ(report.add(line), watch::WorkerReport::Line::kNotOurs) << line;
  }
  EXPECT_EQ(report.add(std::string(200'000, '[')), watch::WorkerReport::Line::kNotOurs);
  report.add(R"({"type":"pulse","pixels_done":-5})");
  EXPECT_EQ(report.pixels_done(), 0U);
  report.add(R"({"type":"sheet","plates":[1,{"path":2}],"error":"x","pixels":1e300})");
  EXPECT_EQ(report.plate_count(), 1U);
  for (int i = 0; i < 2000; ++i) report.add(R"({"type":"sheet","plates":[{"path":"p"}]})");
  EXPECT_EQ(report.plate_count(), 2001U);
  EXPECT_EQ(report.plates().size(), 1000U);
}

TEST(OneLine, keeps_to_one_line) {
  EXPECT_EQ(one_line("a\nb\tc\r\x7f"), "a b c  ");
  EXPECT_EQ(one_line("\xC3\xA4\xC3\xA4", 3), "\xC3\xA4...");
}

}  // namespace
}  // namespace mezzo::test::worker_report_test
