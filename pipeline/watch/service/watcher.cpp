#include "pipeline/watch/service/watcher.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>

#include "kernels/base/error.h"
#include "pipeline/text.h"
#include "pipeline/watch/service/watch_loop.h"

namespace mezzo::watch {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 2s;  // of other threads
constexpr size_t kWaitingShown = 200;

}  // namespace

Watcher::Watcher(WatcherOptions options) : loop_(std::make_unique<Loop>(std::move(options))) {}

Watcher::~Watcher() = default;

WatchEnd Watcher::run() {
  return loop_->run();
}

void Watcher::stop() {
  loop_->ask_to_stop();
}

WatchView Watcher::view() const {
  return loop_->view_for_others();
}

std::string Watcher::request(const std::string& json) {
  return loop_->request_for_others(json);
}

void Watcher::Loop::ask_to_stop() {
  const std::lock_guard lock(mutex_);
  stop_asked_ = true;
  wakeup_->wake();
}

WatchView Watcher::Loop::view_for_others() {
  std::unique_lock lock(mutex_);
  if (running_) {
    const uint64_t mine = ++views_asked_;
    wakeup_->wake();
    answered_.wait_for(lock, kPatience, [&] { return views_given_ >= mine || !running_; });
  }
  return last_view_;
}

std::string Watcher::Loop::request_for_others(const std::string& json) {
  std::unique_lock lock(mutex_);
  if (!running_) return refusal("the watcher is not running");
  const auto request = std::make_shared<Request>();
  request->json = json;
  requests_.push_back(request);
  wakeup_->wake();
  if (answered_.wait_for(lock, kPatience, [&] { return request->answered; })) {
    return request->reply.empty() ? refusal("the watcher has ended") : request->reply;
  }
  std::erase(requests_, request);
  return refusal("the watcher is busy; try again");
}

void Watcher::Loop::answer_others(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  if (requests_.empty() && views_given_ == views_asked_) return;
  for (const auto& request : requests_) {
    request->reply = answer(request->json);
    request->answered = true;
  }
  requests_.clear();
  last_view_ = view(now);
  views_given_ = views_asked_;
  answered_.notify_all();
}

void Watcher::Loop::drop_finished_jobs() {
  for (auto job = jobs_.begin(); job != jobs_.end();) {
    if (job->phase() != ActiveJob::Phase::kOver) {
      ++job;
      continue;
    }
    if (job->ended()) show_ended(*job->ended());
    job = jobs_.erase(job);
  }
}

/// Files that could not become a job are failed jobs to whoever waits for their plates.
void Watcher::Loop::enter_refused(WatchedFolder& folder) {
  for (RefusedFiles& refused : folder.disk().take_refused()) {
    StoredJob job;
    job.view.id = refused.id;
    job.view.folder = folder.path();
    job.view.name = one_line(refused.name);
    job.view.state = JobState::kFailed;
    job.view.message = one_line(refused.reason);
    job.view.since = std::chrono::system_clock::now();
    job.files = std::move(refused.files);
    try {
      if (store_) store_->enter(job);
    } catch (const Error& error) {
      spdlog::warn("{}", error.what());
    }
    if (options_.listener != nullptr) options_.listener->job_ended(JobState::kFailed);
    show_ended(job.view);
  }
}

void Watcher::Loop::show_ended(const JobView& job) {
  jobs_done_ += job.state == JobState::kDone;
  jobs_failed_ += job.state == JobState::kFailed;
  finished_.push_front(job);
  if (finished_.size() > kFinishedShown) finished_.pop_back();
}

