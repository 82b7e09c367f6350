// One hot folder on disk: what has arrived in it, what is complete, and who has it in work.
//
//   FOLDER/                 pages and job tickets are dropped here
//   FOLDER/folder.yaml      settings (manifests/folder.h); optional
//   FOLDER/plates/          plates, unless the settings say otherwise
//   FOLDER/.work/ID/        a job that was claimed: a lock of its watcher, what it is made of
//   FOLDER/.work/ID/files/  its files and its job.yaml, whose inputs start from here
//   FOLDER/done/            inputs of finished jobs
//   FOLDER/failed/          inputs of failed jobs, each with NAME.error.txt
//   FOLDER/incomplete/      sets and tickets whose files did not all arrive in time, likewise
//   FOLDER/reports/         report.json and report.html of each job
//
// The disk is the truth: nothing here is remembered but how files looked at the last look. A claim
// is a rename into .work, so of several watchers, on one machine or many, one gets it. Nothing is
// followed out of the folder: no symbolic links, no other kind of file than regular ones with one
// name.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "manifests/folder.h"
#include "stages/files/file_system.h"

namespace mezzo::watch {

/// Files that are complete and make a job, not yet claimed.
struct WaitingJob {
  std::string name;                ///< for people: the page's, set's or ticket's
  std::vector<std::string> files;  ///< names in the folder; a ticket, or a folder of a job, first
  uint64_t bytes = 0;
  std::chrono::system_clock::time_point arrived;  ///< newest modification among its files
};

/// A job that this watcher holds. Dropped, it stays in .work, for whoever looks there next.
struct ClaimedJob {
  std::string id;  ///< unique over watchers and time; letters, digits and -
  std::string name;
  std::string work;           ///< FOLDER/.work/ID/files, the worker's --within
  std::string manifest_name;  ///< what whoever dropped it knows the manifest as
  std::string manifest;       ///< work + "/job.yaml"
  bool resumed = false;       ///< was left over by a watcher that is gone
  uint32_t tries = 0;         ///< begun before, as recorded in .work/ID by note_try()
  std::shared_ptr<void> lock;
  int lock_fd = -1;  ///< of `lock`; a worker that inherits it holds the job if its watcher dies
};

/// A file of a job that ended.
struct MovedFile {
  std::string name;  ///< that it had in the folder
  std::string path;  ///< where it is now, from the folder: "failed/a (2).tif"
};

/// Files that could not become a job, and were moved out of the way.
struct RefusedFiles {
  std::string id;    ///< as jobs have
  std::string name;  ///< of the file or set, made printable
  std::string reason;
  std::vector<MovedFile> files;
};

/// What is odd in a folder, for people; not an error.
struct FolderNote {
  std::string name;  ///< of the file, made printable
  std::string text;
};

class HotFolder {
 public:
  /// `path` need not exist yet. `calls` must outlive this.
  explicit HotFolder(std::string path, files::FileSystem& calls = files::FileSystem::real());

  const std::string& path() const;
  const manifests::FolderSettings& settings() const;

  /// Reads folder.yaml when it has changed; costs next to nothing when it has not. A file with
  /// mistakes leaves the last good settings in force. Returns the mistakes of the file as it is.
  /// Throws as look() does.
  std::vector<Diagnostic> reload_settings();

  /// False while folder.yaml has had mistakes from the start: settings() are the defaults then,
  /// which nobody asked for, and nothing should be printed with them.
  bool has_settings() const;

  /// Looks at the folder once. Throws Error(kMissing, kIo) when it cannot be read: gone, unmounted,
  /// not permitted; the next look may work again. Sets and tickets whose time is up are moved to
  /// incomplete/, names that are refused to failed/. `now` is a monotonic time.
  void look(std::chrono::steady_clock::time_point now);

  /// What was complete at the last look, in the order of the settings. Jobs that were claimed since
  /// are still in it; a second claim gives nothing.
  const std::vector<WaitingJob>& waiting() const;

  /// How many files are still arriving, and when it makes sense to look again on their account.
  size_t arriving() const;
  std::optional<std::chrono::steady_clock::time_point> next_look() const;

  /// What the last look found odd: names refused, links, files of unknown kinds.
  const std::vector<FolderNote>& notes() const;

  /// What looks have moved to incomplete/ or failed/ since this was asked last.
  std::vector<RefusedFiles> take_refused();

  /// Moves the files into .work and writes job.yaml. Nothing when another watcher was sooner, or
  /// the files have changed since. Throws Error(kIo, kDiskFull, kCannotCreate); the files are back
  /// in the folder then.
  std::optional<ClaimedJob> claim(const WaitingJob& job);

  /// Jobs in .work that no living watcher holds; they are this one's now. What a watcher left half
  /// done is ended or undone on the way. Throws Error(kMissing, kIo); trouble with a single job is
  /// added to notes().
  std::vector<ClaimedJob> take_left_over();

  /// Records on disk that a try begins.
  void note_try(ClaimedJob& job);

  /// Takes the last note_try() back: what ended it was none of the job's doing.
  void forget_try(ClaimedJob& job);

  /// Moves the inputs to done/ or failed/, under a name with a number when theirs is taken there,
  /// and removes .work/ID. The reason of a failure goes to NAME.error.txt beside the first of them,
  /// as far as the disk has room. Throws Error when files cannot be moved: called again, or by
  /// take_left_over() of who comes next, it goes on where it was, and says what it moved itself.
  std::vector<MovedFile> finish(ClaimedJob job, bool good, const std::string& reason);

  /// Moves the inputs back into the folder, as if they had just been dropped.
  void give_back(ClaimedJob job);

  /// Moves files that finish() put into failed/ or done/ back, likewise, and deletes their error
  /// text. Says how many were still there.
  size_t drop_again(const std::vector<MovedFile>& files);

  /// Deletes what came there longer ago than the settings keep it, from done/, failed/ and
  /// reports/; reports are kept as long as either.
  void clean_up(std::chrono::system_clock::time_point now);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace mezzo::watch
