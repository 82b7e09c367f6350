#include "pipeline/watch/job/job_store.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <system_error>

#include "kernels/base/error.h"
#include "manifests/json/members.h"
#include "pipeline/sqlite.h"
#include "pipeline/watch/view/view_json.h"

namespace mezzo::watch {
namespace {

namespace fs = std::filesystem;

constexpr int kKept = 10'000;

constexpr const char* kCreate = R"(
  CREATE TABLE IF NOT EXISTS jobs(
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
    folder TEXT NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL, tries INTEGER NOT NULL,
    message TEXT NOT NULL, since_ms INTEGER NOT NULL, seconds REAL NOT NULL,
    pixels INTEGER NOT NULL, pixels_done INTEGER NOT NULL, plates TEXT NOT NULL,
    report TEXT NOT NULL, digest TEXT NOT NULL, files TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS by_content ON jobs(digest, folder) WHERE digest <> '';
  CREATE TABLE IF NOT EXISTS dismissed(id TEXT PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS advice(
    id TEXT PRIMARY KEY, text TEXT NOT NULL, can_retry INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS paused(folder TEXT PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS had_settings(folder TEXT PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS arrived(
    folder TEXT NOT NULL, name TEXT NOT NULL, mark TEXT NOT NULL, seen_ms INTEGER NOT NULL,
    PRIMARY KEY(folder, name)))";

constexpr const char* kColumns =
    "id, folder, name, state, tries, message, since_ms, seconds, pixels, pixels_done, plates, "
    "report, digest, files";

const std::string& made_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw Error(ErrorKind::kCannotCreate, folder + ": cannot be created: " + error.message());
  }
  return folder;
}

std::string free_name_beside(const std::string& path) {
  int number = 1;
  while (fs::exists(path + ".bad-" + std::to_string(number))) ++number;
  return path + ".bad-" + std::to_string(number);
}

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

struct StoredPlate {
  PlateView plate;
  std::optional<std::string> mark;  ///< of its file
};

void describe(json::Members& members, StoredPlate& stored) {
  describe(members, stored.plate);
  members("mark", stored.mark);
}

std::string plates_text(const StoredJob& job) {
  std::vector<StoredPlate> plates;
  for (const PlateView& plate : job.view.plates) {
    StoredPlate& stored = plates.emplace_back();
    stored.plate = {wide(plate.ink), wide(plate.path), plate.coverage_percent};
    const size_t i = plates.size() - 1;
    if (i < job.plate_marks.size()) stored.mark = files::to_string(job.plate_marks[i]);
  }
  return json::to_text(json::sorted(json::to_value(plates)));
}

/// Entries not in the form of plates_text() are left out: the text comes from a file. The marks
/// count when every plate has one.
void parse_plates(const std::string& text, StoredJob& job) {
  const json::Value list = json::parse_or_null(text);
  if (list.items() == nullptr) return;
  for (const json::Value& item : *list.items()) {
    try {
      const auto stored = json::from_value<StoredPlate>(item, json::Reading::kOpen);
      const PlateView& plate = stored.plate;
      job.view.plates.push_back({narrow(plate.ink), narrow(plate.path), plate.coverage_percent});
      const auto mark = files::parse_file_mark(stored.mark.value_or(""));
      if (mark) job.plate_marks.push_back(*mark);
    } catch (const Error&) {
      continue;
    }
  }
  if (job.plate_marks.size() != job.view.plates.size()) job.plate_marks.clear();
}

/// Names and paths, and where they are known marks and digests.
std::string files_text(const std::vector<MovedFile>& files) {
  json::Value list = json::Value::list();
  for (const MovedFile& file : files) {
    std::vector<std::string> texts = {wide(file.name), wide(file.path)};
    const bool is_known = file.mark != files::FileMark();
    if (is_known) texts.push_back(files::to_string(file.mark));
    if (is_known && !file.digest.empty()) texts.push_back(file.digest);
    list.push_back(texts);
  }
  return json::to_text(list);
}

std::vector<MovedFile> parse_files(const std::string& text) {
  std::vector<MovedFile> files;
  const json::Value list = json::parse_or_null(text);
  if (list.items() == nullptr) return files;
  for (const json::Value& item : *list.items()) {
    const auto* texts = item.items();
    if (texts == nullptr || texts->size() < 2) continue;
    const std::string *name = (*texts)[0].text(), *path = (*texts)[1].text();
    if (name == nullptr || path == nullptr) continue;
    const std::string* mark = texts->size() > 2 ? (*texts)[2].text() : nullptr;
    const std::string* digest = texts->size() > 3 ? (*texts)[3].text() : nullptr;
    files.push_back({.name = narrow(*name),
                     .path = narrow(*path),
                     .mark = files::parse_file_mark(mark ? *mark : "").value_or(files::FileMark()),
                     .digest = digest ? *digest : ""});
  }
  return files;
}

/// The paths of its files, or of the folder that is the job.
std::vector<std::string> paths_of(const StoredJob& job) {
  std::vector<std::string> paths;
  for (const MovedFile& file : job.files) paths.push_back(job.view.folder + "/" + file.path);
  return paths;
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
  parse_plates(row.getColumn(10).getString(), job);
  job.view.report = row.getColumn(11).getString();
  job.digest = row.getColumn(12).getString();
  job.files = parse_files(row.getColumn(13).getString());
  job.view.files = paths_of(job);
  return job;
}

/// Adds the next step that is kept of a failed job.
void read_advice(SQLite::Database& database, JobView& job) {
  SQLite::Statement row(database, "SELECT text, can_retry FROM advice WHERE id=?");
  row.bind(1, job.id);
  if (!row.executeStep()) return;
  job.advice = row.getColumn(0).getString();
  job.can_retry = row.getColumn(1).getInt() != 0;
}

void write_advice(SQLite::Database& database, const JobView& job) {
  if (job.advice.empty() && job.can_retry) return;
  SQLite::Statement row(database,
                        "INSERT OR REPLACE INTO advice(id, text, can_retry) VALUES(?, ?, ?)");
  row.bind(1, job.id);
  row.bind(2, job.advice);
  row.bind(3, job.can_retry ? 1 : 0);
  row.exec();
  database.exec("DELETE FROM advice WHERE id NOT IN (SELECT id FROM jobs)");
}

/// Returns how many rows it changed.
int write_row(SQLite::Statement& row, const StoredJob& job) {
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
  row.bind(11, plates_text(job));
  row.bind(12, view.report);
  row.bind(13, job.digest);
  row.bind(14, files_text(job.files));
  return row.exec();
}

std::string select(const std::string& rest) {
  return std::string("SELECT ") + kColumns + " FROM jobs " + rest;
}

DatabaseForm store_form() {
  return {.title = "the history of jobs",
          .schema = 1,
          .create = kCreate,
          .busy_ms = 5'000,  // another watcher, or a backup
          .probe = select("LIMIT 0"),
          .later = {},
          .aside = free_name_beside};
}

}  // namespace

JobStore::JobStore(const std::string& folder)
    : database_(std::make_unique<Database>(made_folder(folder) + "/watch.db", store_form())) {
  if (database_->damage().empty()) return;
  damage_ =
      fmt::format("{}/watch.db: the history of jobs {}; it is now {}, and a new one was begun",
                  folder,
                  database_->damage(),
                  database_->set_aside_as());
}

JobStore::~JobStore() = default;

void JobStore::enter(const StoredJob& job) {
  constexpr const char* kValues = "?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14";
  database_->use([&](SQLite::Database& database) {
    SQLite::Transaction transaction(database);
    // An entry keeps its number, by which the last ones stay.
    SQLite::Statement update(
        database, fmt::format("UPDATE jobs SET ({}) = ({}) WHERE id=?1", kColumns, kValues));
    if (write_row(update, job) == 0) {
      SQLite::Statement insert(database,
                               fmt::format("INSERT INTO jobs({}) VALUES({})", kColumns, kValues));
      write_row(insert, job);
    }
    write_advice(database, job.view);
    database.exec(
        fmt::format("DELETE FROM jobs WHERE number <= (SELECT MAX(number) FROM jobs) - {}", kKept));
    transaction.commit();
  });
}

std::optional<StoredJob> JobStore::find(const std::string& id) const {
  return find_one("WHERE id=?", {id});
}

std::optional<StoredJob> JobStore::find_done(const std::string& folder,
                                             const std::string& digest) const {
  if (digest.empty()) return std::nullopt;
  return find_one("WHERE digest=? AND digest <> '' AND folder=? AND state='done'",
                  {digest, folder});
}

void JobStore::forget_content(const std::string& folder, const std::string& digest) {
  if (digest.empty()) return;
  database_->use([&](SQLite::Database& database) {
    SQLite::Statement rows(database, "UPDATE jobs SET digest='' WHERE digest=? AND folder=?");
    rows.bind(1, digest);
    rows.bind(2, folder);
    rows.exec();
  });
}

std::vector<JobView> JobStore::latest(size_t count) const {
  return find_views("WHERE state<>'failed'", count);
}

std::vector<JobView> JobStore::failed(size_t count) const {
  return find_views("WHERE state='failed' AND id NOT IN (SELECT id FROM dismissed)", count);
}

std::vector<JobView> JobStore::find_views(const std::string& where, size_t count) const {
  return database_->use([&](SQLite::Database& database) {
    SQLite::Statement rows(database, select(where + " ORDER BY number DESC LIMIT ?"));
    rows.bind(1, static_cast<int64_t>(count));
    std::vector<JobView> views;
    while (rows.executeStep()) views.push_back(read_row(rows).view);
    for (JobView& view : views) {
      if (view.state == JobState::kFailed) read_advice(database, view);
    }
    return views;
  });
}

void JobStore::dismiss(const std::string& id) {
  database_->use([&](SQLite::Database& database) {
    SQLite::Transaction transaction(database);
    SQLite::Statement row(database, "INSERT OR IGNORE INTO dismissed(id) VALUES(?)");
    row.bind(1, id);
    row.exec();
    database.exec("DELETE FROM dismissed WHERE id NOT IN (SELECT id FROM jobs)");
    transaction.commit();
  });
}

std::vector<StoredJob> JobStore::ended_since(WallTime time, size_t count) const {
  return database_->use([&](SQLite::Database& database) {
    SQLite::Statement rows(
        database, select("WHERE since_ms >= ? AND files <> '[]' ORDER BY number DESC LIMIT ?"));
    rows.bind(1, milliseconds_of(time));
    rows.bind(2, static_cast<int64_t>(count));
    std::vector<StoredJob> jobs;
    while (rows.executeStep()) jobs.push_back(read_row(rows));
    return jobs;
  });
}

void JobStore::set_paused(const std::string& folder, bool paused) {
  database_->use([&](SQLite::Database& database) {
    SQLite::Statement row(database,
                          paused ? "INSERT OR IGNORE INTO paused(folder) VALUES(?)"
                                 : "DELETE FROM paused WHERE folder=?");
    row.bind(1, folder);
    row.exec();
  });
}

bool JobStore::is_paused(const std::string& folder) const {
  return has_folder("paused", folder);
}

void JobStore::set_had_settings(const std::string& folder) {
  database_->use([&](SQLite::Database& database) {
    SQLite::Statement row(database, "INSERT OR IGNORE INTO had_settings(folder) VALUES(?)");
    row.bind(1, folder);
    row.exec();
  });
}

bool JobStore::had_settings(const std::string& folder) const {
  return has_folder("had_settings", folder);
}

bool JobStore::has_folder(const char* table, const std::string& folder) const {
  return database_->use([&](SQLite::Database& database) {
    SQLite::Statement row(database, fmt::format("SELECT 1 FROM {} WHERE folder=?", table));
    row.bind(1, folder);
    return row.executeStep();
  });
}

void JobStore::set_arrived(const std::string& folder, const std::vector<ArrivedFile>& files) {
  database_->use([&](SQLite::Database& database) {
    SQLite::Transaction transaction(database);
    SQLite::Statement old(database, "DELETE FROM arrived WHERE folder=?");
    old.bind(1, folder);
    old.exec();
    SQLite::Statement row(
        database, "INSERT OR REPLACE INTO arrived(folder, name, mark, seen_ms) VALUES(?, ?, ?, ?)");
    for (const ArrivedFile& file : files) {
      row.bind(1, folder);
      row.bind(2, wide(file.name));
      row.bind(3, files::to_string(file.mark));
      row.bind(4, milliseconds_of(file.seen));
      row.exec();
      row.reset();
    }
    transaction.commit();
  });
}

std::vector<ArrivedFile> JobStore::arrived(const std::string& folder) const {
  return database_->use([&](SQLite::Database& database) {
    SQLite::Statement row(database,
                          "SELECT name, mark, seen_ms FROM arrived WHERE folder=? ORDER BY name");
    row.bind(1, folder);
    std::vector<ArrivedFile> files;
    while (row.executeStep()) {
      const auto mark = files::parse_file_mark(row.getColumn(1).getString());
      if (!mark) continue;
      files.push_back({.name = narrow(row.getColumn(0).getString()),
                       .mark = *mark,
                       .seen = WallTime(std::chrono::milliseconds(row.getColumn(2).getInt64()))});
    }
    return files;
  });
}

std::optional<StoredJob> JobStore::find_one(const std::string& where,
                                            const std::vector<std::string>& values) const {
  return database_->use([&](SQLite::Database& database) -> std::optional<StoredJob> {
    SQLite::Statement row(database, select(where + " ORDER BY number DESC LIMIT 1"));
    int index = 0;
    for (const std::string& value : values) row.bind(++index, value);
    if (!row.executeStep()) return std::nullopt;
    return read_row(row);
  });
}

}  // namespace mezzo::watch
