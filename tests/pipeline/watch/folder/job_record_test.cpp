#include "pipeline/watch/folder/job_record.h"

#include <gtest/gtest.h>

namespace mezzo::test::job_record_test {
namespace {

watch::JobRecord some_record() {
  return {.kind = watch::JobKind::kPages,
          .name = "cover \u00e4",
          .files = {{.name = "a\"b.tif", .inside = "0.tif", .inode = UINT64_MAX},
                    {.name = "bad\xFF.tif", .inside = "1.tif", .inode = 0}},
          .manifest = "mezzotint: 1\n\tpages: []\n",
          .loose_end = watch::WorkEnd::kIncomplete,
          .loose_reason = "\x01",
          .end = {}};
}

TEST(JobRecord, is_these_bytes) {
  EXPECT_EQ(
      watch::to_text(some_record()),
      R"({"end":"incomplete","files":[{"inode":18446744073709551615,"inside":"0.tif",)"
      R"("name":"a\"b.tif"},{"inode":0,"inside":"1.tif","name":"1.tif"}],"kind":"pages",)"
      R"("manifest":"mezzotint: 1\n\tpages: []\n","name":"cover ä","reason":"\u0001","v":1})");
  EXPECT_EQ(
      watch::to_text({}),
      R"({"end":"failed","files":[],"kind":"loose","manifest":"","name":"","reason":"","v":1})");
}

TEST(JobRecord, is_read_as_it_was_written) {
  const auto read = watch::parse_record(watch::to_text(some_record()));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kind, watch::JobKind::kPages);
  EXPECT_EQ(read->name, "cover \u00e4");
  ASSERT_EQ(read->files.size(), 2U);
  EXPECT_EQ(read->files[0].name, "a\"b.tif");
  EXPECT_EQ(read->files[0].inside, "0.tif");
  EXPECT_EQ(read->files[0].inode, UINT64_MAX);
  EXPECT_EQ(read->files[1].name, "1.tif");  // its own is no UTF-8
  EXPECT_EQ(read->manifest, some_record().manifest);
  EXPECT_EQ(read->loose_end, watch::WorkEnd::kIncomplete);
  EXPECT_EQ(read->loose_reason, "\x01");
  EXPECT_FALSE(read->end);
}

TEST(JobRecord, is_not_read_from_anything_else) {
  const std::string whole = watch::to_text(some_record());
  ASSERT_TRUE(watch::parse_record(whole));
  for (size_t bytes = 0; bytes < whole.size(); ++bytes) {
    EXPECT_FALSE(watch::parse_record(whole.substr(0, bytes))) << bytes;
  }
  const auto with = [&](const std::string& part, const std::string& other) {
    std::string text = whole;
    const size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return text.replace(at, part.size(), other);
  };
  for (const std::string& text : {with("\"v\":1", "\"v\":2"),
                                  with("\"v\":1", "\"w\":1"),
                                  with("pages\"", "sheets\""),
                                  with("0.tif", "../0.tif"),
                                  with("\"a\\\"b.tif\"", "7"),
                                  with("\"a\\\"b.tif\"", "\"..\""),
                                  with("\"manifest\"", "\"manifold\""),
                                  with("\"inode\"", "\"node\""),
                                  watch::to_text({})}) {
    EXPECT_FALSE(watch::parse_record(text)) << text;
  }
}

}  // namespace
}  // namespace mezzo::test::job_record_test
