#include "pipeline/watch/folder/waiting_list.h"

#include <algorithm>

namespace mezzo::watch {

void WaitingList::assign(const std::vector<WaitingJob>& jobs) {
  jobs_.assign(jobs.begin(), jobs.end());
  std::erase_if(last_, [&](const std::vector<std::string>& files) {
    return std::ranges::find(jobs_, files, &WaitingJob::files) == jobs_.end();
  });
  std::ranges::stable_partition(jobs_, [&](const WaitingJob& job) { return !is_last(job); });
}

WaitingJob WaitingList::take(size_t index) {
  const auto place = jobs_.begin() + static_cast<std::ptrdiff_t>(index);
  WaitingJob job = std::move(*place);
  jobs_.erase(place);
  return job;
}

void WaitingList::put_last(const WaitingJob& job) {
  if (!is_last(job)) last_.push_back(job.files);
}

bool WaitingList::is_last(const WaitingJob& job) const {
  return std::ranges::find(last_, job.files) != last_.end();
}

}  // namespace mezzo::watch
