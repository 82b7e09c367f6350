// The ends of claimed jobs: their files moved out or back; and orphaned jobs.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "kernels/base/error.h"
#include "pipeline/watch/folder/entry_names.h"
#include "pipeline/watch/folder/work_folder.h"
#include "stages/files/rename.h"

namespace mezzo::watch {
namespace {

constexpr const char* kReasonName = "error.txt";
constexpr const char* kReasonTail = ".error.txt";
constexpr const char* kCannotGoOn =
    "it could not go on. Its files are in this folder: drop them again";
constexpr size_t kMostForNames = 200;  // in .work, that are looked at for each claim
constexpr size_t kNamesATurn = 100;    // in .work: each costs a lock and some reads, of any length
constexpr size_t kMostInWork = 100'000;         // in .work, that are looked at
constexpr size_t kMaxNumber = size_t{1} << 40;  // of a name such as "a (2).tif"
constexpr size_t kMaxRecordBytes = 16 << 20;    // a ticket may name 5,000 files

constexpr std::array<std::pair<const char*, std::optional<WorkEnd>>, 4> kRecordNames = {{
    {"record", std::nullopt},
    {"record.done", WorkEnd::kDone},
    {"record.failed", WorkEnd::kFailed},
    {"record.incomplete", WorkEnd::kIncomplete},
}};

bool is_own_manifest(const JobRecord& record, const std::string& name) {
  return record.kind == JobKind::kPages && name == kManifestName;
}

/// As new_job_id() makes them: they become parts of paths and messages, and anyone who can write to the
/// hot folder can make any name here.
bool is_id(const std::string& name) {
  constexpr size_t kMaxIdBytes = 64;
  return name.size() <= kMaxIdBytes && std::ranges::all_of(name, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  c == '-';
         });
}

/// Whether the folder in .work is this user's, as those of all watchers of the folder are, or the
/// administrator's. The owner of the hot folder runs one as well; anyone may have made .work.
bool is_trusted(int root, int work, const std::string& id) {
  struct stat job {};
  struct stat hot {};
  return ::fstatat(work, id.c_str(), &job, AT_SYMLINK_NOFOLLOW) == 0 && ::fstat(root, &hot) == 0 &&
         (job.st_uid == ::geteuid() || job.st_uid == 0 || job.st_uid == hot.st_uid);
}

void add_note(std::vector<FolderNote>& notes, const std::string& name, std::string text) {
  if (notes.size() >= kMaxWorkNotes) return;
  notes.push_back({.name = printable_name(name), .text = std::move(text)});
}

/// The number after `number` in names such as "a (2).tif". Where users have taken many, not all are
/// tried.
size_t next_number(size_t number) {
  constexpr size_t kInTurn = 1000;
  return number < kInTurn ? number + 1 : 2 * number;
}

/// Whether the file is the one that a job found with this mark, and not another that got its name: pages
/// of one name come day by day. One that was restored from a copy has another inode.
bool is_still(const files::FileMark& mark, const files::FileStat& there) {
  return mark == files::FileMark() || there.inode == mark.inode ||
         (there.bytes == mark.bytes && there.modified_ns == mark.modified_ns);
}

}  // namespace

std::vector<MovedFile> WorkFolder::finish(ClaimedJob job, WorkEnd end, const std::string& reason) {
  Held held = reopen(job);
  const std::optional<JobRecord> record = find_record(held);
  // An earlier attempt came as far as this, and the disk would not have the rest.
  if (record && record->end) {
    held.was_synced = true;
    return tidy_up(std::move(held), *record, *record->end);
  }
  if (!record && !files::stat_file(held.folder.get(), kFilesName)) {
    remove_job(std::move(held));
    return {};
  }
  job.lock.reset();
  if (!record) {
    rescue(std::move(held), "its files are in this folder, and not under their names");
    return {};
  }
  std::vector<MovedFile> moved = end_job(std::move(held), *record, end, reason);
  // One that changed after the last try has the mark of before, which tells that it did. Of another only its name
  // is new, and the time of that change.
  for (MovedFile& file : moved) {
    const auto found = std::ranges::find(job.made_from, file.mark.inode, &files::FileMark::inode);
    if (found == job.made_from.end()) continue;
    const auto now = files::stat_file(root_, file.path);
    file.mark = now && now->FileMark::same_content(*found) ? now->mark() : *found;
  }
  return moved;
}

std::vector<MovedFile> WorkFolder::end_job(Held held,
                                           const JobRecord& record,
                                           WorkEnd end,
                                           const std::string& reason) {
  if (end != WorkEnd::kDone) {
    keep_reason(held, reason);
    held.was_synced = true;
  }
  const std::string name = std::string("record.") + folder_of(end);
  if (calls_.rename({held.folder.get(), "record"}, {held.folder.get(), name}, 0) != 0) {
    fail(held.id, "recording its end");
  }
  return tidy_up(std::move(held), record, end);
}