WatchView Watcher::Loop::view(Clock::time_point now) {
  WatchView view;
  view.started = started_;
  view.ready = ready_;
  view.stopping = stopping_;
  view.turned = now;
  view.jobs_done = jobs_done_;
  view.jobs_failed = jobs_failed_;
  const auto wall = std::chrono::system_clock::now();
  for (WatchedFolder& folder : folders_) {
    const std::string why = folder.blocked_reason(now, wall);
    view.folders.push_back(folder.view());
    view.folders.back().running = folder.running;
    for (const WaitingJob& job : folder.waiting()) {
      if (view.waiting.size() == kWaitingShown) break;
      view.waiting.push_back({.id = "",
                              .folder = folder.path(),
                              .name = one_line(job.name),
                              .state = JobState::kWaiting,
                              .tries = 0,
                              .message = why,
                              .since = job.arrived,
                              .seconds = 0,
                              .pixels = 0,
                              .pixels_done = 0,
                              .plates = {},
                              .report = ""});
    }
  }
  for (const ActiveJob& job : jobs_) view.running.push_back(job.view(now));
  view.finished.assign(finished_.begin(), finished_.end());
  return view;
}

WatchVerbs Watcher::Loop::verbs() {
  return {.list = [this] { return view(Clock::now()); },
          .pause = [this](const std::string& folder, bool paused) { return pause(folder, paused); },
          .retry = [this](const std::string& job) { return retry(job); },
          .cancel = [this](const std::string& job) { return cancel(job); }};
}

/// No request ends the watcher.
std::string Watcher::Loop::answer(const std::string& json) {
  try {
    return answer_request(json, verbs());
  } catch (const std::exception& error) {
    return refusal(one_line(error.what()));
  }
}

std::string Watcher::Loop::pause(const std::string& folder, bool paused) {
  const std::string path =
      folder.empty() ? "" : std::filesystem::absolute(folder).lexically_normal().string();
  bool found = false;
  for (WatchedFolder& one : folders_) {
    if (!path.empty() && one.path() != path && one.path() + "/" != path) continue;
    found = true;
    if (one.is_paused() == paused) continue;
    one.set_paused(paused);
    keep_pause(one);
    spdlog::info("{}: {} on request", one.path(), paused ? "paused" : "resumed");
  }
  wakeup_->wake();  // another turn: a worker may be free for it
  return found ? "" : "no folder " + one_line(folder) + " is watched";
}

/// So that it holds after a restart.
void Watcher::Loop::keep_pause(const WatchedFolder& folder) {
  if (!store_) return;
  try {
    store_->set_paused(folder.path(), folder.is_paused());
  } catch (const Error& error) {
    spdlog::warn("{}; after a restart the folder will not be {}",
                 error.what(),
                 folder.is_paused() ? "paused" : "resumed");
  }
}

std::string Watcher::Loop::retry(const std::string& job) {
  const auto active = std::ranges::find(jobs_, job, &ActiveJob::id);
  if (active != jobs_.end()) return "the job is in work, or waits for its next try";
  if (!store_) return "there is no history of jobs, so its files are not known";
  try {
    auto stored = store_->find(job);
    if (!stored) return "there is no job " + one_line(job, 100);
    if (stored->view.state == JobState::kDone) return "the job is done";
    const auto folder = std::ranges::find(folders_, stored->view.folder, &WatchedFolder::path);
    if (folder == folders_.end()) return stored->view.folder + " is not watched";
    if (stored->files.empty()) return "the job was tried again already";
    if (folder->disk().work().drop_again(stored->files) == 0) {
      return "its files cannot be dropped again: they are no longer in failed/, or files of their "
             "names are in the folder already";
    }
    stored->files.clear();
    stored->view.message += "; tried again";
    store_->enter(*stored);
    for (JobView& shown : finished_) {
      if (shown.id == job) shown.message = stored->view.message;
    }
    spdlog::info("{}: {} is tried again on request", folder->path(), stored->view.name);
    folder->hint();
    wakeup_->wake();
    return "";
  } catch (const Error& error) {
    return one_line(error.what());
  }
}

std::string Watcher::Loop::cancel(const std::string& job) {
  const auto active = std::ranges::find(jobs_, job, &ActiveJob::id);
  if (active == jobs_.end()) return "no job " + one_line(job, 100) + " is in work";
  active->cancel(Clock::now());
  wakeup_->wake();
  return "";
}

}  // namespace mezzo::watch
