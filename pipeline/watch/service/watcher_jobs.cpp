// Which job gets a worker: first those that were begun before, then new ones, from the folder of the highest
// priority, and of several such from the one that was served longest ago. A folder whose workers have run for
// longer than those of others goes last among its equals, and when all workers are busy one of its jobs stands
// still for the job of another folder: pages of an hour do not hold up pages of a second.
#include <algorithm>
#include <deque>
#include <tuple>
#include <utility>

#include "pipeline/watch/service/watcher.h"

namespace mezzo::watch {
namespace {

/// That fail, as other watchers were sooner.
constexpr size_t kClaimsATurn = 1000;

constexpr double kTurn = 0.5;  // seconds that a job runs undisturbed; most are over by then

/// Seconds that a folder is ahead at most: where it could not be helped, it is not held against it.
constexpr double kMostAhead = 10;

bool is_blocked(const FolderSlot& slot, const Moment& now) {
  return !slot.folder.blocked_reason(now).empty();
}

/// Its workers have run for longer than those of another active folder of at least its priority.
bool is_ahead(const FolderSlot& slot) {
  return slot.worked > slot.worked_least + kTurn;
}

/// The next job of a folder. One with the name of a running job waits for its end: the two would
/// write the same plates, in any order.
std::optional<size_t> next_job(const FolderSlot& slot) {
  const std::deque<WaitingJob>& waiting = slot.folder.waiting();
  for (size_t i = 0; i < waiting.size(); ++i) {
    const auto is_it = [&](const ActiveJob& held) { return held.name() == waiting[i].name; };
    if (std::ranges::none_of(slot.jobs, is_it)) return i;
  }
  return std::nullopt;
}

bool is_active(const FolderSlot& slot, const Moment& now) {
  if (slot.running > 0 || slot.is_busy()) return slot.running > 0;
  return std::ranges::any_of(
             slot.jobs, [&](const ActiveJob& held) { return held.yields() || held.is_due(now); }) ||
         (next_job(slot).has_value() && !is_blocked(slot, now));
}

}  // namespace

ActiveJob& Watcher::add_job(FolderSlot& slot, ClaimedJob job, const Moment& now) {
  ActiveJob& added = slot.jobs.emplace_back(slot.folder.disk(), std::move(job), context_, now);
  added.number = ++claims_;
  return added;
}

void Watcher::advance(const Moment& now) {
  for (FolderSlot& slot : slots_) {
    if (slot.is_busy() || slot.jobs.empty()) continue;
    slot.lane->run([this, &slot, now] {
      for (ActiveJob& held : slot.jobs) held.advance(now);
      remove_ended(slot);
    });
  }
}

/// In the lane of the folder, as are the other steps.
void Watcher::remove_ended(FolderSlot& slot) {
  for (auto held = slot.jobs.begin(); held != slot.jobs.end();) {
    if (held->phase() != ActiveJob::Phase::kOver) {
      ++held;
      continue;
    }
    if (const auto ended = held->ended()) history_.add_ended(*ended);
    held = slot.jobs.erase(held);
  }
}

void Watcher::dispatch(const Moment& now) {
  share_out(now);
  awaits_place_ = false;
  unable_.clear();
  for (size_t tries = 0; tries < kClaimsATurn; ++tries) {
    const std::optional<Candidate> next = next_candidate(now);
    if (!next || (working() >= options_.jobs && !make_way(*next, now))) break;
    begin(*next, now);
  }
  note_stopped();
}

/// Adds the time since the last call, for the jobs that a folder has running. Folders that are not active
/// save nothing up: they are level with the active ones.
void Watcher::share_out(const Moment& now) {
  working();
  const SteadyTime before = std::exchange(shared_out_, now).value_or(now);
  const double seconds = std::chrono::duration<double>(now.steady - before).count();
  std::vector<const FolderSlot*> active;
  for (FolderSlot& slot : slots_) {
    if (!slot.is_busy()) slot.priority = slot.folder.settings().priority;
    slot.worked += seconds * static_cast<double>(slot.running);
    if (is_active(slot, now)) active.push_back(&slot);
  }
  for (FolderSlot& slot : slots_) {
    const bool is_idle = std::ranges::find(active, &slot) == active.end();
    std::optional<double> least;
    for (const FolderSlot* other : active) {
      const bool counts = is_idle || other->priority >= slot.priority;
      if (counts) least = std::min(least.value_or(other->worked), other->worked);
    }
    slot.worked_least = least.value_or(slot.worked);
  }
  for (FolderSlot& slot : slots_) {
    slot.worked = std::clamp(slot.worked, slot.worked_least, slot.worked_least + kMostAhead);
  }
}

size_t Watcher::working() {
  size_t working = 0;
  for (FolderSlot& slot : slots_) {
    if (!slot.is_busy()) {
      const auto is_working = [](const ActiveJob& held) { return held.is_working(); };
      slot.running = static_cast<size_t>(std::ranges::count_if(slot.jobs, is_working));
    }
    if (!slot.is_silent) working += slot.running;
  }
  return working;
}

void Watcher::start(FolderSlot& slot, ActiveJob& held, const Moment& now) {
  held.start(now);
  held.advance(now);
  slot.has_begun = !held.is_due(now);
  remove_ended(slot);
}

std::optional<Watcher::Candidate> Watcher::next_candidate(const Moment& now) {
  const auto rank = [](const Candidate& one) {
    const bool goes_last = is_ahead(*one.slot);
    const bool is_new = one.held == nullptr;
    return std::tuple(is_new || goes_last,
                      -one.slot->priority,
                      goes_last,
                      is_new,
                      is_new ? one.slot->last_served : one.held->number);
  };
  std::optional<Candidate> best;
  const auto consider = [&](const Candidate& one) {
    if (!best || rank(one) < rank(*best)) best = one;
  };
  // No process was to be had for a job that has begun: a new one would only wait with it.
  const bool none_new = std::ranges::any_of(slots_, [](const FolderSlot& slot) {
    return !slot.is_busy() && std::ranges::any_of(slot.jobs, [](const ActiveJob& held) {
      return held.lacks_process();
    });
  });
  for (FolderSlot& slot : slots_) {
    if (slot.is_busy() || !slot.has_room()) continue;
    const bool blocked = is_blocked(slot, now);
    for (ActiveJob& held : slot.jobs) {
      const bool is_due =
          !blocked && held.is_due(now) && std::ranges::find(unable_, held.number) == unable_.end();
      if (is_due || held.yields()) consider({&slot, &held});
    }
    if (!none_new && !blocked && slot.may_claim() && next_job(slot)) consider({&slot, nullptr});
  }
  return best;
}

/// Lets a job stand still for one of another folder. Those that do keep their memory, so there are
/// no more of them than workers.
bool Watcher::make_way(const Candidate& next, const Moment& now) {
  note_stopped();
  FolderSlot* from = nullptr;
  ActiveJob* most = nullptr;
  size_t stopped = 0;
  for (FolderSlot& slot : slots_) {
    stopped += slot.stopped.size();
    if (slot.is_busy() || &slot == next.slot || slot.priority > next.slot->priority) continue;
    for (ActiveJob& held : slot.jobs) {
      if (!held.can_yield()) continue;
      awaits_place_ = true;
      if (!is_ahead(slot) || (most && slot.worked <= from->worked)) continue;
      from = &slot;
      most = &held;
    }
  }
  if (most == nullptr || stopped >= options_.jobs || is_ahead(*next.slot)) return false;
  most->yield(now);
  note_stopped();
  return true;
}

void Watcher::note_stopped() {
  std::vector<pid_t> all;
  for (FolderSlot& slot : slots_) {
    if (!slot.is_busy()) {
      slot.stopped.clear();
      for (const ActiveJob& held : slot.jobs) {
        if (held.yields()) slot.stopped.push_back(held.worker());
      }
    }
    all.insert(all.end(), slot.stopped.begin(), slot.stopped.end());
  }
  stopped_.set(std::move(all));
}

void Watcher::begin(const Candidate& next, const Moment& now) {
  FolderSlot& slot = *next.slot;
  if (next.held != nullptr && next.held->yields()) return next.held->go_on(now);
  ++slot.running;
  if (next.held == nullptr) {
    slot.last_served = ++claims_;
    slot.lane->run([this, &slot, index = *next_job(slot), now] { claim(slot, index, now); });
    return;
  }
  const uint64_t number = next.held->number;
  const bool has_ended =
      slot.lane->run([this, &slot, held = next.held, now] { start(slot, *held, now); });
  if (has_ended && !slot.has_begun) unable_.push_back(number);
}

void Watcher::claim(FolderSlot& slot, size_t index, const Moment& now) {
  auto claimed = slot.folder.claim(index, now);
  slot.has_begun = claimed.has_value();
  if (!claimed) return;
  add_job(slot, std::move(*claimed), now).advance(now);
  remove_ended(slot);
}

void Watcher::suspend_all(const Moment& now) {
  for (FolderSlot& slot : slots_) {
    if (slot.is_busy()) continue;
    for (ActiveJob& held : slot.jobs) held.suspend(now);
  }
}

size_t Watcher::job_count() const {
  size_t count = 0;
  for (const FolderSlot& slot : slots_) {
    if (slot.is_busy()) {
      count += slot.is_silent ? 0 : 1;
    } else {
      count += slot.jobs.size();
    }
  }
  return count;
}

}  // namespace mezzo::watch