void WorkFolder::give_back(ClaimedJob job) {
  Held held = reopen(job);
  const std::optional<JobRecord> record = find_record(held);
  job.lock.reset();
  if (!record) return rescue(std::move(held), kCannotGoOn);
  move_out(held, *record, root_, "");
  remove_job(std::move(held), root_);
}

size_t WorkFolder::drop_again(const std::vector<MovedFile>& files) {
  size_t found = 0;
  for (const MovedFile& file : files) {
    const size_t slash = file.path.find('/');
    const std::string where = file.path.substr(0, slash);
    const std::string name = slash == std::string::npos ? "" : file.path.substr(slash + 1);
    const files::Descriptor folder =
        is_layout_name(where) ? files::open_folder(root_, where) : files::Descriptor();
    if (!folder || name.empty() || name.find('/') != std::string::npos) continue;
    if (const auto there = files::stat_file(folder.get(), name)) {
      // One that failed may have been mended in its place.
      if (where == folder_of(WorkEnd::kDone) && !is_still(file.mark, *there)) continue;
      move_numbered({folder.get(), name}, root_, file.name);
      ++found;
    }
    // Last: stopped in between, this leaves no file in failed/ without its reason.
    remove(folder.get(), numbered_name(name, 1, kReasonTail));
  }
  return found;
}

std::deque<std::string> WorkFolder::names(std::vector<FolderNote>& notes) {
  const files::Descriptor work = files::open_folder(root_, kWorkName);
  if (!work && errno == ENOENT) return {};
  if (!work) fail(kWorkName, "opening the folder");
  std::vector<std::string> names =
      files::first_names_in(work.get(), path_ + "/" + kWorkName, kMostInWork + 1);
  if (names.size() > kMostInWork) {
    add_note(notes,
             kWorkName,
             "there are more than " + std::to_string(kMostInWork) +
                 " entries in it, and the others are not looked at; remove those that are no jobs");
  }
  std::ranges::sort(names);
  return {names.begin(), names.end()};
}

std::vector<ClaimedJob> WorkFolder::take_orphaned(std::deque<std::string>& names,
                                                  size_t most,
                                                  const Deadline& end,
                                                  std::vector<FolderNote>& notes) {
  const files::Descriptor work = files::open_folder(root_, kWorkName);
  if (!work) names.clear();
  std::vector<ClaimedJob> jobs;
  for (size_t looks = 0; !names.empty() && jobs.size() < most && looks < kNamesATurn; ++looks) {
    if (end.is_past()) break;
    const std::string id = names.front();
    names.pop_front();
    const std::optional<files::FileStat> seen = files::stat_file(work.get(), id);
    if (!seen || !seen->is_folder()) continue;
    if (!is_id(id) || !is_trusted(root_, work.get(), id)) {
      add_note(notes,
               id,
               is_id(id) ? "made by another user than a watcher; it is ignored"
                         : "not a job of a watcher; it is ignored");
      continue;
    }
    try {
      if (std::optional<ClaimedJob> job = orphan(work.get(), id)) {
        jobs.push_back(std::move(*job));
      }
    } catch (const Error& error) {
      add_note(notes, id, error.what());
    }
  }
  return jobs;
}

std::optional<ClaimedJob> WorkFolder::orphan(int work, const std::string& id) {
  std::optional<Held> held = lock_job(work, id);
  if (!held) return std::nullopt;
  held->was_synced = true;
  const std::optional<JobRecord> found = find_record(*held);
  if (!found) {
    rescue(std::move(*held), kCannotGoOn);
    return std::nullopt;
  }
  const JobRecord& record = *found;
  if (record.end) {
    tidy_up(std::move(*held), record, *record.end);
    return std::nullopt;
  }
  if (!is_whole(*held, record)) {
    move_out(*held, record, root_, "");
    remove_job(std::move(*held), root_);
    return std::nullopt;
  }
  if (record.kind == JobKind::kLoose) {
    end_job(std::move(*held), record, record.loose_end, record.loose_reason);
    return std::nullopt;
  }
  if (record.kind == JobKind::kPages) mend_manifest(*held, record);
  return claimed(std::move(*held), record, true);
}

