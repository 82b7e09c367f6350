// The index of a run of several manifests with --report: index.html, beside the reports of the jobs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "manifests/job.h"
#include "pipeline/report/report_index.h"

namespace mezzo::commands {

/// It is written before the first job and after each, so that a run that is killed leaves a true one.
/// A failure to write it is logged, and stops no job.
class ReportIndex {
 public:
  /// Of the reports in `folder`. Does nothing when that is empty, or for a single manifest, whose
  /// report lies in the folder itself. `jobs` are those of `manifests` that are not refused.
  ReportIndex(const std::string& folder,
              const std::vector<std::string>& manifests,
              const manifests::ManifestFolders& folders,
              const std::vector<manifests::Job>& jobs);

  /// The folder for the report of job `index`; empty when there is to be none.
  std::string folder_of(size_t index) const;

  void write() const;

  /// These two write it, too.
  void begin(size_t index);

  /// `problem`: why the job could not begin or was broken off; empty when its report tells.
  void end(size_t index, const std::string& problem);

 private:
  void add_refused(const std::vector<std::string>& manifests,
                   const manifests::ManifestFolders& folders);

  std::string folder_;
  std::vector<report::IndexEntry> entries_;  ///< jobs, then the manifests that were refused
  WallTime begin_{};                         ///< of the job that runs
  bool is_single_ = false;
};

}  // namespace mezzo::commands
