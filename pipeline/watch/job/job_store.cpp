#include "pipeline/watch/job/job_store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <chrono>
#include <filesystem>
#include <system_error>

#include "kernels/base/error.h"
#include "manifests/json/members.h"
#include "pipeline/watch/view/view_json.h"

namespace mezzo::watch {
namespace {

namespace fs = std::filesystem;

constexpr int kSchema = 1;
constexpr int kBusyMs = 5'000;  // another watcher, or a backup
constexpr int kKept = 10'000;

constexpr const char* kCreate = R"(
  CREATE TABLE IF NOT EXISTS jobs(
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
    folder TEXT NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL, tries INTEGER NOT NULL,
    message TEXT NOT NULL, since_ms INTEGER NOT NULL, seconds REAL NOT NULL,
    pixels INTEGER NOT NULL, pixels_done INTEGER NOT NULL, plates TEXT NOT NULL,
    report TEXT NOT NULL, digest TEXT NOT NULL, files TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS by_content ON jobs(digest, folder) WHERE digest <> '';
  CREATE TABLE IF NOT EXISTS paused(folder TEXT PRIMARY KEY))";

constexpr const char* kColumns =
    "id, folder, name, state, tries, message, since_ms, seconds, pixels, pixels_done, plates, "
    "report, digest, files";

[[noreturn]] void fail(const std::string& path, const SQLite::Exception& error) {
  const bool full = error.getErrorCode() == SQLITE_FULL;
  throw Error(full ? ErrorKind::kDiskFull : ErrorKind::kIo,
              fmt::format("{}: the history of jobs cannot be {}: {}",
                          path,
                          full ? "written" : "used",
                          error.what()));
}

/// Thrown on the way out of open(), where a new database mends it.
struct Damage {
  std::string reason;
};

/// Names need not be UTF-8, which JSON must be: bytes are written as the characters 0 to 255.
std::string wide(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text += c;
    } else {
      text += static_cast<char>(0xC0 | (byte >> 6));
      text += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return text;
}

std::string narrow(const std::string& text) {
  std::string bytes;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto first = static_cast<unsigned char>(text[i]);
    if (first < 0x80 || i + 1 == text.size()) {
      bytes += text[i];
    } else {
      ++i;
      bytes += static_cast<char>(((first & 3) << 6) | (text[i] & 0x3F));
    }
  }
  return bytes;
}

std::string plates_text(std::vector<PlateView> plates) {
  for (PlateView& plate : plates) {
    plate.ink = wide(plate.ink);
    plate.path = wide(plate.path);
  }
  return json::to_text(json::sorted(json::to_value(plates)));
}

/// What is not as plates_text() made it is left out: the text comes from a file.
std::vector<PlateView> parse_plates(const std::string& text) {
  std::vector<PlateView> plates;
  const json::Value list = json::parse_or_null(text);
  if (list.items() == nullptr) return plates;
  for (const json::Value& item : *list.items()) {
    try {
      auto plate = json::from_value<PlateView>(item, json::Reading::kOpen);
      plates.push_back({narrow(plate.ink), narrow(plate.path), plate.coverage_percent});
    } catch (const Error&) {
      continue;
    }
  }
  return plates;
}

/// Pairs of names and paths.
std::string files_text(const std::vector<MovedFile>& files) {
  json::Value list = json::Value::list();
  for (const MovedFile& file : files) {
    list.push_back(std::vector<std::string>{wide(file.name), wide(file.path)});
  }
  return json::to_text(list);
}

std::vector<MovedFile> parse_files(const std::string& text) {
  std::vector<MovedFile> files;
  const json::Value list = json::parse_or_null(text);
  if (list.items() == nullptr) return files;
  for (const json::Value& item : *list.items()) {
    const auto* pair = item.items();
    if (pair == nullptr || pair->size() != 2) continue;
    const std::string *name = pair->front().text(), *path = pair->back().text();
    if (name == nullptr || path == nullptr) continue;
    files.push_back({.name = narrow(*name), .path = narrow(*path)});
  }
  return files;
}

StoredJob read_row(SQLite::Statement& row) {
  StoredJob job;
  job.view.id = row.getColumn(0).getString();
  job.view.folder = row.getColumn(1).getString();
  job.view.name = row.getColumn(2).getString();
  job.view.state = job_state_named(row.getColumn(3).getString()).value_or(JobState::kFailed);
  job.view.tries = row.getColumn(4).getUInt();
  job.view.message = row.getColumn(5).getString();
  job.view.since = WallTime(std::chrono::milliseconds(row.getColumn(6).getInt64()));
  job.view.seconds = row.getColumn(7).getDouble();
  job.view.pixels = static_cast<uint64_t>(row.getColumn(8).getInt64());
  job.view.pixels_done = static_cast<uint64_t>(row.getColumn(9).getInt64());
  job.view.plates = parse_plates(row.getColumn(10).getString());
  job.view.report = row.getColumn(11).getString();
  job.digest = row.getColumn(12).getString();
  job.files = parse_files(row.getColumn(13).getString());
  return job;
}

class SqliteStore final : public JobStore {
 public:
  explicit SqliteStore(const std::string& folder) : path_(folder + "/watch.db") {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
      throw Error(ErrorKind::kCannotCreate, folder + ": cannot be created: " + error.message());
    }
    try {
      open_or_damage();
    } catch (const Damage& damage) {
      set_aside(damage.reason);
    }
  }

