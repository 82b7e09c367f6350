#include "pipeline/sqlite.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <filesystem>
#include <system_error>

#include "kernels/base/error.h"
#include "stages/files/descriptor.h"

namespace mezzo {
namespace {

/// Of pages that the library keeps in memory, which it fills in hours of small jobs; its own limit
/// is 2 MiB. The system caches the file anyway.
constexpr int kCacheKib = 256;

/// The names of pages and messages in it are not everyone's to read. A new file is its user's alone; of one that
/// is there, the rights of a group stay, as somebody may have given them. Files that SQLite keeps beside it
/// get the same rights. A failure is left to SQLite, which meets it again. An existing file is not opened: closing
/// it would end the locks of another connection of this process.
void keep_from_others(const std::string& path) {
  constexpr mode_t kOthers = 0007;
  constexpr mode_t kRights = 07777;
  if (files::Descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600))) return;
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0 || (found.st_mode & kOthers) == 0) return;
  ::chmod(path.c_str(), found.st_mode & kRights & ~kOthers);
}

}  // namespace

Database::Database(std::string path, const DatabaseForm& form)
    : path_(std::move(path)), form_(form) {
  damage_ = open();
  if (damage_.empty()) return;
  set_aside();
  const std::string again = open();
  if (!again.empty())
    throw Error(ErrorKind::kIo, fmt::format("{}: {} {}", path_, form_.title, again));
}

/// Why the file is to be set aside; empty when it is good.
std::string Database::open() {
  keep_from_others(path_);
  try {
    database_ = std::make_unique<SQLite::Database>(
        path_, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, form_.busy_ms);
    database_->exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL");
    database_->exec(fmt::format("PRAGMA cache_size=-{}", kCacheKib));
    if (database_->execAndGet("PRAGMA user_version").getInt() > form_.schema) {
      if (form_.later.empty()) return "is of a later version of mezzotint";
      throw Error(ErrorKind::kUnsupported, path_ + ": " + form_.later);
    }
    const std::string check = database_->execAndGet("PRAGMA quick_check(1)").getString();
    if (check != "ok") return "is damaged";
    database_->exec(form_.create);
    database_->exec(fmt::format("PRAGMA user_version={}", form_.schema));
    if (!form_.probe.empty()) SQLite::Statement(*database_, form_.probe);
  } catch (const SQLite::Exception& error) {
    const int code = error.getErrorCode();
    const bool is_other_table = code == SQLITE_ERROR && !form_.probe.empty();
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB || is_other_table) return "is damaged";
    fail(error);
  }
  return {};
}

void Database::set_aside() {
  namespace fs = std::filesystem;
  database_.reset();
  aside_ = form_.aside(path_);
  std::error_code error;
  fs::rename(path_, aside_, error);
  if (error) {
    throw Error(ErrorKind::kIo,
                fmt::format("{}: {} {}, and cannot be set aside: {}",
                            path_,
                            form_.title,
                            damage_,
                            error.message()));
  }
  for (const char* suffix : {"-wal", "-shm"}) {
    fs::remove(aside_ + suffix, error);
    fs::rename(path_ + suffix, aside_ + suffix, error);
  }
}

void Database::fail(const SQLite::Exception& error) const {
  const bool full = error.getErrorCode() == SQLITE_FULL;
  throw Error(
      full ? ErrorKind::kDiskFull : ErrorKind::kIo,
      fmt::format(
          "{}: {} cannot be {}: {}", path_, form_.title, full ? "written" : "used", error.what()));
}

}  // namespace mezzo
