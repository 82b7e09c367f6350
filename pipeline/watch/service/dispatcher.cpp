#include "pipeline/watch/service/dispatcher.h"

#include <algorithm>
#include <deque>
#include <utility>

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
  return slot.jobs.emplace_back(++claims_, slot.folder.disk(), std::move(job), context_).job;
}

void Dispatcher::advance(SteadyTime now) {
  for (FolderSlot& slot : folders_.slots()) {
    if (slot.is_busy() || slot.jobs.empty()) continue;
    slot.lane.run([this, &slot, now] {
      for (HeldJob& held : slot.jobs) held.job.advance(now);
      remove_ended(slot);
    });
  }
}

/// In the lane of the folder, as are the other steps.
void Dispatcher::remove_ended(FolderSlot& slot) {
  for (auto held = slot.jobs.begin(); held != slot.jobs.end();) {
    if (held->job.phase() != ActiveJob::Phase::kOver) {
      ++held;
      continue;
    }
    if (const auto ended = held->job.ended()) context_.history->add_ended(*ended);
    held = slot.jobs.erase(held);
  }
}

void Dispatcher::dispatch(SteadyTime now) {
  for (;;) {
    if (working() >= workers_) return;
    if (start_resting(now)) continue;
    // No process was to be had for a job that has begun: a new one would only wait with it.
    if (lacks_process() || !claim_one(now)) return;
  }
}

bool Dispatcher::lacks_process() const {
  return std::ranges::any_of(folders_.slots(), [](const FolderSlot& slot) {
    return !slot.is_busy() && std::ranges::any_of(slot.jobs, [](const HeldJob& held) {
      return held.job.lacks_process();
    });
  });
}

size_t Dispatcher::working() {
  size_t working = 0;
  for (FolderSlot& slot : folders_.slots()) {
    if (!slot.is_busy()) {
      const auto is_working = [](const HeldJob& held) { return held.job.is_working(); };
      slot.running = static_cast<size_t>(std::ranges::count_if(slot.jobs, is_working));
    }
    if (!slot.is_silent) working += slot.running;
  }
  return working;
}

bool Dispatcher::start_resting(SteadyTime now) {
  for (Resting next = next_resting(0, now); next.held != nullptr;) {
    FolderSlot& slot = *next.slot;
    const uint64_t number = next.held->number;
    ++slot.running;
    const bool has_ended =
        slot.lane.run([this, &slot, held = next.held, now] { start(slot, *held, now); });
    if (!has_ended || slot.has_begun) return true;
    next = next_resting(number, now);  // no process could be had
  }
  return false;
}

/// The first that was claimed after the job of number `after`, and may begin.
Dispatcher::Resting Dispatcher::next_resting(uint64_t after, SteadyTime now) {
  const auto wall = std::chrono::system_clock::now();
  Resting first;
  for (FolderSlot& slot : folders_.slots()) {
    if (slot.is_busy() || !slot.has_room()) continue;
    const auto held = std::ranges::find_if(
        slot.jobs, [&](const HeldJob& one) { return one.number > after && one.job.is_due(now); });
    if (held == slot.jobs.end() || !slot.folder.blocked_reason(now, wall).empty()) continue;
    if (first.held == nullptr || held->number < first.held->number) first = {&slot, &*held};
  }
  return first;
}

void Dispatcher::start(FolderSlot& slot, HeldJob& held, SteadyTime now) {
  held.job.start(now);
  held.job.advance(now);
  slot.has_begun = !held.job.is_due(now);
  remove_ended(slot);
}

/// The next job of a folder. One with the name of a running job waits for its end: the two would
/// write the same plates, in any order.
std::optional<size_t> Dispatcher::next_job(const FolderSlot& slot) const {
  const std::deque<WaitingJob>& waiting = slot.folder.waiting();
  for (size_t i = 0; i < waiting.size(); ++i) {
    const auto is_it = [&](const HeldJob& held) { return held.job.name() == waiting[i].name; };
    if (std::ranges::none_of(slot.jobs, is_it)) return i;
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
    if (slot.is_busy() || !slot.has_room() || !slot.may_claim() || !next_job(slot)) continue;
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
    ++slot->running;
    const bool has_ended =
        slot->lane.run([this, slot, index = *next_job(*slot), now] { claim(*slot, index, now); });
    if (!has_ended || slot->has_begun) return true;
  }
  return false;
}

void Dispatcher::claim(FolderSlot& slot, size_t index, SteadyTime now) {
  auto claimed = slot.folder.claim(index, now);
  slot.has_begun = claimed.has_value();
  if (!claimed) return;
  add(slot, std::move(*claimed)).advance(now);
  remove_ended(slot);
}

void Dispatcher::suspend_all(SteadyTime now) {
  for (FolderSlot& slot : folders_.slots()) {
    if (slot.is_busy()) continue;
    for (HeldJob& held : slot.jobs) held.job.suspend(now);
  }
}

void Dispatcher::kill_all() {
  for (FolderSlot& slot : folders_.slots()) {
    if (slot.is_busy()) continue;
    for (HeldJob& held : slot.jobs) held.job.kill();
  }
}

void Dispatcher::drop_all() {
  for (FolderSlot& slot : folders_.slots()) {
    if (slot.is_busy() || slot.jobs.empty()) continue;
    slot.lane.run([&slot] { slot.jobs.clear(); });  // which waits for the ends of workers
  }
}

size_t Dispatcher::job_count() const {
  size_t count = 0;
  for (const FolderSlot& slot : folders_.slots()) {
    if (slot.is_busy()) {
      count += slot.is_silent ? 0 : 1;
    } else {
      count += slot.jobs.size();
    }
  }
  return count;
}

ActiveJob* Dispatcher::find(const std::string& id) {
  for (FolderSlot& slot : folders_.slots()) {
    if (slot.is_busy()) continue;
    for (HeldJob& held : slot.jobs) {
      if (held.job.id() == id) return &held.job;
    }
  }
  return nullptr;
}

bool Dispatcher::cancel(const std::string& id, SteadyTime now) {
  for (FolderSlot& slot : folders_.slots()) {
    if (slot.is_busy()) continue;
    for (HeldJob& held : slot.jobs) {
      if (held.job.id() != id) continue;
      slot.lane.run([&job = held.job, now] { job.cancel(now); });
      return true;
    }
  }
  return false;
}

void Dispatcher::add_polls(std::vector<pollfd>& polls) const {
  for (const FolderSlot& slot : folders_.slots()) {
    if (slot.is_busy()) continue;
    for (const HeldJob& held : slot.jobs) held.job.add_polls(polls);
  }
}

std::optional<SteadyTime> Dispatcher::next_time(SteadyTime turn) const {
  std::optional<SteadyTime> next;
  for (const FolderSlot& slot : folders_.slots()) {
    if (slot.is_busy()) continue;
    for (const HeldJob& held : slot.jobs) {
      // One that was due, and got no worker, is begun when another ends, which wakes the loop.
      if (held.job.is_due(turn)) continue;
      const auto time = held.job.next_time();
      if (time && (!next || *time < *next)) next = time;
    }
  }
  return next;
}

}  // namespace mezzo::watch
