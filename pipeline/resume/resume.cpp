#include "pipeline/resume/resume.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "pipeline/job_id.h"
#include "pipeline/plan/provenance.h"
#include "pipeline/plan/side_files.h"
#include "pipeline/process/process_stat.h"
#include "pipeline/run/ink_use.h"
#include "pipeline/text.h"
#include "stages/files/disk_kind.h"
#include "stages/files/input_file.h"
#include "stages/tiff/plate/file_origin.h"
#include "stages/tiff/read/reader.h"

namespace mezzo::resume {
namespace {

namespace fs = std::filesystem;

std::string absolute(const std::string& path) {
  return fs::absolute(path).lexically_normal().string();
}

/// The lines of a settings text, by name.
std::map<std::string, std::string> settings_by_name(const std::string& text) {
  std::map<std::string, std::string> values;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t equals = line.find('=');
    if (equals != std::string::npos) values[line.substr(0, equals)] = line.substr(equals + 1);
  }
  return values;
}

/// The difference of texts that have several lines of one name.
constexpr std::string_view kAnySetting = "a setting changed";

/// "level was 45, is 50", for the first setting that differs.
std::string first_difference(const std::string& before, const std::string& now) {
  const auto old_values = settings_by_name(before);
  const auto new_values = settings_by_name(now);
  for (const auto& [name, value] : new_values) {
    const auto found = old_values.find(name);
    if (found == old_values.end()) return fmt::format("{} is {}", name, value);
    if (found->second != value) return fmt::format("{} was {}, is {}", name, found->second, value);
  }
  for (const auto& [name, value] : old_values) {
    if (!new_values.contains(name)) return fmt::format("{} was {}", name, value);
  }
  return std::string(kAnySetting);
}

// A level of verification that is not the default comes first in the settings of an entry. It decides no
// bit of the plate: a plate is made again where more is to be proved of it, and not where less is.
constexpr std::string_view kVerified = "verified=";

std::string settings_with_level(const plan::SheetPlan& sheet, const std::string& ink) {
  const tiff::VerifyLevel level = sheet.settings.output.verify;
  std::string settings = plan::settings_text(sheet, ink);
  if (level == manifests::OutputSettings().verify) return settings;
  return fmt::format("{}{}\n{}", kVerified, to_string(level), settings);
}

/// The digests of the line work, in its order.
std::vector<std::string> linework_in(const std::string& settings) {
  constexpr std::string_view kKey = "linework=";
  std::vector<std::string> digests;
  std::istringstream lines(settings);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kKey)) digests.push_back(line.substr(kKey.size()));
  }
  return digests;
}

/// How the files of the line work differ from those before; empty when they are the same.
std::string linework_difference(const plan::SheetPlan& sheet, const std::string& before) {
  const std::vector<std::string> old = linework_in(before);
  std::vector<std::string> now;
  for (const plan::LineworkPlan& one : sheet.linework) now.push_back(one.settings.xxh3);
  if (now == old) return {};
  if (now.size() != old.size()) {
    return fmt::format(
        "it had {} of line work, and has {}", counted(old.size(), "file"), now.size());
  }
  for (size_t i = 0; i < now.size(); ++i) {
    const bool is_new = std::ranges::find(old, now[i]) == old.end();
    if (is_new) return fmt::format("the line work {} has changed", sheet.linework[i].settings.file);
  }
  return "the order of its line work has changed";
}

struct MadeWith {
  std::string settings;
  tiff::VerifyLevel level = manifests::OutputSettings().verify;
};

MadeWith made_with(const JournalEntry& entry) {
  const size_t end = entry.settings.find('\n');
  if (!entry.settings.starts_with(kVerified) || end == std::string::npos) return {entry.settings};
  const std::string name = entry.settings.substr(kVerified.size(), end - kVerified.size());
  return {entry.settings.substr(end + 1),
          tiff::verify_level_named(name).value_or(tiff::VerifyLevel::kBytes)};
}

