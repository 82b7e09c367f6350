// Parameters with units, and such as must fit each other, in manifests and their schema.
#include "manifests/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/manifests/manifest_support.h"
#include "tests/support/extra_method.h"
#include "tests/support/toy_search.h"

namespace mezzo::test::parameters_test {
namespace {

using test::kToySearch;
using ::testing::HasSubstr;

const ParameterInfo& parameter(std::string_view name) {
  return *std::ranges::find(kToySearch.parameters, name, &ParameterInfo::name);
}

TEST(Units, MayStandBehindTheirNumber) {
  for (const char* text : {"30", "30 s", "30s", "30.0 s"}) {
    const auto parsed = manifests::parse_parameter(parameter("budget"), text);
    EXPECT_EQ(parsed.value, 30) << text << " " << parsed.problem;
  }
  EXPECT_EQ(manifests::parse_parameter(parameter("pause"), "10 ms").value, 10);
  EXPECT_EQ(manifests::parse_parameter(parameter("rounds"), "10").value, 10);
}

TEST(Units, AreTheParametersOwn) {
  for (const char* text : {"30 m", "30 ms", "30  s", " 30 s", "30 s ", "30 S", "s", "", "3,5 s"}) {
    const auto parsed = manifests::parse_parameter(parameter("budget"), text);
    EXPECT_FALSE(parsed.value) << text;
    EXPECT_EQ(parsed.problem,
              "must be a number from 0 s to 3600 s, found '" + std::string(text) + "'");
  }
  EXPECT_EQ(manifests::parse_parameter(parameter("budget"), "30 m").hint, "its unit is s");
  EXPECT_FALSE(manifests::parse_parameter(parameter("pause"), "1.5 ms").value) << "must be whole";
  EXPECT_FALSE(manifests::parse_parameter(parameter("rounds"), "10 s").value) << "has no unit";
}

TEST(Units, OfValuesOutOfRangeAreNamed) {
  const ExtraMethod listed(kToySearch);
  try {
    with_defaults({.method = "toy-search", .parameters = {{"budget", 4000}}});
    ADD_FAILURE() << "it was accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "parameter 'budget' must be in 0 .. 3600 s, found 4000");
  }
}

/// What a page's halftone block is to say in braces.
std::string page_with(const std::string& halftone) {
  return "  - {input: a.tif, halftone: {method: toy-search, " + halftone + "}}\n";
}

class Parameters : public ::testing::Test {
 protected:
  Parameters() { folder_.write("a.tif"); }
  std::string mistakes_of(const std::string& pages) const {
    return mistakes(pages, folder_.path());
  }

  const ExtraMethod listed_{kToySearch};
  TempFolder folder_;
};

TEST_F(Parameters, WithAUnitAreReadFromAManifest) {
  for (const char* text : {"30", "30 s", "30s", "\"30 s\"", "'30'"}) {
    const manifests::Job job = job_of(
        "mezzotint: 1\njob: x\npages:\n" + page_with(std::string("budget: ") + text), folder_);
    ASSERT_EQ(job.pages.size(), 1U) << text;
    EXPECT_EQ(job.pages[0].settings.halftone.parameters.at("budget"), 30) << text;
  }
  EXPECT_EQ(mistakes_of(page_with("budget: 30 min")),
            "4:59: 'budget' must be a number from 0 s to 3600 s, found '30 min'\n"
            "  its unit is s\n");
  EXPECT_EQ(mistakes_of(page_with("budget: 3601 s")),
            "4:59: 'budget' must be a number from 0 s to 3600 s, found '3601 s'\n");
  EXPECT_THAT(mistakes_of(page_with("rounds: '3'")), HasSubstr("take the quotes away"));
}

constexpr const char* kUnfit = "method 'toy-search': 'slab_rows' must be 0 or at least 5\n";

TEST_F(Parameters, ThatDoNotFitAreToldOfWhereTheMethodStands) {
  EXPECT_EQ(mistakes_of(page_with("slab_rows: 5")), "none");
  EXPECT_EQ(mistakes_of("  - input: a.tif\n"
                        "    halftone:\n"
                        "      slab_rows: 3\n"
                        "      method: toy-search\n"),
            std::string("7:7: ") + kUnfit);
  EXPECT_EQ(mistakes_of(page_with("slab_rows: 3, budget: x")),
            "4:73: 'budget' must be a number from 0 s to 3600 s, found 'x'\n"
            "  its unit is s\n")
      << "one thing at a time";
}

TEST_F(Parameters, OfDefaultsNeedFitOnlyAsPagesUseThem) {
  const auto mistakes_with = [&](const std::string& pages) {
    const auto job = resolved(
        "mezzotint: 1\njob: x\n"
        "defaults:\n"
        "  halftone: {method: toy-search, slab_rows: 3}\n"
        "  output: {path: 'plates/{stem}{page}_{ink}.tif'}\n"
        "pages:\n" +
            pages,
        folder_.path());
    const auto* wrong = std::get_if<std::vector<Diagnostic>>(&job);
    return wrong == nullptr ? "none" : messages(*wrong);
  };
  EXPECT_EQ(mistakes_with("  - {input: a.tif, halftone: {slab_rows: 8}}\n"), "none");
  EXPECT_EQ(mistakes_with("  - {input: a.tif, halftone: {method: bayer}}\n"), "none");
  EXPECT_EQ(mistakes_with("  - a.tif\n  - {input: a.tif, pages: 2}\n"),
            std::string("4:14: ") + kUnfit)
      << "once, where the defaults have it";
  EXPECT_EQ(mistakes_with("  - input: a.tif\n    halftone: {rounds: 7}\n"),
            std::string("8:5: ") + kUnfit);
}

TEST_F(Parameters, WithAUnitAreNumbersOrTextsInTheSchema) {
  std::string schema = manifests::manifest_schema();
  std::erase_if(schema, [](char c) { return c == '\n' || c == ' '; });
  EXPECT_THAT(schema,
              HasSubstr(R"("type":["number","string"],"minimum":0,"maximum":3600,"maxLength":)"));
  EXPECT_THAT(schema, HasSubstr(R"("pattern":"^(0|[1-9][0-9]*)(\\.[0-9]+)?(?s)?$")"));
  EXPECT_THAT(schema, HasSubstr(R"("pattern":"^(0|[1-9][0-9]*)(?ms)?$")"));
}

}  // namespace
}  // namespace mezzo::test::parameters_test
