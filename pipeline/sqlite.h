// The SQLite databases that the program keeps: one file each (WAL, FULL), which must be on a local
// disk. A damaged one is set aside under another name, and a new one begun.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace mezzo {

/// A kind of database.
struct DatabaseForm {
  const char* title;   ///< for messages: "the journal of the job"
  int schema;          ///< version of the tables, which the file keeps as user_version
  const char* create;  ///< statements that make the tables where they are missing
  int busy_ms;         ///< longest wait for another process that uses the file
  std::string probe;   ///< a query, or empty; a file that it fails on counts as damaged
  std::string later;   ///< refuses a later schema in these words; empty: set aside as well
  std::string (*aside)(const std::string& path);  ///< the name that a damaged file gets
};

class Database {
 public:
  /// Opens or makes the file. Throws Error: kIo, kDiskFull, kUnsupported.
  Database(std::string path, const DatabaseForm& form);

  /// "is damaged" and the like, and the name that such a file has now; empty when there was none.
  const std::string& damage() const { return damage_; }
  const std::string& set_aside_as() const { return aside_; }

  /// Calls `work` on the database and returns its result; turns an SQLite::Exception into an Error
  /// (kIo, kDiskFull). For any thread: others wait meanwhile, and `work` does not call this.
  template <typename Work>
  auto use(const Work& work) const -> decltype(work(std::declval<SQLite::Database&>())) {
    const std::lock_guard lock(mutex_);
    try {
      return work(*database_);
    } catch (const SQLite::Exception& error) {
      fail(error);
    }
  }

 private:
  std::string open();
  void set_aside();
  [[noreturn]] void fail(const SQLite::Exception& error) const;

  const std::string path_;
  const DatabaseForm form_;
  std::string damage_;
  std::string aside_;
  mutable std::mutex mutex_;  // of work on the database
  std::unique_ptr<SQLite::Database> database_;
};

}  // namespace mezzo