/// The first difference between the settings of plate `i` and those it was made with, for people; empty
/// without any.
std::string difference_of(const plan::SheetPlan& sheet, size_t i, const JournalEntry& entry) {
  const MadeWith before = made_with(entry);
  const tiff::VerifyLevel level = sheet.settings.output.verify;
  const std::string settings = plan::settings_text(sheet, sheet.plates[i].ink);
  if (before.settings == settings) {
    if (before.level >= level) return "";
    return fmt::format("verify was {}, is {}", to_string(before.level), to_string(level));
  }
  std::string difference = first_difference(before.settings, settings);
  if (!difference.starts_with("linework ") && difference != kAnySetting) return difference;
  const std::string linework = linework_difference(sheet, before.settings);
  return linework.empty() ? difference : linework;
}

/// Names the ink of plate `i` when others have not the same difference.
std::string with_ink(const std::string& difference,
                     const plan::SheetPlan& sheet,
                     const std::vector<std::optional<JournalEntry>>& entries,
                     size_t i) {
  for (size_t other = 0; other < entries.size(); ++other) {
    if (!entries[other] || difference_of(sheet, other, *entries[other]) == difference) continue;
    return fmt::format("ink {}: {}", sheet.plates[i].ink, difference);
  }
  return difference;
}

/// The mark of the input now, when its content is that of the entry. Its bytes are read when it was touched
/// since, or when its disk would not show that.
std::optional<files::FileMark> same_input(files::FileSystem& files,
                                          const JournalEntry& entry,
                                          const plan::SheetPlan& sheet) {
  if (entry.input != absolute(sheet.input)) return std::nullopt;
  if (files::mark_of(files, sheet.input) == entry.input_file &&
      files::keeps_change_time(sheet.input, entry.input_file)) {
    return entry.input_file;
  }
  const files::InputFile file(sheet.input, tiff::InputLimits().max_file_bytes, files);
  const bool by_sha256 = entry.input_digest.starts_with("sha256:");
  const std::string digest = by_sha256 ? "sha256:" + file.sha256() : "xxh3:" + file.xxh3();
  file.check_unchanged();
  if (digest != entry.input_digest) return std::nullopt;
  return file.mark();
}

/// Whether a file with the mark `now` has the content that was entered. The file is read if its change time
/// moved, as by a hard link or new rights, or if its disk keeps no change time: a program may have written to
/// it and put its modification time back. An entry of an older program has no digest, and the mark decides.
bool is_as_written(files::FileSystem& files,
                   const std::string& path,
                   const files::FileMark& now,
                   const JournalEntry& entry) {
  if (!now.same_content(entry.file)) return false;
  if (entry.file_digest.empty()) return true;
  if (now == entry.file && files::keeps_change_time(path, now)) return true;
  try {
    return files::digest_of_file(path, files) == entry.file_digest;
  } catch (const Error&) {
    return false;  // what cannot be read is made again
  }
}

/// Why the sheet must be made again, apart from its input; empty when its plates are right.
std::string reason_to_make(files::FileSystem& files,
                           const plan::SheetPlan& sheet,
                           const std::vector<std::optional<JournalEntry>>& entries) {
  for (size_t i = 0; i < entries.size(); ++i) {
    const std::string& plate = sheet.plates[i].path;
    if (!entries[i]) return fmt::format("the plate {} was not finished", plate);
    const auto& own = sheet.plates[i].own;
    if (!own || !is_as_written(files, plate, *own, *entries[i])) {
      return fmt::format("the plate {} is {}",
                         plate,
                         files::mark_of(files, plate) ? "not the file that was written" : "gone");
    }
    const std::string difference = difference_of(sheet, i, *entries[i]);
    if (!difference.empty()) return with_ink(difference, sheet, entries, i);
    // A plate that another job or an earlier path made in between may be of another state of the input.
    if (entries[i]->input != entries.front()->input ||
        entries[i]->input_digest != entries.front()->input_digest) {
      return fmt::format(
          "the plates {} and {} are of two states of the input", sheet.plates.front().path, plate);
    }
  }
  return "";
}

/// Whether the job wrote the plate that stands, now or before the one of its last entry.
bool is_of(const JournalEntry& entry, const files::FileMark& standing) {
  return standing.same_content(entry.file) ||
         (entry.replaced && standing.same_content(*entry.replaced));
}

/// Whether the file is the job's plate, cut short in place, as by a disk that lost its end. Its content cannot
/// be compared, so its inode and size decide.
bool is_cut(files::FileSystem& files,
            const std::string& plate,
            const files::FileMark& standing,
            const JournalEntry& entry) {
  return standing.inode == entry.file.inode && standing.bytes < entry.file.bytes &&
         tiff::origin_of_file(plate, files) == tiff::FileOrigin::kUnreadable;
}