bool WorkFolder::is_name_taken(const std::string& name) const {
  const files::Descriptor work = files::open_folder(root_, kWorkName);
  if (!work) return false;
  const auto names = files::first_names_in(work.get(), path_ + "/" + kWorkName, kMostForNames);
  const std::string wanted = printable_name(name);  // as records have it
  return std::ranges::any_of(names, [&](const std::string& id) {
    if (!is_id(id) || !is_trusted(root_, work.get(), id)) return false;
    try {
      const Held job{.id = id, .folder = files::open_folder(work.get(), id), .lock = nullptr};
      const std::optional<JobRecord> record = job.folder ? find_record(job) : std::nullopt;
      return record && !record->end && record->kind != JobKind::kLoose && record->name == wanted;
    } catch (const Error&) {
      return false;  // the search for orphaned jobs tells of it
    }
  });
}

/// Nothing when there is none that can be understood.
std::optional<JobRecord> WorkFolder::find_record(const Held& held) const {
  for (const auto& [name, end] : kRecordNames) {
    const files::Descriptor file = files::open_regular(held.folder.get(), name);
    if (!file && errno == ENOENT) continue;
    if (!file) fail(held.id, "reading its record");
    const std::optional<files::FileStat> stat = files::stat_file(file.get());
    if (!stat) fail(held.id, "reading its record");
    // As much memory as it needs: there may be many.
    const size_t bytes = std::min<size_t>(stat->bytes + 1, kMaxRecordBytes);
    const std::optional<std::string> text = files::read_all(file.get(), bytes);
    if (!text) fail(held.id, "reading its record");
    std::optional<JobRecord> record = parse_record(*text);
    if (record) record->end = end;
    return record;
  }
  return std::nullopt;
}

bool WorkFolder::is_whole(const Held& held, const JobRecord& record) const {
  const files::Descriptor files = files::open_folder(held.folder.get(), kFilesName);
  if (!files) return false;
  const bool was_begun = count_tries(held.folder.get()) > 0;
  // Stopped between the move of a file and the look at it, a claim may have another than the one that
  // held still. Once a try was begun that look is over; and shares may number their files anew.
  const auto is_right = [&](const std::optional<files::FileStat>& found, const RecordedFile& file) {
    return found && (was_begun || found->inode == file.inode);
  };
  if (record.kind == JobKind::kFolder) {
    return is_right(files::stat_file(files.get()), record.files.front());
  }
  return std::ranges::all_of(record.files, [&](const RecordedFile& file) {
    return is_right(files::stat_file(files.get(), file.inside), file);
  });
}

/// After a loss of power the record is whole, but job.yaml need not be.
void WorkFolder::mend_manifest(const Held& held, const JobRecord& record) {
  const files::Descriptor files = files::open_folder(held.folder.get(), kFilesName);
  const files::Descriptor file = files::open_regular(files.get(), kManifestName);
  if (file && files::read_all(file.get(), record.manifest.size() + 1) == record.manifest) return;
  remove(files.get(), kManifestName);
  write_file(files.get(), kManifestName, record.manifest, Sync::kYes);
}

/// A job without a record that can be read. Before there is one nothing was moved; when there is
/// something all the same, people must see the files that the disk has left.
void WorkFolder::rescue(Held held, const std::string& what_follows) {
  const files::Descriptor files = files::open_folder(held.folder.get(), kFilesName);
  if (files && !files::names_in(files.get(), held.id).empty()) {
    const std::string where = folder_of(WorkEnd::kFailed);
    const JobRecord record{.kind = JobKind::kFolder,
                           .name = held.id,
                           .files = {{.name = held.id,
                                      .inside = kFilesName,
                                      .inode = files::stat_file(files.get())->inode}}};
    keep_reason(held, "The record of this job is lost, so " + what_follows + ".");
    const files::Descriptor target = open_or_make(where);
    move_out(held, record, target.get(), where);
    place_reason(held, record, target.get());
    return remove_job(std::move(held), target.get());
  }
  remove_job(std::move(held));
}

void WorkFolder::keep_reason(const Held& held, const std::string& reason) {
  const int folder = held.folder.get();
  try {
    remove(folder, "error.new");
    write_file(folder, "error.new", reason + "\n", Sync::kYes);
    if (calls_.rename({folder, "error.new"}, {folder, kReasonName}, 0) != 0) {
      fail(held.id, "recording the reason");
    }
  } catch (const Error&) {
    // On a full disk the files still go where people find them; the reason is in the history.
  }
}

std::vector<MovedFile> WorkFolder::tidy_up(Held held, const JobRecord& record, WorkEnd end) {
  const files::Descriptor target = open_or_make(folder_of(end));
  std::vector<MovedFile> moved = move_out(held, record, target.get(), folder_of(end));
  place_reason(held, record, target.get());
  remove_job(std::move(held), target.get());
  return moved;
}

