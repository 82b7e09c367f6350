#include "pipeline/sqlite.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "tests/support/temp_folder.h"

namespace mezzo::test::sqlite_test {
namespace {

const DatabaseForm kWords{.title = "the words",
                          .schema = 1,
                          .create = "CREATE TABLE IF NOT EXISTS words(word)",
                          .busy_ms = 0,
                          .probe = {},
                          .later = {},
                          .aside = nullptr};

unsigned rights(const std::string& path) {
  struct stat found {};
  EXPECT_EQ(::stat(path.c_str(), &found), 0) << path;
  return found.st_mode & 0777;
}

TEST(Database, is_not_for_everyone_to_read) {
  const mode_t before = ::umask(0);
  const TempFolder folder;
  {
    const Database words(folder / "new.db", kWords);
    EXPECT_EQ(rights(folder / "new.db"), 0600U);
    EXPECT_EQ(rights(folder / "new.db-wal"), 0600U);
  }
  ASSERT_EQ(::chmod((folder / "new.db").c_str(), 0664), 0);
  const Database again(folder / "new.db", kWords);
  EXPECT_EQ(rights(folder / "new.db"), 0660U);
  ::umask(before);
}

// The history of a hot folder may have many MiB, and its watcher runs for months.
TEST(Database, keeps_little_of_a_large_file_in_memory) {
  const TempFolder folder;
  const DatabaseForm form{.title = "the numbers",
                          .schema = 1,
                          .create = "CREATE TABLE IF NOT EXISTS numbers(number, text)",
                          .busy_ms = 0,
                          .probe = {},
                          .later = {},
                          .aside = nullptr};
  const Database numbers(folder / "numbers.db", form);
  const sqlite3_int64 before = sqlite3_memory_used();
  const int bytes = numbers.use([](SQLite::Database& database) {
    database.exec(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
        "INSERT INTO numbers SELECT i, hex(randomblob(1000)) FROM n");
    return database.execAndGet("SELECT sum(length(text)) FROM numbers").getInt();
  });
  EXPECT_EQ(bytes, 4'000'000);
  EXPECT_LT(sqlite3_memory_used() - before, 400 << 10);
}

}  // namespace
}  // namespace mezzo::test::sqlite_test
