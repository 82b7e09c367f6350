#include "pipeline/resume/journal.h"

#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <system_error>

#include "kernels/base/error.h"
#include "pipeline/resume/state_folder.h"
#include "pipeline/sqlite.h"
#include "stages/files/lock.h"

namespace mezzo::resume {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCreate = R"(
  CREATE TABLE IF NOT EXISTS plates(
    plate TEXT PRIMARY KEY, file TEXT NOT NULL,
    input TEXT NOT NULL, input_file TEXT NOT NULL, input_digest TEXT NOT NULL,
    settings TEXT NOT NULL, ink TEXT NOT NULL, compression TEXT NOT NULL,
    content_xxh3 TEXT NOT NULL, coverage_percent REAL NOT NULL,
    entered TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
  ) WITHOUT ROWID)";

constexpr const char* kSelect =
    "SELECT file, input, input_file, input_digest, settings, ink, compression, content_xxh3, "
    "coverage_percent FROM plates WHERE plate=?";

DatabaseForm journal_form() {
  return {.title = "the journal of the job",
          .schema = 1,
          .create = kCreate,
          .busy_ms = 10'000,  // no other process writes; a backup may read
          .probe = kSelect,
          .later = "this journal is of a later version of mezzotint; use that, or --fresh",
          .aside = [](const std::string& path) { return path + ".damaged"; }};
}

