// One hot folder on disk: what has arrived in it, what is complete, and who has it in work.
//
//   FOLDER/                 pages and job tickets are dropped here
//   FOLDER/folder.yaml      settings (manifests/folder.h); optional
//   FOLDER/plates/          plates, unless the settings say otherwise
//   FOLDER/.work/ID/        a job that was claimed: its files, its job.yaml, a lock of its watcher
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

namespace mezzo {

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
  std::string work;      ///< FOLDER/.work/ID
  std::string manifest;  ///< work + "/job.yaml"
  bool resumed = false;  ///< was left over by a watcher that is gone
  uint32_t tries = 0;    ///< begun before, as recorded in .work/ID by note_try()
  std::shared_ptr<void> lock;
};

/// What is odd in a folder, for people; not an error.
struct FolderNote {
  std::string name;  ///< of the file, made printable
  std::string text;
};

class HotFolder {
 public:
  /// `path` need not exist yet.
  explicit HotFolder(std::string path);

  const std::string& path() const;
  const FolderSettings& settings() const;

  /// Reads folder.yaml when it has changed. A file with mistakes leaves the last good settings in
  /// force. Returns the mistakes.
  std::vector<Diagnostic> reload_settings();

  /// Looks at the folder once. Throws Error(kMissing, kIo) when it cannot be read: gone, unmounted,
  /// not permitted; the next look may work again. Sets and tickets whose time is up are moved to
  /// incomplete/, names that are refused to failed/. `now` is a monotonic time.
  void look(std::chrono::steady_clock::time_point now);

  /// What was complete at the last look, in the order of the settings.
  const std::vector<WaitingJob>& waiting() const;

  /// How many files are still arriving, and when it makes sense to look again on their account.
  size_t arriving() const;
  std::optional<std::chrono::steady_clock::time_point> next_look() const;

  /// What the last look found odd: names refused, links, files of unknown kinds.
  const std::vector<FolderNote>& notes() const;

  /// Moves the files into .work and writes job.yaml. Nothing when another watcher was sooner, or
  /// the files have changed since. Throws Error(kIo, kDiskFull, kCannotCreate).
  std::optional<ClaimedJob> claim(const WaitingJob& job);

  /// Jobs in .work that no living watcher holds; they are this one's now.
  std::vector<ClaimedJob> take_left_over();

  /// Records on disk that a try begins.
  void note_try(ClaimedJob& job);

  /// Moves the inputs to done/ or failed/ (with `reason` in NAME.error.txt), under a name with a
  /// number when theirs is taken there, and removes .work/ID.
  void finish(ClaimedJob job, bool good, const std::string& reason);

  /// Moves the inputs back into the folder, as if they had just been dropped.
  void give_back(ClaimedJob job);

  /// Deletes what is older than the settings keep it, from done/, failed/ and reports/.
  void clean_up(std::chrono::system_clock::time_point now);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace mezzo