std::vector<MovedFile> WorkFolder::move_out(const Held& held,
                                            const JobRecord& record,
                                            int target,
                                            const std::string& target_name) {
  const std::string prefix = target_name.empty() ? "" : target_name + "/";
  const files::Descriptor files = files::open_folder(held.folder.get(), kFilesName);
  if (!files) {
    if (errno == ENOENT) return {};
    fail(held.id, "opening its files");
  }
  if (record.kind == JobKind::kFolder) {
    const std::string files_name = kFilesName;
    const std::string& name = record.files.front().name;
    return {{.name = name,
             .path = prefix + move_numbered({held.folder.get(), files_name}, target, name)}};
  }
  std::vector<MovedFile> moved;
  const auto move = [&](const std::string& inside) {
    const std::string name = record.original_name(inside);
    const auto stat = files::stat_file(files.get(), inside);
    moved.push_back({.name = name,
                     .path = prefix + move_numbered({files.get(), inside}, target, name),
                     .mark = stat && stat->is_regular() ? stat->mark() : files::FileMark()});
  };
  for (const RecordedFile& file : record.files) {
    if (files::stat_file(files.get(), file.inside)) move(file.inside);
  }
  // Other files that came to be there are not ours to delete.
  for (const std::string& inside : files::names_in(files.get(), held.id)) {
    if (!is_own_manifest(record, inside)) move(inside);
  }
  return moved;
}

/// Gives the file the first free name, and says which. A name is free when neither it nor that of
/// its error text is taken.
std::string WorkFolder::move_numbered(files::At from, int to, const std::string& name) {
  for (size_t number = 1; number < kMaxNumber; number = next_number(number)) {
    if (files::stat_file(to, numbered_name(name, number, kReasonTail))) continue;
    std::string free = numbered_name(name, number);
    if (move_to_free(from, {to, free})) return free;
  }
  errno = EEXIST;
  fail(name, "finding a free name for it");
}

/// False when something else has the name.
bool WorkFolder::move_to_free(files::At from, files::At to) {
  if (files::rename_new(calls_, from, to) == 0) return true;
  if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR) fail(to.name, "moving it");
  const std::optional<files::FileStat> source = files::stat_file(from.folder, from.name);
  if (!source) fail(to.name, "moving it");
  const std::optional<files::FileStat> other = files::stat_file(to.folder, to.name);
  if (!other || other->inode != source->inode || other->is_folder()) return false;
  remove(from.folder, from.name);  // two names of one file: a move by link() was broken off
  return true;
}

void WorkFolder::place_reason(const Held& held, const JobRecord& record, int target) {
  if (!files::stat_file(held.folder.get(), kReasonName)) return;
  const RecordedFile& first = record.files.front();
  size_t number = 1;
  for (; number < kMaxNumber; number = next_number(number)) {
    const auto seen = files::stat_file(target, numbered_name(first.name, number));
    if (seen && seen->inode == first.inode) break;
  }
  if (number >= kMaxNumber) number = 1;  // it was moved elsewhere meanwhile
  const std::string reason_name = kReasonName;
  const files::At reason{held.folder.get(), reason_name};
  for (; number < kMaxNumber; number = next_number(number)) {
    if (move_to_free(reason, {target, numbered_name(first.name, number, kReasonTail)})) return;
  }
}

/// The record and the lock go last: while they are there, the rest is known.
///
/// Of a folder that was synced, or in which a file was, btrfs keeps at the next sync of anything that
/// names in it are gone, and not that other folders have got files of it. After a loss of power they would
/// lie in a job without a record. So both folders are synced in turn.
void WorkFolder::remove_job(Held held, int target) {
  const int folder = held.folder.get();
  if (held.was_synced && target >= 0) sync_folder(target, held.id, "moving its files");
  if (const files::Descriptor files = files::open_folder(folder, kFilesName)) {
    remove(files.get(), kManifestName);
    remove(folder, kFilesName, AT_REMOVEDIR);
  }
  for (const char* name : {kReasonName, "error.new", "record.new"}) remove(folder, name);
  for (uint32_t number = count_tries(folder); number > 0; --number) {
    remove(folder, "try-" + std::to_string(number));
  }
  if (held.was_synced) sync_folder(folder, held.id, "removing its files");
  for (const auto& [name, end] : kRecordNames) remove(folder, name);
  remove(folder, "lock");
  held.lock.reset();
  const files::Descriptor work = files::open_folder(root_, kWorkName);
  // Some network file systems keep a file while it is open; the next cleaning removes the folder
  // then.
  if (work && calls_.unlink({work.get(), held.id}, AT_REMOVEDIR) != 0 && errno != ENOENT &&
      errno != ENOTEMPTY && errno != EEXIST) {
    fail(held.id, "removing it");
  }
}

}  // namespace mezzo::watch
