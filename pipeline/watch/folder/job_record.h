// Jobs of a hot folder as values: files that wait, a job that was claimed and its record, files that were moved.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/steady_time.h"
#include "pipeline/wall_time.h"
#include "stages/files/file_mark.h"

namespace mezzo::watch {

enum class JobKind {
  kPages,   ///< files of the folder, with a job.yaml made for them
  kTicket,  ///< a manifest, which is its job.yaml, and the files that it names
  kFolder,  ///< a folder with a job.yaml of its own
  kLoose,   ///< files that are only to be moved elsewhere, and may have any name
};

/// The end of a job, and the folder that its files go to.
enum class WorkEnd { kDone, kFailed, kIncomplete };
const char* folder_of(WorkEnd end);

/// Files that are complete and make a job, not yet claimed.
struct WaitingJob {
  JobKind kind = JobKind::kPages;
  std::string name{};                ///< for people: the page's, set's or ticket's
  std::vector<std::string> files{};  ///< names in the folder; a ticket, or a folder of a job, first
  uint64_t bytes = 0;
  WallTime arrived{};  ///< newest modification among its files
  SteadyTime seen{};   ///< when the last change of them was seen
};

/// A job that this watcher holds. Dropped, it stays in .work, for the next watcher that looks
/// there.
struct ClaimedJob {
  std::string id;  ///< unique over watchers and time; letters, digits and -
  JobKind kind = JobKind::kPages;
  std::string name;
  std::string work;                          ///< FOLDER/.work/ID/files, the worker's --within
  std::string manifest_name;                 ///< the manifest's name when it was dropped
  std::string manifest;                      ///< work + "/job.yaml"
  bool resumed = false;                      ///< taken over from a watcher that is gone
  uint32_t tries = 0;                        ///< begun before, by WorkFolder::record_attempt()
  std::vector<files::FileMark> made_from{};  ///< its files, as its last try found them
  std::shared_ptr<void> lock;
  int lock_fd = -1;  ///< of `lock`; a worker that inherits it holds the job if its watcher dies
};

/// A file of a job that ended.
struct MovedFile {
  std::string name;        ///< in the folder
  std::string path;        ///< its path from the folder now: "failed/a (2).tif"
  files::FileMark mark{};  ///< as the job found it; empty for a folder, and when not known
  std::string digest{};    ///< of its content, XXH3; empty when not known
};

/// A file that waits for others in its folder, and since when.
struct ArrivedFile {
  std::string name;  ///< in the folder
  files::FileMark mark{};
  WallTime seen{};  ///< when its last change was seen
};

/// Files that could not become a job, and were moved out of the way.
struct RefusedFiles {
  std::string id;    ///< as jobs have
  std::string name;  ///< of the file or set, made printable
  std::string reason;
  std::vector<MovedFile> files;
  bool can_retry = true;  ///< dropped again as they are, they may become a job
};

/// A warning about a file in a folder, for people; not an error.
struct FolderNote {
  std::string name;  ///< of the file, made printable
  std::string text;
};

/// A file of a claimed job, as the record beside it keeps it.
struct RecordedFile {
  std::string name;    ///< in the hot folder
  std::string inside;  ///< in .work/ID/files
  uint64_t inode = 0;  ///< to know it again
};

struct JobRecord {
  JobKind kind = JobKind::kLoose;
  std::string name{};
  std::vector<RecordedFile> files{};
  std::string manifest{};  ///< of kPages: text of job.yaml, which is not synced itself
  WorkEnd loose_end = WorkEnd::kFailed;  ///< of kLoose: where the files are to go
  std::string loose_reason{};            ///< likewise: why
  std::optional<WorkEnd> end{};  ///< when it is over; the record's name says so, not its text

  /// The name in the hot folder of a file in .work/ID/files.
  std::string original_name(const std::string& inside) const;
};

/// Names that are not UTF-8 are kept as they are inside.
std::string to_text(const JobRecord& record);

/// Nothing when it is none.
std::optional<JobRecord> parse_record(const std::string& text);

inline constexpr const char* kManifestName = "job.yaml";

}  // namespace mezzo::watch
