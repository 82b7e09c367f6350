// What a report advises on a failed page: the case, not the kind of its error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "pipeline/plan/plan.h"
#include "pipeline/report/report_data.h"
#include "pipeline/report/report_json.h"
#include "pipeline/report/report_page.h"
#include "stages/files/publish.h"
#include "stages/tiff/plate/contone_writer.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::advice_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A page of a job, which each case spoils in its way.
class Advice : public ::testing::Test {
 protected:
  manifests::JobPage& add(const std::string& name, double dpi = 300, uint32_t planes = 1) {
    tiff::ContoneOptions options;
    options.width_px = 30;
    options.height_px = 20;
    options.planes = planes;
    options.dpi = dpi;
    const auto writer = tiff::ContoneWriter::create(folder_ / name, options);
    const std::vector<std::byte> rows(size_t{30} * 20 * planes);
    writer->write_rows(rows.data(), 20);
    writer->finish();
    manifests::JobPage& page = job_.pages.emplace_back();
    page.input = folder_ / name;
    page.settings.output.path = folder_ / ("plates/" + name + "_{ink}.tif");
    return page;
  }

  /// The first failure of the job.
  plan::Failure failure() const {
    for (const plan::SheetPlan& sheet : plan::make_plan(job_).sheets) {
      if (sheet.failure) return *sheet.failure;
    }
    return {ErrorKind::kBug, "no page failed"};
  }

  plan::Failure of_file_error(int number) const {
    return plan::Failure::of(
        files::file_error("p.tif", "creating it", number, ErrorKind::kCannotCreate));
  }

  TempFolder folder_;
  manifests::Job job_;
};

TEST_F(Advice, IsAnotherForEachCase) {
  const std::map<std::string, std::function<plan::Failure()>> cases = {
      {"cut off",
       [&] {
         add("a.tif");
         std::filesystem::resize_file(folder_ / "a.tif", 300);
         return failure();
       }},
      {"a JPEG",
       [&] {
         add("a.tif");
         folder_.write("a.tif", "\xFF\xD8\xFF\xE0 and so on");
         return failure();
       }},
      {"separations that differ",
       [&] {
         add("tea_cyan.tif").ink = "cyan";
         add("tea_gold.tif", 0).ink = "gold";
         return failure();
       }},
      {"no resolution",
       [&] {
         add("a.tif", 0).settings.output.resolution_dpi = 2400;
         return failure();
       }},
      {"too fine a ruling",
       [&] {
         add("a.tif").settings.halftone = {.method = "am", .parameters = {{"ruling", 175}}};
         return failure();
       }},
      {"one plate for all inks",
       [&] {
         add("a.tif", 300, 4).settings.output.path = folder_ / "p.tif";
         return failure();
       }},
      {"one plate for two pages",
       [&] {
         add("a.tif").settings.output.path = folder_ / "p_{ink}.tif";
         add("b.tif").settings.output.path = folder_ / "p_{ink}.tif";
         return failure();
       }},
      {"the plate of an input",
       [&] {
         add("a.tif").settings.output.path = folder_ / "a.tif";
         return failure();
       }},
      {"too little memory",
       [&] {
         add("a.tif");
         job_.limits.memory_bytes = 1 << 20;
         return failure();
       }},
      {"too large a ratio",
       [&] {
         add("a.tif", 301.7).settings.output.resolution_dpi = 2400;
         return failure();
       }},
      {"disk full", [&] { return of_file_error(ENOSPC); }},
      {"no quota", [&] { return of_file_error(EDQUOT); }},
      {"no permission", [&] { return of_file_error(EACCES); }},
      {"read only", [&] { return of_file_error(EROFS); }},
      {"name taken", [&] { return of_file_error(EEXIST); }}};
  std::map<std::string, std::string> seen;
  for (const auto& [name, spoil] : cases) {
    job_ = {};
    const plan::Failure found = spoil();
    ASSERT_NE(found.kind, ErrorKind::kBug) << name << ": " << found.message;
    const std::string advice = report::advice_on(found);
    EXPECT_NE(advice, report::advice_on(found.kind)) << name << ": " << found.message;
    EXPECT_TRUE(advice.ends_with('.') && advice.front() >= 'A' && advice.front() <= 'Z') << advice;
    EXPECT_THAT(found.message, Not(HasSubstr(found.advice))) << "it is said twice";
    const auto [other, is_new] = seen.emplace(advice, name);
    EXPECT_TRUE(is_new) << name << " and " << other->second << " both get: " << advice;
  }
}

TEST_F(Advice, IsShownOnce) {
  add("a.tif");
  folder_.write("a.tif", "%PDF-1.7");
  plan::JobPlan plan = plan::make_plan(job_);
  const run::JobResult result;
  const report::ReportData data{plan, result, {}, {}, {{}}};
  for (const std::string& text : {report::report_page(data), report::report_json(data)}) {
    const std::string advice = "Export the page as TIFF.";
    const size_t at = text.find(advice);
    ASSERT_NE(at, std::string::npos) << text;
    EXPECT_EQ(text.find("xport the page as TIFF", at + advice.size()), std::string::npos);
    EXPECT_THAT(text, HasSubstr("this is a PDF file, not a TIFF"));
  }
}

TEST_F(Advice, OnAKindIsForCasesThatHaveNone) {
  EXPECT_EQ(report::advice_on(plan::Failure{ErrorKind::kData, "a.tif: odd"}),
            report::advice_on(ErrorKind::kData));
  EXPECT_EQ(report::advice_on(plan::Failure{ErrorKind::kData, "a.tif: odd", "turn it"}),
            "Turn it.");
}

}  // namespace
}  // namespace mezzo::test::advice_test
