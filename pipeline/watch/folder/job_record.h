// The files of a claimed job, as a record beside them keeps them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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
