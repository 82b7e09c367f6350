// One report a job: FOLDER/report.json for programs and FOLDER/report.html for people, which stands
// alone, asks the network for nothing and is small enough to mail; FOLDER/ink_use.csv, where plates say
// their resolution; and FOLDER/thumbnail.jpg.
//
// Pictures are taken while the job runs and encoded as each page is done. Those of sheets that an
// earlier run made come from the report that is replaced (earlier_report.h).
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/report/report_data.h"
#include "pipeline/run/job_runner.h"

namespace mezzo::report {

/// Collects the data of a report. page_seen() may be called from any thread.
class JobReport final : public run::PictureSink {
 public:
  /// Makes `folder` when it is missing, and checks that it can be written, so that a long job does
  /// not end without its report. `plan` outlives the report. Throws Error as PendingFile does, and
  /// kUsage if a file that mezzotint did not write has the name of a file of the report.
  JobReport(const plan::JobPlan& plan, std::string folder);

  void page_seen(const plan::SheetPlan& sheet, size_t page, PreviewImages pictures) override;

  /// Writes the files, each whole or not at all. `not_started`: why `result` is empty. Throws
  /// Error.
  void write(const run::JobResult& result, const std::optional<run::Failure>& not_started = {});

 private:
  const plan::JobPlan& plan_;
  const std::string folder_;
  size_t pages_ = 0;  ///< of the job
  std::mutex mutex_;  ///< for the rest
  size_t picture_bytes_ = 0;
  bool left_out_ = false;
  std::vector<std::vector<PagePicture>> pictures_;
};

/// Writes report.json, report.html, ink_use.csv and thumbnail.jpg to `folder`, which is made when it is missing,
/// each whole or not at all. Throws Error as PendingFile does.
void write_report(const std::string& folder, const ReportData& data);

}  // namespace mezzo::report
