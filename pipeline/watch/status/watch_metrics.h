// The metrics of a watcher, in the text form of Prometheus (version 0.0.4).
//
//   mezzotint_pages_total{result,device}   result: good, failed; device: cpu, gpu, both, unknown
//   mezzotint_jobs_total{result}           done, failed, cancelled
//   mezzotint_page_duration_seconds        histogram, of good pages
//   mezzotint_input_bytes_total            of good pages
//   mezzotint_plate_bytes_total            of their plates
//   mezzotint_worker_restarts_total        workers started again after one died
//   mezzotint_last_success_timestamp_seconds   absent until a job is done
//   mezzotint_queue_jobs{state}            waiting, running, retrying
//   mezzotint_queue_files_arriving
//   mezzotint_failed_jobs                  listed: neither dismissed nor tried again
//   mezzotint_folder_up{folder}            1: watched
//   mezzotint_folder_paused{folder}
//   mezzotint_folder_jobs{folder,state}    waiting, running
//   mezzotint_folder_files{folder,state}   arriving, stuck (sets and tickets), not_taken
//   mezzotint_folder_oldest_job_seconds{folder}   for how long its first job waits; 0: none does
//   mezzotint_disk_free_bytes{disk}        of hot folders and plates
//   mezzotint_disk_missing_bytes{disk}     for what waits for space; 0: there is enough
//   mezzotint_build_info{version}          always 1
//   process_*                              of the watcher itself
//
// `folder` and `disk` are paths. No label has a name of a job or a file, so the number of series is
// bounded.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

/// Counters of one watcher. Every method may be called by any thread.
class WatchMetrics final : public WatchListener {
 public:
  static constexpr std::string_view kContentType = "text/plain; version=0.0.4; charset=utf-8";

  void sheet_ended(const SheetEvent& sheet) override;
  void job_ended(const JobView& job) override;
  void worker_restarted() override;

  /// All metrics at `now`; without a view, those that come from it are left out.
  std::string text(const WatchView* view, WallTime now) const;

 private:
  mutable std::mutex mutex_;                        // guards all members below
  std::array<std::array<uint64_t, 4>, 2> pages_{};  ///< by result and device
  std::array<uint64_t, 3> jobs_{};                  ///< by result
  std::array<uint64_t, 15> durations_{};  ///< good pages by duration: up to each bound, then longer
  double seconds_ = 0;                    ///< sum over these pages
  uint64_t input_bytes_ = 0;
  uint64_t plate_bytes_ = 0;
  uint64_t restarts_ = 0;
};

}  // namespace mezzo::watch
