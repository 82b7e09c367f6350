#include "pipeline/watch/service/dispatcher.h"

#include <algorithm>
#include <deque>
#include <tuple>
#include <utility>

namespace mezzo::watch {
namespace {

/// That fail, as other watchers were sooner.
constexpr size_t kClaimsATurn = 1000;

constexpr std::chrono::milliseconds kPlaceAgain{100};  // to see whether a job has to make way

bool is_blocked(const FolderSlot& slot, const Moment& now) {
  return !slot.folder.blocked_reason(now).empty();
}

}  // namespace

Dispatcher::Dispatcher(FolderSet& folders, JobContext context, uint32_t workers)
    : folders_(folders),
      context_(std::move(context)),
      workers_(workers),
      stopped_(context_.journals + "/stopped") {
  context_.gpus = &gpus_;
}

ActiveJob& Dispatcher::add(FolderSlot& slot, ClaimedJob job, const Moment& now) {
  return slot.jobs.emplace_back(++claims_, slot.folder.disk(), std::move(job), context_, now).job;
}

void Dispatcher::advance(const Moment& now) {
  for (FolderSlot& slot : folders_.slots()) {
    if (slot.is_busy() || slot.jobs.empty()) continue;
    slot.lane->run([this, &slot, now] {
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

void Dispatcher::dispatch(const Moment& now) {
  account(now);
  awaits_place_ = false;
  unable_.clear();
  for (size_t tries = 0; tries < kClaimsATurn; ++tries) {
    const std::optional<Candidate> next = next_candidate(now);
    if (!next || (working() >= workers_ && !make_way(*next, now))) break;
    begin(*next, now);
  }
  note_stopped();
}

void Dispatcher::account(const Moment& now) {
  working();
  for (FolderSlot& slot : folders_.slots()) {
    if (!slot.is_busy()) slot.priority = slot.folder.settings().priority;
  }
  const auto is_active = [&](FolderSlot& slot) {
    if (slot.running > 0) return true;
    if (slot.is_busy()) return false;
    const auto may_run = [&](const HeldJob& held) {
      return held.job.yields() || held.job.is_due(now);
    };
    if (std::ranges::any_of(slot.jobs, may_run)) return true;
    return next_job(slot).has_value() && !is_blocked(slot, now);
  };
  shares_.account(folders_.slots(), is_active, now);
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

void Dispatcher::start(FolderSlot& slot, HeldJob& held, const Moment& now) {
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

std::optional<Dispatcher::Candidate> Dispatcher::next_candidate(const Moment& now) {
  const auto rank = [](const Candidate& one) {
    const bool is_ahead = FairShares::is_ahead(*one.slot);
    const bool is_new = one.held == nullptr;
    return std::tuple(is_new || is_ahead,
                      -one.slot->priority,
                      is_ahead,
                      is_new,
                      is_new ? one.slot->last_served : one.held->number);
  };
  std::optional<Candidate> best;
  const auto consider = [&](const Candidate& one) {
    if (!best || rank(one) < rank(*best)) best = one;
  };
  // No process was to be had for a job that has begun: a new one would only wait with it.
  const bool none_new = lacks_process();
  for (FolderSlot& slot : folders_.slots()) {
    if (slot.is_busy() || !slot.has_room()) continue;
    const bool blocked = is_blocked(slot, now);
    for (HeldJob& held : slot.jobs) {
      const bool is_due = !blocked && held.job.is_due(now) &&
                          std::ranges::find(unable_, held.number) == unable_.end();
      if (is_due || held.job.yields()) consider({&slot, &held});
    }
    if (!none_new && !blocked && slot.may_claim() && next_job(slot)) consider({&slot, nullptr});
  }
  return best;
}

/// Lets a job stand still for one of another folder. Those that do keep their memory, so there are
/// no more of them than workers.
bool Dispatcher::make_way(const Candidate& next, const Moment& now) {
  note_stopped();
  FolderSlot* from = nullptr;
  HeldJob* most = nullptr;
  size_t stopped = 0;
  for (FolderSlot& slot : folders_.slots()) {
    stopped += slot.stopped.size();
    if (slot.is_busy() || &slot == next.slot || slot.priority > next.slot->priority) continue;
    for (HeldJob& held : slot.jobs) {
      if (!held.job.can_yield()) continue;
      awaits_place_ = true;
      if (!FairShares::is_ahead(slot) || (most && slot.worked <= from->worked)) continue;
      from = &slot;
      most = &held;
    }
  }
  if (most == nullptr || stopped >= workers_ || FairShares::is_ahead(*next.slot)) return false;
  most->job.yield(now);
  note_stopped();
  return true;
}

void Dispatcher::note_stopped() {
  std::vector<pid_t> all;
  for (FolderSlot& slot : folders_.slots()) {
    if (!slot.is_busy()) {
      slot.stopped.clear();
      for (const HeldJob& held : slot.jobs) {
        if (held.job.yields()) slot.stopped.push_back(held.job.worker());
      }
    }
    all.insert(all.end(), slot.stopped.begin(), slot.stopped.end());
  }
  stopped_.set(std::move(all));
}

void Dispatcher::begin(const Candidate& next, const Moment& now) {
  FolderSlot& slot = *next.slot;
  if (next.held != nullptr && next.held->job.yields()) return next.held->job.go_on(now);
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

void Dispatcher::claim(FolderSlot& slot, size_t index, const Moment& now) {
  auto claimed = slot.folder.claim(index, now);
  slot.has_begun = claimed.has_value();
  if (!claimed) return;
  add(slot, std::move(*claimed), now).advance(now);
  remove_ended(slot);
}

void Dispatcher::suspend_all(const Moment& now) {
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
    slot.lane->run([&slot] { slot.jobs.clear(); });  // which waits for the ends of workers
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

bool Dispatcher::cancel(const std::string& id, const Moment& now) {
  for (FolderSlot& slot : folders_.slots()) {
    if (slot.is_busy()) continue;
    for (HeldJob& held : slot.jobs) {
      if (held.job.id() != id) continue;
      slot.lane->run([&job = held.job, now] { job.cancel(now); });
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

std::optional<SteadyTime> Dispatcher::next_time(const Moment& turn) const {
  std::optional<SteadyTime> next;
  if (awaits_place_) next = turn.steady + kPlaceAgain;
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
