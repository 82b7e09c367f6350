// One hot folder on disk: its files that have arrived, its complete jobs, and its claimed ones.
// README.md shows what is in it, and work_folder.h what is in its .work.
//
// The disk is the truth: only the state of files at the last look is kept in memory. A claim is a
// rename into .work, so of several watchers, on one machine or many, one gets it. Nothing leads out
// of the folder: symbolic links are not followed, and only regular files with one name are read.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "manifests/folder.h"
#include "pipeline/watch/folder/arrivals.h"
#include "pipeline/watch/folder/job_assembler.h"
#include "pipeline/watch/folder/job_record.h"
#include "pipeline/watch/folder/settings_file.h"
#include "pipeline/watch/folder/work_folder.h"
#include "pipeline/watch/folder/writers.h"
#include "pipeline/watch/machine/clock.h"
#include "stages/files/file_system.h"
#include "stages/files/folder.h"

namespace mezzo::watch {

class HotFolder {
 public:
  /// `path` need not exist yet. The others must outlive this.
  explicit HotFolder(std::string path,
                     files::FileSystem& calls = files::FileSystem::real(),
                     const Writers& writers = Writers::of_leases(),
                     const Clock& clock = Clock::system());

  const std::string& path() const { return path_; }
  files::FileSystem& calls() const { return calls_; }

  /// Reads folder.yaml when it has changed. Returns the mistakes of the present file. Throws as look() does.
  std::vector<Diagnostic> reload_settings();
  const manifests::FolderSettings& settings() const { return settings_.settings(); }
  bool has_settings() const { return settings_.has_settings(); }
  SettingsFile& settings_file() { return settings_; }

  std::string plates() const;  ///< folder that plates go to

  /// Looks at the folder once, or at a part of a large one: call it again while is_looking(). Throws
  /// Error(kMissing, kIo, kLimit) when it cannot be read: gone, unmounted, not permitted, too many
  /// entries; the next look may work again. Sets and tickets whose time is up are moved to
  /// incomplete/, files with refused names to failed/. `now` is a monotonic time.
  void look(SteadyTime now);
  bool is_looking() const { return arrivals_.is_looking(); }

  /// The jobs that were complete at the last whole look, in the order of the settings, also those that
  /// were claimed since; a second claim gives nothing.
  const std::vector<WaitingJob>& waiting() const { return assembled_.waiting; }

  size_t arriving() const { return assembled_.arriving; }  ///< files that are not complete
  std::optional<SteadyTime> next_look() const;             ///< when they may be

  /// Complete files among the arriving ones that wait for others.
  const std::vector<WaitingSet>& waiting_sets() const { return assembled_.sets; }

  /// The files of these, `kMaxRemembered` at most, so that the next watcher can go on counting their
  /// time: before its first look, recall() takes what this gave.
  std::vector<ArrivedFile> arrived_files(const Moment& now) const;
  void recall(const ArrivedFile& file, const Moment& now);
  static constexpr size_t kMaxRemembered = 1000;

  const NotTaken& not_taken() const { return arrivals_.not_taken(); }

  /// Warnings of the last look: names refused, links, files of unknown kinds.
  const std::vector<FolderNote>& notes() const { return notes_; }

  /// The files that look() has moved to incomplete/ or failed/ since the last call.
  std::vector<RefusedFiles> take_refused() { return std::exchange(refused_, {}); }

  /// Moves the files into .work and writes job.yaml. Returns nothing when another watcher was
  /// first, the files have changed since, or somebody has one open for writing. Throws Error(kIo, kDiskFull, kCannotCreate); the files
  /// are back in the folder then.
  std::optional<ClaimedJob> claim(const WaitingJob& job);

  /// Whether somebody has a file of the job open for writing.
  bool is_written(const ClaimedJob& job);

  /// Begins a search for jobs in .work that no living watcher holds. Throws as look() does.
  void search_work();

  /// Continues it: takes over `most` jobs at most, and looks at some hundred names at most. A job
  /// that a watcher left half ended is ended or undone first. Throws Error(kMissing, kIo); trouble
  /// with a single job is added to notes().
  std::vector<ClaimedJob> take_orphaned(size_t most);
  bool is_searching() const { return !left_.empty(); }

  /// Whether a file that a job left in the folder is still the same one, with another content. One whose change
  /// time moved alone is read, where its digest is known: it may have other rights, or a second name. Its
  /// mark is then the one of now.
  bool has_changed(MovedFile& file) const;

  /// The claimed jobs of the folder, for one use. Throws as look() does.
  WorkFolder work() { return {open_root(), path_, calls_}; }

 private:
  int open_root();
  bool open_with_settings();
  void refuse_links() const;
  [[noreturn]] void fail_to_open();
  bool are_written(const std::vector<std::string>& files);
  ClaimPlan plan(JobKind kind, const std::string& name, const std::vector<std::string>& files);
  void carry_out_removals(int folder);
  void carry_out(const Removal& removal, WorkFolder& work);
  void hold_pages_of(const std::string& ticket, bool is_refused);
  std::string reason_of(const Removal& removal) const;

  const std::string path_;
  files::FileSystem& calls_;
  const Writers& writers_;
  const Clock& clock_;
  files::Descriptor root_;
  SettingsFile settings_;
  Arrivals arrivals_;
  AssembledJobs assembled_;
  HeldPages held_;
  std::deque<std::string> left_;  ///< names in .work that are still to be looked at
  std::vector<FolderNote> notes_;
  std::vector<FolderNote> work_notes_;    ///< of the last search in .work
  std::vector<FolderNote> search_notes_;  ///< of the one under way
  std::vector<RefusedFiles> refused_;
  SteadyTime looked_;
  bool has_more_removals_ = false;
};

}  // namespace mezzo::watch
