#include "pipeline/watch/job/job_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>

#include "kernels/base/error.h"
#include "manifests/json/members.h"
#include "pipeline/log/log.h"
#include "pipeline/sqlite.h"
#include "pipeline/watch/job/worker_report.h"
#include "pipeline/watch/view/view_json.h"
#include "stages/files/file_system.h"
#include "stages/files/folder.h"

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
  for (const auto& texts : json::from_value<std::vector<std::vector<std::string>>>(
           json::parse_or_null(text), json::Reading::kLenient)) {
    if (texts.size() < 2) continue;
    const auto mark = files::parse_file_mark(texts.size() > 2 ? texts[2] : "");
    files.push_back({.name = narrow(texts[0]),
                     .path = narrow(texts[1]),
                     .mark = mark.value_or(files::FileMark()),
                     .digest = texts.size() > 3 ? texts[3] : ""});
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

/// A statement with its values, in their order.
template <typename... Values>
SQLite::Statement bound(SQLite::Database& database,
                        const std::string& statement,
                        const Values&... values) {
  SQLite::Statement made(database, statement);
  int index = 0;
  (made.bind(++index, values), ...);
  return made;
}

/// Adds the next step that is kept of a failed job.
void read_advice(SQLite::Database& database, JobView& job) {
  SQLite::Statement row = bound(database, "SELECT text, can_retry FROM advice WHERE id=?", job.id);
  if (!row.executeStep()) return;
  job.advice = row.getColumn(0).getString();
  job.can_retry = row.getColumn(1).getInt() != 0;
}

void write_advice(SQLite::Database& database, const JobView& job) {
  if (job.advice.empty() && job.can_retry) return;
  bound(database,
        "INSERT OR REPLACE INTO advice(id, text, can_retry) VALUES(?, ?, ?)",
        job.id,
        job.advice,
        job.can_retry ? 1 : 0)
      .exec();
  database.exec("DELETE FROM advice WHERE id NOT IN (SELECT id FROM jobs)");
}

/// Returns how many rows it changed.
int write_row(SQLite::Database& database, const std::string& statement, const StoredJob& job) {
  const JobView& view = job.view;
  return bound(database,
               statement,
               view.id,
               view.folder,
               view.name,
               to_string(view.state),
               view.tries,
               view.message,
               milliseconds_of(view.since),
               view.seconds,
               static_cast<int64_t>(view.pixels),
               static_cast<int64_t>(view.pixels_done),
               plates_text(job),
               view.report,
               job.digest,
               files_text(job.files))
      .exec();
}

std::string select(const std::string& rest) {
  return std::string("SELECT ") + kColumns + " FROM jobs " + rest;
}

/// The last `count` jobs `where`, whose values are in their order, newest first.
template <typename... Values>
std::vector<StoredJob> find_jobs(const Database& database,
                                 size_t count,
                                 const std::string& where,
                                 const Values&... values) {
  return database.use([&](SQLite::Database& rows) {
    SQLite::Statement row = bound(rows,
                                  select(where + " ORDER BY number DESC LIMIT ?"),
                                  values...,
                                  static_cast<int64_t>(count));
    std::vector<StoredJob> jobs;
    while (row.executeStep()) jobs.push_back(read_row(row));
    for (StoredJob& job : jobs) {
      if (job.view.state == JobState::kFailed) read_advice(rows, job.view);
    }
    return jobs;
  });
}

std::optional<StoredJob> first_of(std::vector<StoredJob> jobs) {
  return jobs.empty() ? std::nullopt : std::optional(std::move(jobs.front()));
}

std::vector<JobView> views_of(std::vector<StoredJob> jobs) {
  std::vector<JobView> views;
  for (StoredJob& job : jobs) views.push_back(std::move(job.view));
  return views;
}

/// Carries out a statement with its values.
template <typename... Values>
void change(const Database& database, const char* statement, const Values&... values) {
  database.use([&](SQLite::Database& all) { bound(all, statement, values...).exec(); });
}

/// Whether the table of folders has this one.
bool has_folder(const Database& database, const char* table, const std::string& folder) {
  return database.use([&](SQLite::Database& all) {
    return bound(all, fmt::format("SELECT 1 FROM {} WHERE folder=?", table), folder).executeStep();
  });
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

std::vector<files::FileMark> marks_of(const std::vector<PlateView>& plates) {
  std::vector<files::FileMark> marks;
  for (const PlateView& plate : plates) {
    marks.push_back(
        files::mark_of(files::FileSystem::real(), plate.path).value_or(files::FileMark()));
  }
  return marks;
}

std::string lost_plates(const StoredJob& job) {
  const std::vector<PlateView>& plates = job.view.plates;
  if (plates.empty() || plates.size() >= WorkerReport::kPlatesKept) {
    return "not all of its plates are known";
  }
  const std::vector<files::FileMark> now = marks_of(plates);
  for (size_t i = 0; i < plates.size(); ++i) {
    if (now[i] == files::FileMark()) return "its plate " + plates[i].path + " is gone";
    const bool is_known = i < job.plate_marks.size();
    if (is_known && !now[i].same_content(job.plate_marks[i])) {
      return "its plate " + plates[i].path + " is not the one that was made";
    }
  }
  return {};
}

size_t remove_plates(const StoredJob& job, const std::string& folder) {
  const files::Descriptor root(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  size_t removed = 0;
  for (size_t i = 0; root && i < job.plate_marks.size(); ++i) {
    const fs::path path = fs::path(job.view.plates[i].path).lexically_relative(folder);
    if (path.empty() || job.plate_marks[i] == files::FileMark()) continue;
    const fs::path parent = path.has_parent_path() ? path.parent_path() : ".";
    // The path comes from a worker, which has read files of strangers: it must not lead out.
    const files::Descriptor below =
        files::open_beneath(root.get(), parent.string(), O_RDONLY | O_DIRECTORY);
    const std::string name = path.filename().string();
    const auto stat = below ? files::stat_file(below.get(), name) : std::nullopt;
    if (!stat || !stat->is_regular() || !stat->FileMark::same_content(job.plate_marks[i])) continue;
    removed += ::unlinkat(below.get(), name.c_str(), 0) == 0;
  }
  return removed;
}

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
    const int updated = write_row(
        database, fmt::format("UPDATE jobs SET ({}) = ({}) WHERE id=?1", kColumns, kValues), job);
    if (updated == 0) {
      write_row(database, fmt::format("INSERT INTO jobs({}) VALUES({})", kColumns, kValues), job);
    }
    write_advice(database, job.view);
    database.exec(
        fmt::format("DELETE FROM jobs WHERE number <= (SELECT MAX(number) FROM jobs) - {}", kKept));
    transaction.commit();
  });
}