  const std::string& damage() const override { return damage_; }

  void enter(const StoredJob& job) override {
    try {
      SQLite::Transaction transaction(*database_);
      SQLite::Statement row(*database_,
                            std::string("INSERT OR REPLACE INTO jobs(") + kColumns +
                                ") VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
      const JobView& view = job.view;
      row.bind(1, view.id);
      row.bind(2, view.folder);
      row.bind(3, view.name);
      row.bind(4, to_string(view.state));
      row.bind(5, view.tries);
      row.bind(6, view.message);
      row.bind(7, milliseconds_of(view.since));
      row.bind(8, view.seconds);
      row.bind(9, static_cast<int64_t>(view.pixels));
      row.bind(10, static_cast<int64_t>(view.pixels_done));
      row.bind(11, plates_text(view.plates));
      row.bind(12, view.report);
      row.bind(13, job.digest);
      row.bind(14, files_text(job.files));
      row.exec();
      database_->exec(fmt::format(
          "DELETE FROM jobs WHERE number <= (SELECT MAX(number) FROM jobs) - {}", kKept));
      transaction.commit();
    } catch (const SQLite::Exception& error) {
      fail(path_, error);
    }
  }

  std::optional<StoredJob> find(const std::string& id) const override {
    return find_one("WHERE id=?", {id});
  }

  std::optional<StoredJob> find_done(const std::string& folder,
                                     const std::string& digest) const override {
    if (digest.empty()) return std::nullopt;
    return find_one("WHERE digest=? AND digest <> '' AND folder=? AND state='done'",
                    {digest, folder});
  }

  std::vector<JobView> latest(size_t count) const override {
    try {
      SQLite::Statement rows(*database_, select("ORDER BY number DESC LIMIT ?"));
      rows.bind(1, static_cast<int64_t>(count));
      std::vector<JobView> views;
      while (rows.executeStep()) views.push_back(read_row(rows).view);
      return views;
    } catch (const SQLite::Exception& error) {
      fail(path_, error);
    }
  }

  size_t size() const override {
    try {
      return static_cast<size_t>(database_->execAndGet("SELECT COUNT(*) FROM jobs").getInt64());
    } catch (const SQLite::Exception& error) {
      fail(path_, error);
    }
  }

  void set_paused(const std::string& folder, bool paused) override {
    try {
      SQLite::Statement row(*database_,
                            paused ? "INSERT OR IGNORE INTO paused(folder) VALUES(?)"
                                   : "DELETE FROM paused WHERE folder=?");
      row.bind(1, folder);
      row.exec();
    } catch (const SQLite::Exception& error) {
      fail(path_, error);
    }
  }

  bool is_paused(const std::string& folder) const override {
    try {
      SQLite::Statement row(*database_, "SELECT 1 FROM paused WHERE folder=?");
      row.bind(1, folder);
      return row.executeStep();
    } catch (const SQLite::Exception& error) {
      fail(path_, error);
    }
  }

 private:
  static std::string select(const std::string& rest) {
    return std::string("SELECT ") + kColumns + " FROM jobs " + rest;
  }

  std::optional<StoredJob> find_one(const std::string& where,
                                    const std::vector<std::string>& values) const {
    try {
      SQLite::Statement row(*database_, select(where + " ORDER BY number DESC LIMIT 1"));
      int index = 0;
      for (const std::string& value : values) row.bind(++index, value);
      if (!row.executeStep()) return std::nullopt;
      return read_row(row);
    } catch (const SQLite::Exception& error) {
      fail(path_, error);
    }
  }

  void open() {
    database_ = std::make_unique<SQLite::Database>(
        path_, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyMs);
    database_->exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL");
    const int schema = database_->execAndGet("PRAGMA user_version").getInt();
    if (schema > kSchema) throw Damage{"is of a later version of mezzotint"};
    const std::string check = database_->execAndGet("PRAGMA quick_check(1)").getString();
    if (check != "ok") throw Damage{"is damaged"};
    database_->exec(kCreate);
    database_->exec(fmt::format("PRAGMA user_version={}", kSchema));
    SQLite::Statement columns(*database_, select("LIMIT 0"));  // another table of this name
  }

  void open_or_damage() {
    try {
      open();
    } catch (const SQLite::Exception& error) {
      const int code = error.getErrorCode();
      if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR) {
        throw Damage{"is damaged"};
      }
      fail(path_, error);
    }
  }

  void set_aside(const std::string& reason) {
    database_.reset();
    int number = 1;
    while (fs::exists(path_ + ".bad-" + std::to_string(number))) ++number;
    const std::string aside = path_ + ".bad-" + std::to_string(number);
    std::error_code error;
    fs::rename(path_, aside, error);
    if (error) throw Error(ErrorKind::kIo, path_ + ": cannot be set aside: " + error.message());
    for (const char* end : {"-wal", "-shm"}) fs::rename(path_ + end, aside + end, error);
    damage_ = fmt::format(
        "{}: the history of jobs {}; it is now {}, and a new one was begun", path_, reason, aside);
    try {
      open();
    } catch (const SQLite::Exception& second) {
      fail(path_, second);
    }
  }

  std::string path_;
  std::unique_ptr<SQLite::Database> database_;
  std::string damage_;
};

}  // namespace

std::unique_ptr<JobStore> JobStore::open(const std::string& folder) {
  return std::make_unique<SqliteStore>(folder);
}

}  // namespace mezzo::watch
