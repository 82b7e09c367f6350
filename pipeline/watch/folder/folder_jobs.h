// Jobs of a hot folder as values: files that wait, a job that was claimed, files that were moved.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/steady_time.h"
#include "pipeline/wall_time.h"
#include "pipeline/watch/folder/job_record.h"
#include "stages/files/file_mark.h"

namespace mezzo::watch {

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

}  // namespace mezzo::watch