/// Throws for a file that is neither a database nor named like one: its name was given by mistake.
void refuse_other_file(const std::string& path) {
  constexpr std::string_view kMagic = "SQLite format 3";
  std::ifstream file(path, std::ios::binary);
  std::string start(kMagic.size(), '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  if (!file.is_open() || file.gcount() == 0 || start == kMagic || path.ends_with(".db")) return;
  throw Error(ErrorKind::kUsage,
              path + ": this file is not the journal of a job",
              "give --journal a journal or a file that does not exist");
}

/// Keeps other runs of the job out while it is held. The file names the process, for messages.
files::Lock lock_for_this_process(const std::string& path) {
  files::Lock lock = files::take_lock(path, 0600);
  if (!lock.file) {
    throw Error(ErrorKind::kCannotCreate,
                path + ": cannot be created: " + std::generic_category().message(errno));
  }
  if (!lock.is_held()) {
    const std::string pid = files::read_all(lock.file.get(), 24).value_or("");
    const std::string who = pid.size() > 1 ? " by process " + pid.substr(0, pid.size() - 1) : "";
    throw Error(ErrorKind::kBusy,
                "this job is already running" + who,
                "wait until that has ended, or stop it");
  }
  const std::string pid = std::to_string(::getpid()) + "\n";
  // A lock without the number holds as well.
  if (::ftruncate(lock.file.get(), 0) == 0) {
    [[maybe_unused]] const ssize_t written = ::pwrite(lock.file.get(), pid.data(), pid.size(), 0);
  }
  return lock;
}

/// Journals of older programs have none.
constexpr const char* kDigestTable = "file_digests";

std::string digest_in(SQLite::Database& database, const std::string& plate) {
  if (!database.tableExists(kDigestTable)) return {};
  SQLite::Statement row(database, "SELECT digest FROM file_digests WHERE plate=?");
  row.bind(1, plate);
  return row.executeStep() ? row.getColumn(0).getString() : std::string();
}

void set_digest(SQLite::Database& database, const JournalEntry& entry) {
  database.exec(
      "CREATE TABLE IF NOT EXISTS file_digests(plate TEXT PRIMARY KEY, digest TEXT NOT NULL) "
      "WITHOUT ROWID");
  SQLite::Statement row(database, "INSERT OR REPLACE INTO file_digests VALUES (?,?)");
  row.bind(1, entry.plate);
  row.bind(2, entry.file_digest);
  row.exec();
}

/// Made when it is first needed: few jobs replace plates.
constexpr const char* kReplacedTable = "replaced";

std::optional<files::FileMark> replaced_in(SQLite::Database& database, const std::string& plate) {
  if (!database.tableExists(kReplacedTable)) return std::nullopt;
  SQLite::Statement row(database, "SELECT file FROM replaced WHERE plate=?");
  row.bind(1, plate);
  return row.executeStep() ? files::parse_file_mark(row.getColumn(0)) : std::nullopt;
}

void set_replaced(SQLite::Database& database, const JournalEntry& entry) {
  if (!entry.replaced && !database.tableExists(kReplacedTable)) return;
  database.exec("CREATE TABLE IF NOT EXISTS replaced(plate TEXT PRIMARY KEY, file TEXT NOT NULL)");
  SQLite::Statement row(database,
                        entry.replaced ? "INSERT OR REPLACE INTO replaced VALUES (?,?)"
                                       : "DELETE FROM replaced WHERE plate=?");
  row.bind(1, entry.plate);
  if (entry.replaced) row.bind(2, to_string(*entry.replaced));
  row.exec();
}

std::optional<JournalEntry> find_in(SQLite::Database& database, const std::string& plate) {
  SQLite::Statement row(database, kSelect);
  row.bind(1, plate);
  if (!row.executeStep()) return std::nullopt;
  const auto file = files::parse_file_mark(row.getColumn(0));
  const auto input_file = files::parse_file_mark(row.getColumn(2));
  if (!file || !input_file) return std::nullopt;
  return JournalEntry{.plate = plate,
                      .file = *file,
                      .input = row.getColumn(1),
                      .input_file = *input_file,
                      .input_digest = row.getColumn(3),
                      .settings = row.getColumn(4),
                      .ink = row.getColumn(5),
                      .compression = row.getColumn(6),
                      .content_sum = row.getColumn(7),
                      .coverage_percent = row.getColumn(8),
                      .file_digest = digest_in(database, plate),
                      .replaced = replaced_in(database, plate)};
}

void insert(SQLite::Database& database, const JournalEntry& entry) {
  SQLite::Statement row(
      database,
      "INSERT OR REPLACE INTO plates(plate, file, input, input_file, input_digest, settings, "
      "ink, compression, content_xxh3, coverage_percent) VALUES (?,?,?,?,?,?,?,?,?,?)");
  row.bind(1, entry.plate);
  row.bind(2, to_string(entry.file));
  row.bind(3, entry.input);
  row.bind(4, to_string(entry.input_file));
  row.bind(5, entry.input_digest);
  row.bind(6, entry.settings);
  row.bind(7, entry.ink);
  row.bind(8, entry.compression);
  row.bind(9, entry.content_sum);
  row.bind(10, entry.coverage_percent);
  row.exec();
  set_digest(database, entry);
  set_replaced(database, entry);
}

/// Made when it is first needed: few jobs have one.
constexpr const char* kStartTable = "start";

std::optional<manifests::JobStart> start_in(SQLite::Database& database) {
  if (!database.tableExists(kStartTable)) return std::nullopt;
  SQLite::Statement row(database, "SELECT date, time, id FROM start");
  if (!row.executeStep()) return std::nullopt;
  return manifests::JobStart{
      .date = row.getColumn(0), .time = row.getColumn(1), .id = row.getColumn(2)};
}

void replace_start(SQLite::Database& database, const std::optional<manifests::JobStart>& start) {
  if (!start && !database.tableExists(kStartTable)) return;
  SQLite::Transaction transaction(database);
  database.exec(
      "CREATE TABLE IF NOT EXISTS start(date TEXT NOT NULL, time TEXT NOT NULL, id TEXT NOT NULL)");
  database.exec("DELETE FROM start");
  if (start) {
    SQLite::Statement row(database, "INSERT INTO start(date, time, id) VALUES (?,?,?)");
    row.bind(1, start->date);
    row.bind(2, start->time);
    row.bind(3, start->id);
    row.exec();
  }
  transaction.commit();
}

class SqliteJournal final : public Journal {
 public:
  explicit SqliteJournal(const std::string& path)
      : lock_(lock_for_this_process(path + ".lock")), database_(path, journal_form()) {
    if (database_.damage().empty()) return;
    damage_ =
        "the journal of this job was damaged, so all its plates are made again; the damaged "
        "one is " +
        database_.set_aside_as();
  }

  const std::string& damage() const override { return damage_; }

  std::optional<JournalEntry> find(const std::string& plate) const override {
    const std::lock_guard lock(mutex_);
    return database_.use([&](SQLite::Database& database) { return find_in(database, plate); });
  }

  void forget() override {
    const std::lock_guard lock(mutex_);
    database_.use([](SQLite::Database& database) {
      database.exec("UPDATE plates SET settings=''");
      replace_start(database, std::nullopt);
    });
  }

  std::optional<manifests::JobStart> start() const override {
    const std::lock_guard lock(mutex_);
    return database_.use([](SQLite::Database& database) { return start_in(database); });
  }

  void set_start(const std::optional<manifests::JobStart>& start) override {
    const std::lock_guard lock(mutex_);
    database_.use([&](SQLite::Database& database) { replace_start(database, start); });
  }

  bool keeps_file_digests() const override { return true; }

  void enter(std::span<const JournalEntry> entries) override {
    const std::lock_guard lock(mutex_);
    database_.use([&](SQLite::Database& database) {
      SQLite::Transaction transaction(database);
      for (const JournalEntry& entry : entries) insert(database, entry);
      transaction.commit();
    });
  }

 private:
  const files::Lock lock_;
  const Database database_;
  std::string damage_;
  mutable std::mutex mutex_;
};

}  // namespace

std::unique_ptr<Journal> Journal::open(const std::string& path) {
  // Before the lock, which would put a file beside one that is none of ours.
  refuse_other_file(path);
  return std::make_unique<SqliteJournal>(path);
}

std::string journal_path(const std::string& manifest) {
  std::error_code error;
  const fs::path real = fs::canonical(manifest, error);
  const std::string whole = error ? fs::absolute(manifest).string() : real.string();
  const std::string folder = state_folder() + "/journals";
  fs::create_directories(folder, error);
  if (error) {
    throw Error(ErrorKind::kCannotCreate,
                folder + ": the folder for journals cannot be made: " + error.message());
  }
  // The stem is for people who look at the folder; it is cut so that any name fits.
  const std::string stem = fs::path(whole).stem().string().substr(0, 100);
  const XXH128_hash_t digest = XXH3_128bits(whole.data(), whole.size());
  return fmt::format("{}/{}-{:016x}{:016x}.db", folder, stem, digest.high64, digest.low64);
}

}  // namespace mezzo::resume
