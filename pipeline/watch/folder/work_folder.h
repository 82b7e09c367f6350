// The folder .work of a hot folder: claims, and their ends.
//
//   .work/ID/lock        flock(2) of the watcher or worker that has the job; ends with its process
//   .work/ID/files/      the job's files under their names, and job.yaml
//   .work/ID/record      a list of these files (job_record.h), written before the first is moved
//   .work/ID/try-1 ...   one for each try that was begun
//   .work/ID/error.txt   the reason, once the job has failed
//
// The record decides. While its name is `record`, the job is still to be made, or its files go
// back; renaming it to record.done, record.failed or record.incomplete ends the job, and moving its
// files is only tidying up, which the next watcher can finish. So a process may stop at any call.
// The ends of claims are in work_end.cpp.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/watch/folder/job_record.h"
#include "pipeline/watch/folder/stillness.h"
#include "pipeline/watch/machine/clock.h"
#include "stages/files/file_system.h"
#include "stages/files/folder.h"

namespace mezzo::watch {

inline constexpr const char* kWorkName = ".work";
inline constexpr const char* kFilesName = "files";
inline constexpr size_t kMaxWorkNotes = 20;

/// The tries of a job, from its folder .work/ID.
uint32_t count_tries(int folder);

/// Whether the path to the job's files is gone while the files still exist: the share was
/// unmounted, or the folder renamed. If they were deleted, so was the job's lock, which then has no
/// name.
bool is_away(const ClaimedJob& job);

/// A file that is to be claimed, as it was when it was last looked at.
struct ClaimFile {
  std::string name;
  files::FileStat stat;
  TreeStat tree;  ///< of a folder
};

struct ClaimPlan {
  JobRecord record;              ///< its files are added by claim()
  std::vector<ClaimFile> files;  ///< a ticket first
};

class WorkFolder {
 public:
  /// `root` is the hot folder, open for as long as this lives; `path` names it in messages.
  WorkFolder(int root, std::string path, files::FileSystem& calls);

  /// Whether a job of this name, of any watcher or left over, is still to be made: another one would
  /// write the same plates, and the older page might be printed last. Of very many, some are looked at.
  bool is_name_taken(const std::string& name) const;

  /// Moves the files of the plan into .work. Returns nothing when another watcher was first, or
  /// they have changed since. Throws Error(kIo, kDiskFull, kCannotCreate); the files are back in
  /// the folder then.
  std::optional<ClaimedJob> claim(const ClaimPlan& plan);

  /// The names in .work; a note when there are too many for all of them. Throws Error(kIo).
  std::deque<std::string> names(std::vector<FolderNote>& notes);

  /// Takes over the jobs in .work of the first of `names`, which leave the list, that no living
  /// watcher holds: `most` of them, until `end`. It looks at some hundred names at most, since anyone who can write
  /// to the hot folder can make any number of them. A job that a watcher left half ended is ended or undone first.
  /// Those of users that run no watcher are not looked at. Trouble with a single job is added to `notes`, up to
  /// kMaxWorkNotes.
  std::vector<ClaimedJob> take_orphaned(std::deque<std::string>& names,
                                        size_t most,
                                        const Deadline& end,
                                        std::vector<FolderNote>& notes);

  /// The state of the job's files, and their marks; nothing when they cannot be looked at.
  std::optional<TreeStat> state_of(const ClaimedJob& job,
                                   std::vector<files::FileMark>& marks) const;

  /// Records on disk that a try begins.
  void record_attempt(ClaimedJob& job);

  /// Takes the last record_attempt() back, when the try did not end through the job's fault.
  void forget_attempt(ClaimedJob& job);

  /// Moves the inputs to the end's folder, under a name with a number when theirs is taken there,
  /// and removes .work/ID. The reason of a failure goes to NAME.error.txt beside the first of them,
  /// as far as the disk has room. Throws Error when files cannot be moved: called again, or by
  /// take_orphaned() of the next watcher, it continues where it stopped, and returns the files that
  /// this call moved.
  std::vector<MovedFile> finish(ClaimedJob job, WorkEnd end, const std::string& reason);

  /// Moves the inputs back into the folder, as if they had just been dropped.
  void give_back(ClaimedJob job);

  /// Moves files that finish() put into failed/ or done/ back, likewise, and deletes their error
  /// text. Returns how many were still there.
  size_t drop_again(const std::vector<MovedFile>& files);

 private:
  /// A job's folder, open and locked.
  struct Held {
    std::string id;
    files::Descriptor folder;
    std::shared_ptr<files::Descriptor> lock;
    bool was_synced =
        false;  ///< the folder, or a file in it, since its files were claimed; perhaps
  };

  // Claiming.
  Held make_job(int work);
  std::optional<Held> lock_job(int work, const std::string& id);
  void fill(const Held& held, const JobRecord& record);
  bool move_in(const Held& held, const ClaimPlan& plan);
  ClaimedJob claimed(Held held, const JobRecord& record, bool resumed) const;

  // Jobs left by a process that is gone, or by this one earlier.
  std::optional<ClaimedJob> orphan(int work, const std::string& id);
  std::optional<JobRecord> find_record(const Held& held) const;
  bool is_whole(const Held& held, const JobRecord& record) const;
  void mend_manifest(const Held& held, const JobRecord& record);
  void rescue(Held held, const std::string& what_follows);
  Held reopen(const ClaimedJob& job) const;

  // Ending.
  std::vector<MovedFile> end_job(Held held,
                                 const JobRecord& record,
                                 WorkEnd end,
                                 const std::string& reason);
  void keep_reason(const Held& held, const std::string& reason);
  std::vector<MovedFile> move_out(const Held& held,
                                  const JobRecord& record,
                                  int target,
                                  const std::string& target_name);
  std::string move_numbered(files::At from, int to, const std::string& name);
  bool move_to_free(files::At from, files::At to);
  void place_reason(const Held& held, const JobRecord& record, int target);
  std::vector<MovedFile> tidy_up(Held held, const JobRecord& record, WorkEnd end);
  void remove_job(Held held, int target = -1);

  files::Descriptor open_or_make(const std::string& name);

  /// A new file, open for writing.
  files::Descriptor create(int folder, const std::string& name);
  enum class Sync { kNo, kYes };
  void write_file(int folder, const std::string& name, const std::string& text, Sync sync);
  void sync_folder(int folder, const std::string& name, const char* doing);
  void remove(int folder, const std::string& name, int flags = 0);
  [[noreturn]] void fail(const std::string& name, const char* doing) const;

  int root_;
  std::string path_;
  files::FileSystem& calls_;
};

}  // namespace mezzo::watch
