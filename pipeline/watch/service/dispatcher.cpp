#include "pipeline/watch/service/dispatcher.h"

#include <algorithm>
#include <deque>

namespace mezzo::watch {
namespace {

/// That fail, as other watchers were sooner.
constexpr size_t kClaimsATurn = 1000;

}  // namespace

Dispatcher::Dispatcher(FolderSet& folders, JobContext context, uint32_t workers)
    : folders_(folders), context_(std::move(context)), workers_(workers) {
  context_.gpus = &gpus_;
}

ActiveJob& Dispatcher::add(FolderSlot& slot, ClaimedJob job) {
  return jobs_.emplace_back(slot, std::move(job), context_).job;
}

void Dispatcher::advance(SteadyTime now) {
  for (Held& held : jobs_) held.job.advance(now);
  remove_ended();
}

void Dispatcher::remove_ended() {
  for (auto held = jobs_.begin(); held != jobs_.end();) {
    if (held->job.phase() != ActiveJob::Phase::kOver) {
      ++held;
      continue;
    }
    if (const auto ended = held->job.ended()) context_.history->add_ended(*ended);
    held = jobs_.erase(held);
  }
}

void Dispatcher::dispatch(SteadyTime now) {
  for (;;) {
    count_running();
    if (working() >= workers_) return;
    if (start_resting(now)) continue;
    // No process was to be had for a job that has begun: a new one would only wait with it.
    const auto lacks_process = [](const Held& held) { return held.job.lacks_process(); };
    if (std::ranges::any_of(jobs_, lacks_process) || !claim_one(now)) return;
  }
}

size_t Dispatcher::working() const {
  const auto is_working = [](const Held& held) { return held.job.is_working(); };
  return static_cast<size_t>(std::ranges::count_if(jobs_, is_working));
}

void Dispatcher::count_running() {
  for (FolderSlot& slot : folders_.slots()) slot.running = 0;
  for (Held& held : jobs_) held.slot.running += held.job.is_working();
}

bool Dispatcher::start_resting(SteadyTime now) {
  const auto wall = std::chrono::system_clock::now();
  for (auto& [slot, job] : jobs_) {
    if (!job.is_due(now) || !slot.has_room() || !slot.folder.blocked_reason(now, wall).empty()) {
      continue;
    }
    job.start(now);
    job.advance(now);
    if (job.is_due(now)) continue;  // no process could be had
    remove_ended();
    return true;
  }
  return false;
}

bool Dispatcher::is_held(const FolderSlot& slot, const std::string& name) const {
  return std::ranges::any_of(
      jobs_, [&](const Held& held) { return &held.slot == &slot && held.job.name() == name; });
}

/// The next job of a folder. One with the name of a running job waits for its end: the two would
/// write the same plates, in any order.
std::optional<size_t> Dispatcher::next_job(const FolderSlot& slot) const {
  const std::deque<WaitingJob>& waiting = slot.folder.waiting();
  for (size_t i = 0; i < waiting.size(); ++i) {
    if (!is_held(slot, waiting[i].name)) return i;
  }
  return std::nullopt;
}

FolderSlot* Dispatcher::next_folder(SteadyTime now) {
  const auto wall = std::chrono::system_clock::now();
  const auto rank = [](const FolderSlot& slot) {
    return std::pair(-int64_t{slot.folder.settings().priority}, slot.last_served);
  };
  FolderSlot* best = nullptr;
  for (FolderSlot& slot : folders_.slots()) {
    if (!slot.has_room() || !next_job(slot)) continue;
    if (!slot.folder.blocked_reason(now, wall).empty()) continue;
    if (best == nullptr || rank(slot) < rank(*best)) best = &slot;
  }
  return best;
}

bool Dispatcher::claim_one(SteadyTime now) {
  for (size_t tries = 0; tries < kClaimsATurn; ++tries) {
    FolderSlot* slot = next_folder(now);
    if (slot == nullptr) return false;
    slot->last_served = ++claims_;
    auto claimed = slot->folder.claim(*next_job(*slot), now);
    if (!claimed) continue;
    add(*slot, std::move(*claimed)).advance(now);
    remove_ended();
    return true;
  }
  return false;
}

void Dispatcher::suspend_all(SteadyTime now) {
  for (Held& held : jobs_) held.job.suspend(now);
}

void Dispatcher::kill_all() {
  for (Held& held : jobs_) held.job.kill();
}

ActiveJob* Dispatcher::find(const std::string& id) {
  for (Held& held : jobs_) {
    if (held.job.id() == id) return &held.job;
  }
  return nullptr;
}

std::vector<JobView> Dispatcher::views(SteadyTime now) const {
  std::vector<JobView> views;
  for (const Held& held : jobs_) views.push_back(held.job.view(now));
  return views;
}

std::vector<DiskView> Dispatcher::wanted_disks() const {
  std::vector<DiskView> disks;
  for (const Held& held : jobs_) {
    if (const auto disk = held.job.wanted_disk()) disks.push_back(*disk);
  }
  return disks;
}

void Dispatcher::add_polls(std::vector<pollfd>& polls) const {
  for (const Held& held : jobs_) held.job.add_polls(polls);
}

std::optional<SteadyTime> Dispatcher::next_time(SteadyTime turn) const {
  std::optional<SteadyTime> next;
  for (const Held& held : jobs_) {
    // One that was due, and got no worker, is begun when another ends, which wakes the loop.
    if (held.job.is_due(turn)) continue;
    const auto time = held.job.next_time();
    if (time && (!next || *time < *next)) next = time;
  }
  return next;
}

}  // namespace mezzo::watch
