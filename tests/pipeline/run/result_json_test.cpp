#include "pipeline/run/result_json.h"

#include <gtest/gtest.h>

#include "kernels/base/error.h"
#include "manifests/json/members.h"

namespace mezzo::test::result_json_test {
namespace {

run::SheetResult some_result() {
  run::SheetResult result;
  result.input = "in/page.tif";
  result.pages = {0, 4};
  result.pixels = 3'000'000'000'000;
  result.input_bytes = 12'345;
  result.begin_seconds = 0.25;
  result.seconds = 1.5000004;
  result.stages[2] = 0.125;
  result.timeline = {{1, 0.1, 0.3, 0.125}};
  result.verified = tiff::VerifyLevel::kRecompute;
  result.already_done = true;
  result.notes = {"one", "two"};
  result.plates = {{"black", "/out/k.tif", "g4", 1000, "0123456789abcdef", 12.5},
                   {"cyan", "/out/c.tif", "deflate", 2000, "fedcba9876543210", 0.1}};
  return result;
}

run::SheetResult parse(const std::string& text) {
  return json::from_value<run::SheetResult>(json::parse(text), json::Reading::kPartial);
}

TEST(ResultJson, ReadsBackWhatItWrote) {
  const run::SheetResult wrote = some_result();
  json::Value object = {{"type", "sheet"}};
  json::add_members(object, wrote);
  EXPECT_EQ(object["type"], json::Value("sheet"));
  EXPECT_EQ(object["pages"], json::Value(std::vector<int>{1, 5}));
  const run::SheetResult read = parse(json::to_text(object));
  EXPECT_EQ(read.input, wrote.input);
  EXPECT_EQ(read.pages, wrote.pages);
  EXPECT_FALSE(read.failure);
  EXPECT_EQ(read.pixels, wrote.pixels);
  EXPECT_EQ(read.input_bytes, wrote.input_bytes);
  EXPECT_EQ(read.begin_seconds, wrote.begin_seconds);
  EXPECT_EQ(read.seconds, 1.5);  // to the microsecond
  EXPECT_EQ(read.stages, wrote.stages);
  EXPECT_EQ(read.timeline, wrote.timeline);
  EXPECT_EQ(read.verified, wrote.verified);
  EXPECT_TRUE(read.already_done);
  EXPECT_EQ(read.notes, wrote.notes);
  ASSERT_EQ(read.plates.size(), 2U);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(read.plates[i].ink, wrote.plates[i].ink);
    EXPECT_EQ(read.plates[i].path, wrote.plates[i].path);
    EXPECT_EQ(read.plates[i].compression, wrote.plates[i].compression);
    EXPECT_EQ(read.plates[i].file_bytes, wrote.plates[i].file_bytes);
    EXPECT_EQ(read.plates[i].content_sum, wrote.plates[i].content_sum);
    EXPECT_EQ(read.plates[i].coverage_percent, wrote.plates[i].coverage_percent);
  }
}

TEST(ResultJson, ReadsDigestsOfVersion01) {
  json::Value object = {{"type", "sheet"}};
  json::add_members(object, some_result());
  std::string text = json::to_text(object);
  for (size_t at = 0; (at = text.find("content_sum", at)) != std::string::npos;) {
    text.replace(at, 11, "content_xxh3");
  }
  EXPECT_EQ(parse(text).plates.at(1).content_sum, "fedcba9876543210");
}

TEST(ResultJson, IsTheseBytes) {
  json::Value object = {{"type", "sheet"}};
  json::add_members(object, some_result());
  EXPECT_EQ(
      json::to_text(object),
      R"({"type":"sheet","input":"in/page.tif","pages":[1,5],"pixels":3000000000000,)"
      R"("input_bytes":12345,"begin_seconds":0.25,"seconds":1.5,"stage_seconds":{"read":0.0,)"
      R"("halftone":0.0,"GPU":0.125,"cut":0.0,"encode":0.0,"write":0.0,"seal":0.0},)"
      R"("verified":true,"verified_by":"recompute","already_done":true,"notes":["one","two"],"timeline":[[1,0.1,0.3,)"
      R"(0.125]],"plates":[{"ink":"black","path":"/out/k.tif","compression":"g4",)"
      R"("file_bytes":1000,"content_sum":"0123456789abcdef","coverage_percent":12.5},)"
      R"({"ink":"cyan","path":"/out/c.tif","compression":"deflate","file_bytes":2000,)"
      R"("content_sum":"fedcba9876543210","coverage_percent":0.1}]})");
}

TEST(ResultJson, LeavesWhatIsMissingAndPassesOverWhatIsNew) {
  const run::SheetResult empty = parse("{}");
  EXPECT_EQ(empty.input, "");
  EXPECT_TRUE(empty.pages.empty());
  EXPECT_EQ(empty.seconds, 0);
  EXPECT_FALSE(empty.already_done);
  const run::SheetResult later = parse(
      R"({"seconds": 2, "mood": {}, "timeline": [[99, 0, 1, 1], [0, 0, 1, 1]],
          "stage_seconds": {"polish": 3, "read": 1}, "plates": [{"gloss": 1}]})");
  EXPECT_EQ(later.seconds, 2);
  EXPECT_EQ(later.timeline, (std::vector<run::Activity>{{0, 0, 1, 1}}));
  EXPECT_EQ(later.stages[0], 1);
  EXPECT_EQ(later.plates.size(), 1U);
}

TEST(ResultJson, ReadsLevelsOfVerificationOldAndNew) {
  using tiff::VerifyLevel;
  EXPECT_EQ(parse(R"({"verified": true})").verified, VerifyLevel::kRecompute);
  EXPECT_EQ(parse(R"({"verified": false})").verified, std::nullopt);
  EXPECT_EQ(parse(R"({"verified": false, "verified_by": "bytes"})").verified, VerifyLevel::kBytes);
  EXPECT_EQ(parse(R"({"verified": false, "verified_by": "x-rays"})").verified, std::nullopt);
}

TEST(ResultJson, RefusesMembersOfAnotherType) {
  for (const char* text : {R"([])",
                           R"({"input": 3})",
                           R"({"pages": [0]})",
                           R"({"pages": [1.5]})",
                           R"({"pages": [4294967296]})",
                           R"({"pages": {"a": 1}})",
                           R"({"pixels": -1})",
                           R"({"pixels": 1e300})",
                           R"({"seconds": null})",
                           R"({"verified": 1})",
                           R"({"notes": "one"})",
                           R"({"timeline": [[1, 2]]})",
                           R"({"timeline": [["read", 0, 1, 1]]})",
                           R"({"plates": [[]]})",
                           R"({"plates": [{"file_bytes": "7"}]})"}) {
    EXPECT_THROW(parse(text), Error) << text;
  }
}

}  // namespace
}  // namespace mezzo::test::result_json_test