std::optional<StoredJob> JobStore::find(const std::string& id) const {
  return first_of(find_jobs(*database_, 1, "WHERE id=?", id));
}

std::optional<StoredJob> JobStore::find_done(const std::string& folder,
                                             const std::string& digest) const {
  if (digest.empty()) return std::nullopt;
  constexpr const char* kWhere = "WHERE digest=? AND digest <> '' AND folder=? AND state='done'";
  return first_of(find_jobs(*database_, 1, kWhere, digest, folder));
}

void JobStore::forget_content(const std::string& folder, const std::string& digest) {
  if (digest.empty()) return;
  change(*database_, "UPDATE jobs SET digest='' WHERE digest=? AND folder=?", digest, folder);
}

std::vector<JobView> JobStore::latest(size_t count) const {
  return views_of(find_jobs(*database_, count, "WHERE state<>'failed'"));
}

std::vector<JobView> JobStore::failed(size_t count) const {
  constexpr const char* kWhere = "WHERE state='failed' AND id NOT IN (SELECT id FROM dismissed)";
  return views_of(find_jobs(*database_, count, kWhere));
}

void JobStore::dismiss(const std::string& id) {
  database_->use([&](SQLite::Database& database) {
    SQLite::Transaction transaction(database);
    bound(database, "INSERT OR IGNORE INTO dismissed(id) VALUES(?)", id).exec();
    database.exec("DELETE FROM dismissed WHERE id NOT IN (SELECT id FROM jobs)");
    transaction.commit();
  });
}

std::vector<StoredJob> JobStore::ended_since(WallTime time, size_t count) const {
  return find_jobs(
      *database_, count, "WHERE since_ms >= ? AND files <> '[]'", milliseconds_of(time));
}

void JobStore::set_paused(const std::string& folder, bool paused) {
  change(*database_,
         paused ? "INSERT OR IGNORE INTO paused(folder) VALUES(?)"
                : "DELETE FROM paused WHERE folder=?",
         folder);
}

