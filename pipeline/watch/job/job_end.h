// A job that has ended: its entry in the history, and the move of its files out of .work.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pipeline/watch/folder/hot_folder.h"
#include "pipeline/watch/job/content_digest.h"
#include "pipeline/watch/job/job_context.h"
#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

class JobEnd {
 public:
  struct Result {
    JobView view;        ///< as the job is shown from now on
    size_t plates = 0;   ///< in all; `view` has the first
    std::string digest;  ///< of its content; empty when later drops are not compared with it
    FileDigests file_digests{};                ///< of its files; empty when they are not known
    std::string advice;                        ///< on a failure; may be empty
    std::vector<files::FileMark> plate_marks;  ///< of the plates in `view`, of a job that is done
    bool is_entered = false;  ///< by an earlier watcher, which died before the files left .work
  };

  /// Enters a job that is done at once, so that after a crash before its files have left .work the
  /// next watcher knows that it is done. It is entered once more, and a failed job for the first
  /// time, with the new names of its files. All references must outlive it.
  JobEnd(HotFolder& folder, ClaimedJob& claim, const JobContext& context, Result result);

  /// Moves the files out of .work and gives the lock back. False when they cannot be moved now; try
  /// again after JobContext::finish_pause.
  bool finish();
  bool is_finished() const { return is_finished_; }

  /// Its message has the reason while the files cannot be moved.
  JobView view() const;

 private:
  void enter(const std::vector<MovedFile>& files);
  std::string error_text() const;
  void set_problem(const std::string& problem);
  void log() const;

  HotFolder& folder_;
  ClaimedJob& claim_;
  const JobContext& context_;
  Result result_;
  std::string problem_;  ///< why the files cannot be moved
  bool is_finished_ = false;
};

}  // namespace mezzo::watch
