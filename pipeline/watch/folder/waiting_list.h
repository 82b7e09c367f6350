// The jobs of a hot folder that wait, in the order in which they are to be claimed.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "pipeline/watch/folder/folder_jobs.h"

namespace mezzo::watch {

class WaitingList {
 public:
  const std::deque<WaitingJob>& jobs() const { return jobs_; }

  /// Takes over the folder's jobs in its order. Those that could not be claimed go last, so that
  /// they do not block the jobs behind them.
  void assign(const std::vector<WaitingJob>& jobs);
  void clear() { jobs_.clear(); }

  WaitingJob take(size_t index);

  /// The job could not be claimed: from the next assign() on it goes last.
  void put_last(const WaitingJob& job);

 private:
  bool is_last(const WaitingJob& job) const;

  std::deque<WaitingJob> jobs_;
  std::vector<std::vector<std::string>> last_;  ///< files of jobs that could not be claimed
};

}  // namespace mezzo::watch