/// The result of a sheet that is done; also notes which of its plates are the job's own.
std::optional<run::SheetResult> find_done(files::FileSystem& files,
                                          plan::SheetPlan& sheet,
                                          Journal& journal,
                                          std::vector<std::string>& reasons) {
  std::vector<std::optional<JournalEntry>> entries;
  for (plan::PlatePlan& plate : sheet.plates) {
    entries.push_back(journal.find(absolute(plate.path)));
    const auto mark = files::mark_of(files, plate.path);
    if (!mark || !entries.back()) continue;
    const JournalEntry& entry = *entries.back();
    if (is_of(entry, *mark) || is_cut(files, plate.path, *mark, entry)) plate.own = mark;
  }
  const auto is_known = [](const auto& entry) { return entry && !entry->settings.empty(); };
  if (std::ranges::none_of(entries, is_known)) return std::nullopt;
  std::string reason = reason_to_make(files, sheet, entries);
  std::optional<files::FileMark> input;
  if (reason.empty()) {
    input = same_input(files, *entries.front(), sheet);
    if (!input) reason = "the input has changed";
  }
  if (!reason.empty()) {
    reasons.push_back(fmt::format("{}: {}, so it is made again", sheet.input, reason));
    return std::nullopt;
  }
  run::SheetResult result;
  result.input = sheet.input;
  result.pages = sheet.pages;
  result.pixels = sheet.pixels;
  result.already_done = true;
  for (size_t i = 0; i < entries.size(); ++i) {
    result.plates.push_back({sheet.plates[i].ink,
                             sheet.plates[i].path,
                             entries[i]->compression,
                             entries[i]->file.bytes,
                             entries[i]->content_sum,
                             entries[i]->coverage_percent});
    run::add_ink_use(sheet, i, result.plates.back());
  }
  // So that they are not read again the next time.
  std::vector<JournalEntry> touched;
  for (size_t i = 0; i < entries.size(); ++i) {
    const files::FileMark& plate = *sheet.plates[i].own;
    if (*input == entries[i]->input_file && plate == entries[i]->file) continue;
    entries[i]->input_file = *input;
    entries[i]->file = plate;
    touched.push_back(std::move(*entries[i]));
  }
  if (!touched.empty()) journal.enter(touched);
  return result;
}

/// Whether it is the temporary file of one of the plates, whose names are those of one folder;
/// `writer` receives the process that made it.
bool is_temporary_of(const std::set<std::string>& plates,
                     const std::string& name,
                     files::Writer& writer) {
  const auto final_name = files::final_name_of(name, writer);
  if (!final_name) return false;
  const auto plate = plates.lower_bound(*final_name);
  if (plate == plates.end()) return false;
  constexpr size_t kCut = 250;  // a temporary name this long may hold only the beginning
  return *plate == *final_name || (name.size() >= kCut && plate->starts_with(*final_name));
}

/// Whether the writer of a temporary file may be at work on it; see remove_orphaned_files().
bool may_be_written(files::FileSystem& files, const OrphanedFile& file) {
  constexpr time_t kLongestPause = 24 * 60 * 60;  // seconds
  const files::Writer here = files::this_process();
  if (!here.machine.empty() && file.writer.machine == here.machine) {
    if (file.writer.pid == here.pid) return false;  // of before: we have none yet
    return process::is_alive(file.writer.pid);
  }
  if (files::are_of_two_boots(file.writer, here) &&
      files::is_on_own_disk(fs::path(file.path).parent_path().string())) {
    return false;
  }
  struct stat found {};
  if (files.status_of_name(file.path, found) != 0) return true;
  // A file that was just swapped for its plate is the older plate: only its change of name is new.
  return ::time(nullptr) - std::max(found.st_mtime, found.st_ctime) < kLongestPause;
}

}  // namespace

void put_start(manifests::Job& job, Journal* journal, const std::string& id) {
  if (!manifests::names_start(job)) return;
  std::optional<manifests::JobStart> start = journal == nullptr ? std::nullopt : journal->start();
  if (!start) {
    const std::time_t now = std::time(nullptr);
    const std::tm local = fmt::localtime(now);
    start = {.date = fmt::format("{:%Y-%m-%d}", local),
             .time = fmt::format("{:%H-%M-%S}", local),
             .id = id.empty() ? new_job_id() : id};
    if (journal != nullptr) journal->set_start(start);
  }
  manifests::put_start(job, *start);
}