bool JobStore::is_paused(const std::string& folder) const {
  return has_folder(*database_, "paused", folder);
}

void JobStore::set_had_settings(const std::string& folder) {
  change(*database_, "INSERT OR IGNORE INTO had_settings(folder) VALUES(?)", folder);
}

bool JobStore::had_settings(const std::string& folder) const {
  return has_folder(*database_, "had_settings", folder);
}

void JobStore::set_arrived(const std::string& folder, const std::vector<ArrivedFile>& files) {
  database_->use([&](SQLite::Database& database) {
    SQLite::Transaction transaction(database);
    bound(database, "DELETE FROM arrived WHERE folder=?", folder).exec();
    for (const ArrivedFile& file : files) {
      bound(database,
            "INSERT OR REPLACE INTO arrived(folder, name, mark, seen_ms) VALUES(?, ?, ?, ?)",
            folder,
            wide(file.name),
            files::to_string(file.mark),
            milliseconds_of(file.seen))
          .exec();
    }
    transaction.commit();
  });
}

std::vector<ArrivedFile> JobStore::arrived(const std::string& folder) const {
  return database_->use([&](SQLite::Database& database) {
    SQLite::Statement row = bound(
        database, "SELECT name, mark, seen_ms FROM arrived WHERE folder=? ORDER BY name", folder);
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

JobHistory::JobHistory(const std::string& folder, WatchListener* listener) : listener_(listener) {
  try {
    store_.emplace(folder);
    if (!store_->damage().empty()) log::warn("{}", store_->damage());
    for (JobView& job : store_->latest(kShown)) ended_.push_back(std::move(job));
    for (JobView& job : store_->failed(kFailedShown)) failed_jobs_.push_back(std::move(job));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kCannotCreate) throw;
    log::error(
        "{}; going on without the history, so plates of files that are dropped again are made "
        "again",
        error.what());
    store_.reset();
  }
}

void JobHistory::log_failure(const Error& error, const std::string& follows) {
  log::warn("{}{}", error.what(), follows);
}

void JobHistory::enter(const StoredJob& job) {
  if (!store_) return;
  ask(&JobStore::enter, job);
  const std::lock_guard lock(mutex_);
  if (!job.files.empty() && entered_.size() < kMostRecent) entered_.push_back(job);
}

std::vector<StoredJob> JobHistory::recent(WallTime now) {
  std::vector<StoredJob> jobs = ask(&JobStore::ended_since, now - kRecent, kMostRecent);
  std::ranges::reverse(jobs);
  return jobs;
}

std::vector<StoredJob> JobHistory::take_entered() {
  const std::lock_guard lock(mutex_);
  return std::exchange(entered_, {});
}

void JobHistory::add_ended(const JobView& job) {
  if (listener_ != nullptr) listener_->job_ended(job);
  const std::lock_guard lock(mutex_);
  const bool has_failed = job.state == JobState::kFailed;
  counts_.done += job.state == JobState::kDone;
  counts_.failed += has_failed;
  std::deque<JobView>& shown = has_failed ? failed_jobs_ : ended_;
  shown.push_front(job);
  if (shown.size() > (has_failed ? kFailedShown : kShown)) shown.pop_back();
}

JobHistory::Counts JobHistory::counts() const {
  const std::lock_guard lock(mutex_);
  Counts counts = counts_;
  counts.failed_shown = failed_jobs_.size();
  return counts;
}

std::vector<JobView> JobHistory::ended() const {
  const std::lock_guard lock(mutex_);
  std::vector<JobView> jobs(failed_jobs_.begin(), failed_jobs_.end());
  jobs.insert(jobs.end(), ended_.begin(), ended_.end());
  std::ranges::stable_sort(jobs, std::ranges::greater(), &JobView::since);
  return jobs;
}

bool JobHistory::dismiss(const std::string& id) {
  {
    const std::lock_guard lock(mutex_);
    const auto is_it = [&](const JobView& job) { return job.id == id; };
    if (std::erase_if(failed_jobs_, is_it) == 0) return false;
  }
  ask(&JobStore::dismiss, id);
  return true;
}

void JobHistory::set_message(const std::string& id, const std::string& message) {
  const std::lock_guard lock(mutex_);
  for (JobView& job : ended_) {
    if (job.id == id) job.message = message;
  }
}

}  // namespace mezzo::watch
