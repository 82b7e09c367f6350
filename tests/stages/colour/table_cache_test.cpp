#include "stages/colour/table_cache.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "kernels/base/error.h"
#include "tests/kernels/prepress/colour_tables.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::table_cache_test {
namespace {

using Table = std::shared_ptr<const prepress::ColourTable>;

/// Tables from a folder, and how many had to be made.
class TableCache : public testing::Test {
 protected:
  Table get(const std::string& key) { return get(key, folder_.path()); }
  Table get(const std::string& key, const std::string& folder) {
    return colour::cached_table(
        key,
        [&] {
          ++made_;
          std::mt19937 random(static_cast<unsigned>(std::hash<std::string>()(key)));
          return std::make_shared<const prepress::ColourTable>(random_table({3, 4, 2}, random));
        },
        folder);
  }

  TempFolder folder_;
  int made_ = 0;
};

TEST_F(TableCache, MakesATableOnce) {
  const Table a = get("a"), b = get("b");
  EXPECT_NE(a->digest(), b->digest());
  EXPECT_EQ(get("a")->digest(), a->digest());
  EXPECT_EQ(get("b")->digest(), b->digest());
  EXPECT_EQ(made_, 2);
  EXPECT_EQ(folder_.names().size(), 2U);
}

TEST_F(TableCache, MakesADamagedTableAnew) {
  const Table a = get("a");
  const std::string path = folder_ / folder_.names().front();
  std::filesystem::resize_file(path, 100);
  EXPECT_EQ(get("a")->digest(), a->digest());
  EXPECT_EQ(made_, 2);
  EXPECT_EQ(get("a")->digest(), a->digest());
  EXPECT_EQ(made_, 2);
}

TEST_F(TableCache, WorksWithoutAFolder) {
  folder_.write("file");
  for (const std::string& folder : {std::string(), folder_ / "file", folder_ / "file/below"}) {
    EXPECT_NE(get("a", folder), nullptr);
    EXPECT_NE(get("a", folder), nullptr);
  }
  EXPECT_EQ(made_, 6);
}

TEST_F(TableCache, KeepsTheLatestTables) {
  const auto now = std::filesystem::file_time_type::clock::now();
  for (int i = 0; i < 70; ++i) {
    folder_.write(std::to_string(i) + ".lut");
    std::filesystem::last_write_time(folder_ / (std::to_string(i) + ".lut"),
                                     now - std::chrono::hours(i + 1));
  }
  folder_.write("note.txt");
  get("a");
  EXPECT_EQ(folder_.names().size(), 65U);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "62.lut"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "63.lut"));
  get("a");
  EXPECT_EQ(made_, 1);
}

TEST_F(TableCache, PassesOnWhatMakingThrows) {
  const auto fail = []() -> Table { throw Error(ErrorKind::kUnsupported, "no such intent"); };
  EXPECT_THROW(colour::cached_table("a", fail, folder_.path()), Error);
  EXPECT_TRUE(folder_.names().empty());
}

}  // namespace
}  // namespace mezzo::test::table_cache_test