Resumed take_done_sheets(plan::JobPlan& plan, Journal& journal) {
  Resumed resumed;
  for (size_t i = 0; i < plan.sheets.size(); ++i) {
    plan::SheetPlan& sheet = plan.sheets[i];
    if (sheet.failure) continue;
    try {
      auto done = find_done(*plan.files, sheet, journal, resumed.reasons);
      if (!done) continue;
      resumed.done.emplace(i, std::move(*done));
    } catch (const fs::filesystem_error& error) {
      throw Error(ErrorKind::kIo, error.what());
    }
    plan.pixels -= sheet.pixels;
    plan.raw_bytes -= sheet.raw_bytes;
  }
  return resumed;
}

std::vector<OrphanedFile> find_orphaned_files(const std::vector<std::string>& plates) {
  std::map<fs::path, std::set<std::string>> names;  // of plates, by folder
  for (const fs::path path : plates) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
    names[folder].insert(path.filename().string());
  }
  std::vector<OrphanedFile> found;
  for (const auto& [folder, names_there] : names) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      files::Writer writer;
      if (is_temporary_of(names_there, entry->path().filename().string(), writer)) {
        found.push_back({entry->path().string(), writer});
      }
    }
  }
  return found;
}

void remove_orphaned_files(const plan::JobPlan& plan) {
  std::vector<std::string> plates;
  for (const plan::SheetPlan& sheet : plan.sheets) {
    for (const plan::PlatePlan& plate : sheet.plates) plates.push_back(plate.path);
    for (const std::string& path : plan::side_paths(sheet)) plates.push_back(path);
  }
  for (const OrphanedFile& file : find_orphaned_files(plates)) {
    if (!may_be_written(*plan.files, file)) plan.files->unlink(file.path);
  }
}

bool SideFileJournal::is_current(const std::string& path, const std::string& text) {
  try {
    const auto entry = journal_.find(absolute(path));
    const auto mark = files::mark_of(files_, path);
    return entry && mark && entry->settings == text && is_as_written(files_, path, *mark, *entry);
  } catch (const Error&) {
    return false;
  }
}

void SideFileJournal::made(const std::string& path, const std::string& text) {
  const auto mark = files::mark_of(files_, path);
  if (!mark) return;
  JournalEntry entry;
  entry.plate = absolute(path);
  entry.file = entry.input_file = *mark;
  entry.settings = text;
  try {
    entry.file_digest = files::digest_of_file(path, files_);
    journal_.enter(std::span(&entry, 1));
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): it is made again, then
  }
}

void note_published(Journal& journal, files::FileSystem& files, const plan::SheetPlan& sheet) {
  std::vector<JournalEntry> moved;
  try {
    for (const plan::PlatePlan& plate : sheet.plates) {
      auto entry = journal.find(absolute(plate.path));
      const auto mark = files::mark_of(files, plate.path);
      if (!entry || !mark || !mark->same_content(entry->file) || *mark == entry->file) continue;
      entry->file = *mark;
      moved.push_back(std::move(*entry));
    }
    if (!moved.empty()) journal.enter(moved);
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): a later run reads the plates instead
  }
}

run::OnSealed enter_into(Journal& journal) {
  return [&journal](const run::SealedSheet& sealed) {
    std::vector<JournalEntry> entries;
    for (size_t i = 0; i < sealed.result.plates.size(); ++i) {
      const run::PlateResult& plate = sealed.result.plates[i];
      entries.push_back({.plate = absolute(plate.path),
                         .file = sealed.files[i].mark,
                         .input = absolute(sealed.sheet.input),
                         .input_file = sealed.input_file,
                         .input_digest = sealed.input_digest,
                         .settings = settings_with_level(sealed.sheet, plate.ink),
                         .ink = plate.ink,
                         .compression = plate.compression,
                         .content_sum = plate.content_sum,
                         .coverage_percent = plate.coverage_percent,
                         .file_digest = journal.keeps_file_digests() ? sealed.files[i].digest : "",
                         .sealed_path = sealed.files[i].path,
                         .replaced = sealed.sheet.plates[i].own});
    }
    journal.enter(entries);
  };
}

}  // namespace mezzo::resume
