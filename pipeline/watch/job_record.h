// What a claimed job is made of, as it is kept beside it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mezzo {

enum class JobKind {
  kPages,   ///< files of the folder, with a job.yaml made for them
  kTicket,  ///< a manifest, which is its job.yaml, and the files that it names
  kFolder,  ///< a folder with a job.yaml of its own
  kLoose,   ///< files that are only to be moved elsewhere
};

/// How a job ends, and the folder that its files go to.
enum class JobEnd { kDone, kFailed, kIncomplete };
const char* folder_of(JobEnd end);

struct RecordedFile {
  std::string name;    ///< in the hot folder
  uint64_t inode = 0;  ///< to know it again
};

struct JobRecord {
  JobKind kind = JobKind::kLoose;
  std::string name;
  std::vector<RecordedFile> files;
  std::optional<JobEnd> end;  ///< when it is over; the record's name says so, not its text

  /// What a file is called in .work/ID, or the folder itself.
  std::string name_inside(const std::string& original) const;
  std::string original_name(const std::string& inside) const;
};

std::string to_text(const JobRecord& record);

/// Nothing when it is none.
std::optional<JobRecord> parse_record(const std::string& text);

inline constexpr const char* kManifestName = "job.yaml";

}  // namespace mezzo
