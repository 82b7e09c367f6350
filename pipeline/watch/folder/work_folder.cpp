// Claims, and the helpers of all. The ends of claimed jobs are in work_end.cpp.
#include "pipeline/watch/folder/work_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "pipeline/job_id.h"
#include "pipeline/watch/folder/entry_names.h"
#include "stages/files/lock.h"
#include "stages/files/publish.h"

namespace mezzo::watch {
namespace {

std::string name_inside(const ClaimPlan& plan, size_t index) {
  const JobKind kind = plan.record.kind;
  if (kind == JobKind::kFolder) return kFilesName;
  if (kind == JobKind::kTicket && index == 0) return kManifestName;
  return kind == JobKind::kLoose ? printable_name(plan.files[index].name) : plan.files[index].name;
}

JobRecord record_of(const ClaimPlan& plan) {
  JobRecord record = plan.record;
  for (size_t i = 0; i < plan.files.size(); ++i) {
    const ClaimFile& file = plan.files[i];
    record.files.push_back(
        {.name = file.name, .inside = name_inside(plan, i), .inode = file.stat.inode});
  }
  return record;
}

/// A ticket has its own name, and in a folder it is that folder's job.yaml.
std::string manifest_name(const JobRecord& record) {
  std::string first = printable_name(record.files.front().name);
  if (record.kind == JobKind::kTicket) return first;
  return record.kind == JobKind::kFolder ? first + "/" + kManifestName : kManifestName;
}

}  // namespace

uint32_t count_tries(int folder) {
  uint32_t tries = 0;
  while (files::stat_file(folder, "try-" + std::to_string(tries + 1))) ++tries;
  return tries;
}

bool is_away(const ClaimedJob& job) {
  std::error_code error;
  if (std::filesystem::exists(job.work, error)) return false;
  const std::optional<files::FileStat> lock = files::stat_file(job.lock_fd);
  return !lock || lock->links > 0;
}

WorkFolder::WorkFolder(int root, std::string path, files::FileSystem& calls)
    : root_(root), path_(std::move(path)), calls_(calls) {}

std::optional<ClaimedJob> WorkFolder::claim(const ClaimPlan& plan) {
  // Most jobs that are lost to another watcher are gone already, and cost no more than this.
  for (const ClaimFile& file : plan.files) {
    const std::optional<files::FileStat> now = files::stat_file(root_, file.name);
    if (!now || !now->same_content(file.stat)) return std::nullopt;
  }
  const files::Descriptor work = open_or_make(kWorkName);
  Held held = make_job(work.get());
  const JobRecord record = record_of(plan);
  bool mine = false;
  try {
    fill(held, record);
    mine = move_in(held, plan);
  } catch (const Error&) {
    try {
      move_out(held, record, root_, "");
      remove_job(std::move(held));
    } catch (const Error&) {
      // The disk will not have it now; take_orphaned() does the same later.
    }
    throw;
  }
  if (mine) return claimed(std::move(held), record, false);
  move_out(held, record, root_, "");
  remove_job(std::move(held));
  return std::nullopt;
}

WorkFolder::Held WorkFolder::make_job(int work) {
  for (;;) {
    const std::string id = new_job_id();
    if (calls_.make_folder({work, id}, 0777) != 0) {
      if (errno == EEXIST) continue;
      fail(std::string(kWorkName) + "/" + id, "making it");
    }
    // A watcher that looks for orphaned jobs may have found it before it was locked, and removed it
    // or be about to: then it is left to that watcher.
    if (std::optional<Held> held = lock_job(work, id)) return std::move(*held);
  }
}

std::optional<WorkFolder::Held> WorkFolder::lock_job(int work, const std::string& id) {
  Held held{.id = id, .folder = files::open_folder(work, id), .lock = nullptr};
  if (!held.folder) return std::nullopt;
  files::Lock lock = files::take_lock("lock", 0666, held.folder.get());
  if (!lock.file) {
    if (errno == ENOENT) return std::nullopt;  // the folder is gone
    fail(std::string(kWorkName) + "/" + id + "/lock", "opening it");
  }
  if (!lock.is_held()) {
    if (errno == EWOULDBLOCK || errno == EINTR) return std::nullopt;
    fail(std::string(kWorkName) + "/" + id + "/lock", "locking it");
  }
  held.lock = std::make_shared<files::Descriptor>(std::move(lock.file));
  const std::optional<files::FileStat> seen = files::stat_file(held.lock->get());
  if (!seen || seen->links == 0)
    return std::nullopt;  // the watcher that had it has removed the job
  return held;
}

void WorkFolder::fill(const Held& held, const JobRecord& record) {
  const int folder = held.folder.get();
  write_file(folder, "record.new", to_text(record), Sync::kYes);
  if (calls_.rename({folder, "record.new"}, {folder, "record"}, 0) != 0) {
    fail(held.id, "writing its record");
  }
  if (record.kind == JobKind::kFolder) return;
  if (calls_.make_folder({folder, kFilesName}, 0777) != 0) fail(held.id, "making a folder in it");
  if (record.kind != JobKind::kPages) return;
  const files::Descriptor files = files::open_folder(folder, kFilesName);
  if (!files) fail(held.id, "opening a folder in it");
  write_file(files.get(), kManifestName, record.manifest, Sync::kNo);
}

bool WorkFolder::move_in(const Held& held, const ClaimPlan& plan) {
  const bool whole_folder = plan.record.kind == JobKind::kFolder;
  const files::Descriptor files =
      whole_folder ? files::Descriptor() : files::open_folder(held.folder.get(), kFilesName);
  const int target = whole_folder ? held.folder.get() : files.get();
  for (size_t i = 0; i < plan.files.size(); ++i) {
    const ClaimFile& file = plan.files[i];
    const std::string inside = name_inside(plan, i);
    // Nothing has this name yet: the folder is ours alone.
    if (calls_.rename({root_, file.name}, {target, inside}, 0) != 0) {
      // A network file system may have done it and lost the answer.
      const bool gone = errno == ENOENT || errno == ESTALE;
      if (!gone) fail(printable_name(file.name), "moving it into .work");
      if (!files::stat_file(target, inside)) return false;
    }
    const std::optional<files::FileStat> now = files::stat_file(target, inside);
    if (!now) return false;
    if (whole_folder) return stat_tree(target, inside) == file.tree;
    if (!now->same_content(file.stat) || now->links != file.stat.links) return false;
  }
  return true;
}

ClaimedJob WorkFolder::claimed(Held held, const JobRecord& record, bool resumed) const {
  const std::string work = path_ + "/" + kWorkName + "/" + held.id + "/" + kFilesName;
  return {.id = held.id,
          .kind = record.kind,
          .name = record.name,
          .work = work,
          .manifest_name = manifest_name(record),
          .manifest = work + "/" + kManifestName,
          .resumed = resumed,
          .tries = count_tries(held.folder.get()),
          .lock = held.lock,
          .lock_fd = held.lock->get()};
}

WorkFolder::Held WorkFolder::reopen(const ClaimedJob& job) const {
  Held held{.id = job.id,
            .folder = files::open_folder(root_, std::string(kWorkName) + "/" + job.id),
            .lock = std::static_pointer_cast<files::Descriptor>(job.lock),
            .was_synced = job.resumed || job.tries > 1};
  if (!held.folder) fail(std::string(kWorkName) + "/" + job.id, "opening it");
  return held;
}

std::optional<TreeStat> WorkFolder::state_of(const ClaimedJob& job,
                                             std::vector<files::FileMark>& marks) const {
  marks.clear();
  const files::Descriptor folder = files::open_folder(root_, std::string(kWorkName) + "/" + job.id);
  return folder ? stat_tree(folder.get(), kFilesName, &marks) : std::nullopt;
}

void WorkFolder::record_attempt(ClaimedJob& job) {
  const Held held = reopen(job);
  const files::Descriptor mark = create(held.folder.get(), "try-" + std::to_string(job.tries + 1));
  if (!mark && errno != EEXIST) fail(job.id, "counting a try");
  // A job that was orphaned, or tried before, may be one that stops the whole machine: only then
  // is the time for a sync well spent.
  const bool is_suspect = job.resumed || job.tries > 0;
  if (is_suspect) sync_folder(held.folder.get(), job.id, "counting a try");
  ++job.tries;
}

void WorkFolder::forget_attempt(ClaimedJob& job) {
  if (job.tries == 0) return;
  const Held held = reopen(job);
  remove(held.folder.get(), "try-" + std::to_string(job.tries));
  --job.tries;
}

files::Descriptor WorkFolder::open_or_make(const std::string& name) {
  files::Descriptor folder = files::open_folder(root_, name);
  if (folder) return folder;
  if (errno == ENOENT) {
    if (calls_.make_folder({root_, name}, 0777) != 0 && errno != EEXIST)
      fail(name, "making the folder");
    folder = files::open_folder(root_, name);
  }
  if (!folder) fail(name, "opening the folder");
  return folder;
}

files::Descriptor WorkFolder::create(int folder, const std::string& name) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  return files::Descriptor(calls_.open({folder, name}, kFlags, 0666));
}

void WorkFolder::sync_folder(int folder, const std::string& name, const char* doing) {
  if (calls_.fsync(folder) != 0 && errno != EINVAL && errno != ENOTSUP) fail(name, doing);
}

void WorkFolder::write_file(int folder,
                            const std::string& name,
                            const std::string& text,
                            Sync sync) {
  const files::Descriptor file = create(folder, name);
  if (!file) fail(name, "creating it");
  for (size_t done = 0; done < text.size();) {
    const ssize_t n = calls_.pwrite(file.get(), text.data() + done, text.size() - done, done);
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) errno = EIO;
    if (n <= 0) fail(name, "writing it");
    done += static_cast<size_t>(n);
  }
  if (sync == Sync::kYes && calls_.fsync(file.get()) != 0) fail(name, "syncing it to the disk");
}

void WorkFolder::remove(int folder, const std::string& name, int flags) {
  if (calls_.unlink({folder, name}, flags) != 0 && errno != ENOENT) fail(name, "removing it");
}

void WorkFolder::fail(const std::string& name, const char* doing) const {
  throw files::file_error(path_ + "/" + name, doing, errno, ErrorKind::kCannotCreate);
}

}  // namespace mezzo::watch
