#include "pipeline/watch/job/job_history.h"

#include <algorithm>
#include <functional>

#include "kernels/base/error.h"
#include "pipeline/log/log.h"

namespace mezzo::watch {
namespace {

/// The answer of the store, or nothing when it fails, which is logged.
template <typename Query>
auto logged(const Query& query) -> decltype(query()) {
  try {
    return query();
  } catch (const Error& error) {
    log::warn("{}", error.what());
    return decltype(query())();
  }
}

}  // namespace

JobHistory::JobHistory(const std::string& folder, WatchListener* listener) : listener_(listener) {
  try {
    store_.emplace(folder);
    if (!store_->damage().empty()) log::warn("{}", store_->damage());
    for (JobView& job : store_->latest(kShown)) ended_.push_back(std::move(job));
    for (JobView& job : store_->failed(kFailedShown)) failed_jobs_.push_back(std::move(job));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kCannotCreate) throw;
    log::error(
        "{}; going on without the history, so plates of files that are dropped again are made "
        "again",
        error.what());
    store_.reset();
  }
}

std::optional<StoredJob> JobHistory::find(const std::string& id) const {
  if (!store_) return std::nullopt;
  return logged([&] { return store_->find(id); });
}

std::optional<StoredJob> JobHistory::find_done(const std::string& folder,
                                               const std::string& digest) const {
  if (!store_) return std::nullopt;
  return logged([&] { return store_->find_done(folder, digest); });
}

void JobHistory::enter(const StoredJob& job) {
  if (!store_) return;
  logged([&] { store_->enter(job); });
  const std::lock_guard lock(mutex_);
  if (!job.files.empty() && entered_.size() < kMostRecent) entered_.push_back(job);
}

std::vector<StoredJob> JobHistory::recent(WallTime now) const {
  if (!store_) return {};
  std::vector<StoredJob> jobs =
      logged([&] { return store_->ended_since(now - kRecent, kMostRecent); });
  std::ranges::reverse(jobs);
  return jobs;
}

std::vector<StoredJob> JobHistory::take_entered() {
  const std::lock_guard lock(mutex_);
  return std::exchange(entered_, {});
}

void JobHistory::add_ended(const JobView& job) {
  if (listener_ != nullptr) listener_->job_ended(job);
  const std::lock_guard lock(mutex_);
  done_ += job.state == JobState::kDone;
  failed_ += job.state == JobState::kFailed;
  const bool has_failed = job.state == JobState::kFailed;
  std::deque<JobView>& shown = has_failed ? failed_jobs_ : ended_;
  shown.push_front(job);
  if (shown.size() > (has_failed ? kFailedShown : kShown)) shown.pop_back();
}

size_t JobHistory::failed_shown() const {
  const std::lock_guard lock(mutex_);
  return failed_jobs_.size();
}

uint64_t JobHistory::done() const {
  const std::lock_guard lock(mutex_);
  return done_;
}

uint64_t JobHistory::failed() const {
  const std::lock_guard lock(mutex_);
  return failed_;
}

std::vector<JobView> JobHistory::ended() const {
  const std::lock_guard lock(mutex_);
  std::vector<JobView> jobs(failed_jobs_.begin(), failed_jobs_.end());
  jobs.insert(jobs.end(), ended_.begin(), ended_.end());
  std::ranges::stable_sort(jobs, std::ranges::greater(), &JobView::since);
  return jobs;
}

bool JobHistory::dismiss(const std::string& id) {
  {
    const std::lock_guard lock(mutex_);
    const auto is_it = [&](const JobView& job) { return job.id == id; };
    if (std::erase_if(failed_jobs_, is_it) == 0) return false;
  }
  if (store_) {
    logged([&] {
      store_->dismiss(id);
      return true;
    });
  }
  return true;
}

void JobHistory::set_message(const std::string& id, const std::string& message) {
  const std::lock_guard lock(mutex_);
  for (JobView& job : ended_) {
    if (job.id == id) job.message = message;
  }
}

bool JobHistory::is_paused(const std::string& folder) const {
  return store_ && logged([&] { return store_->is_paused(folder); });
}

void JobHistory::set_paused(const std::string& folder, bool paused) {
  if (!store_) return;
  try {
    store_->set_paused(folder, paused);
  } catch (const Error& error) {
    log::warn("{}; after a restart the folder will not be {}",
              error.what(),
              paused ? "paused" : "resumed");
  }
}

bool JobHistory::had_settings(const std::string& folder) const {
  return store_ && logged([&] { return store_->had_settings(folder); });
}

void JobHistory::set_had_settings(const std::string& folder) {
  if (!store_) return;
  try {
    store_->set_had_settings(folder);
  } catch (const Error& error) {
    log::warn("{}; after a restart, {} without its folder.yaml would work with the defaults",
              error.what(),
              folder);
  }
}

std::vector<ArrivedFile> JobHistory::arrived(const std::string& folder) const {
  if (!store_) return {};
  return logged([&] { return store_->arrived(folder); });
}

void JobHistory::set_arrived(const std::string& folder, const std::vector<ArrivedFile>& files) {
  if (!store_) return;
  try {
    store_->set_arrived(folder, files);
  } catch (const Error& error) {
    log::warn("{}; after a restart, files that wait for others wait anew", error.what());
  }
}

}  // namespace mezzo::watch
