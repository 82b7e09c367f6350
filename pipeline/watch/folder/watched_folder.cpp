#include "pipeline/watch/folder/watched_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/base/error.h"
#include "pipeline/log/log.h"
#include "pipeline/text.h"
#include "pipeline/watch/folder/disk.h"

namespace mezzo::watch {
namespace {

using namespace std::chrono_literals;

constexpr auto kLatestRescan = 30s;  // as events can get lost
constexpr int kRescanShare = 200;    // until then, rescans take at most 1/200 of the time
constexpr auto kTroubleRescan = 2s;
constexpr auto kSoonest = 50ms;     // between looks, so that a burst of events is one look
constexpr int kLookShare = 20;      // looks take at most this part of the time: 1/20
constexpr int kPartShare = 4;       // likewise the parts of a long look
constexpr auto kLongestRest = 10s;  // after a look, for that; its disk may just have been slow
constexpr auto kRefusedFor = 10s;
constexpr auto kCheckSpaceEvery = 5s;

/// "FILE:LINE:COLUMN: the mistake; the hint".
std::string mistake_text(const Diagnostic& mistake) {
  std::string text = mistake.file;
  if (mistake.line > 0) text += fmt::format(":{}:{}", mistake.line, mistake.column);
  text += ": " + mistake.message;
  if (!mistake.hint.empty()) text += "; " + mistake.hint;
  return one_line(text);
}

bool is_open_at(const std::vector<manifests::TimeWindow>& hours, WallTime wall) {
  return hours.empty() || std::ranges::any_of(hours, [&](const manifests::TimeWindow& one) {
           return manifests::contains(one, wall);
         });
}

}  // namespace

WatchedFolder::WatchedFolder(const std::string& path,
                             size_t slot,
                             FolderEvents& events,
                             Machine& machine)
    : clock_(machine.clock()),
      writers_(events, slot, clock_),
      disk_(path, machine.disk(), writers_, clock_),
      slot_(slot),
      events_(events) {}

SteadyTime WatchedFolder::next_look() const {
  if (!looks_.done) return {};
  const int share = disk_.is_looking() ? kPartShare : kLookShare;
  const auto soonest =
      looks_.last + std::clamp<SteadyClock::duration>(looks_.took * share, kSoonest, kLongestRest);
  if (wants_look()) return soonest;
  SteadyClock::duration pause = kTroubleRescan;
  if (is_up()) {
    const SteadyClock::duration cheap =
        std::min<SteadyClock::duration>(looks_.took * kRescanShare, kLatestRescan);
    pause = has_events_ ? std::max<SteadyClock::duration>(settings().scan, cheap) : settings().scan;
  }
  SteadyTime next = looks_.last + pause;
  if (const auto wanted = disk_.next_look(); wanted && is_up()) next = std::min(next, *wanted);
  return std::max(next, soonest);
}

void WatchedFolder::look_if_due(SteadyTime now) {
  if (!is_look_due(now)) return;
  looks_.hinted = false;
  const SteadyTime begun = clock_.now();  // `now` is before the looks at other folders
  look(now);
  looks_.done = true;
  looks_.last = clock_.now();
  looks_.took = looks_.last - begun;
}

void WatchedFolder::look(SteadyTime now) {
  std::string gone;
  try {
    look_inside(now);
  } catch (const std::exception& error) {
    gone = one_line(error.what());
    waiting_.clear();
  }
  if (gone == gone_) return;
  if (gone.empty()) {
    log::info("{}: watched again", path());
  } else {
    log::error("{}; tried again every {}", gone, duration_text(2));
  }
  gone_ = gone;
}

void WatchedFolder::look_inside(SteadyTime now) {
  // Watched before it is looked at: changes in between are events.
  has_events_ = !settings().poll && events_.watch(slot_, path());
  read_settings(now);
  if (!disk_.has_settings()) return;
  if (settings().poll && has_events_) events_.forget(slot_);
  has_events_ = has_events_ && !settings().poll;
  disk_.look(now);
  if (disk_.is_looking()) return;
  take_waiting();
  log_notes(now);
}

/// Takes the waiting jobs in the order of the folder. Jobs that could not be claimed go last, so that they do not block
/// the others.
void WatchedFolder::take_waiting() {
  waiting_.assign(disk_.waiting().begin(), disk_.waiting().end());
  std::erase_if(last_, [&](const std::vector<std::string>& files) {
    return std::ranges::find(waiting_, files, &WaitingJob::files) == waiting_.end();
  });
  std::ranges::stable_partition(waiting_, [&](const WaitingJob& job) { return !is_last(job); });
}

bool WatchedFolder::is_last(const WaitingJob& job) const {
  return std::ranges::find(last_, job.files) != last_.end();
}

void WatchedFolder::read_settings(SteadyTime now) {
  std::string mistakes;
  for (const Diagnostic& one : disk_.reload_settings()) {
    mistakes += (mistakes.empty() ? "" : "; ") + mistake_text(one);
  }
  if (!disk_.has_settings()) waiting_.clear();
  mistakes_ = mistakes;
  log_mistakes(now);
}

/// Of settings that change all the time, some states are left out, but not the last.
void WatchedFolder::log_mistakes(SteadyTime now) {
  if (mistakes_ == logged_mistakes_ || !settings_lines_.allows(now)) return;
  logged_mistakes_ = mistakes_;
  if (mistakes_.empty()) {
    log::info("{}: folder.yaml is good again, and its settings are in force", path());
  } else if (disk_.has_settings()) {
    log::error(
        "{}: folder.yaml is not used until this is corrected, and the settings of before stay in "
        "force: {}",
        path(),
        mistakes_);
  } else {
    log::error("{}: no job begins until this is corrected in its settings: {}", path(), mistakes_);
  }
}

/// Logs the notes that were not there the time before.
void WatchedFolder::log_notes(SteadyTime now) {
  if (const size_t left_out = note_lines_.take_left_out(now); left_out > 0) {
    log::warn("{}: and {} more", path(), counted(left_out, "odd name"));
  }
  std::unordered_set<std::string> names;
  for (const FolderNote& note : disk_.notes()) {
    const bool is_new = names.insert(note.name).second && !logged_.contains(note.name);
    if (!is_new || !note_lines_.allows(now)) continue;
    log::warn("{}: {}: {}", path(), one_line(note.name), one_line(note.text));
  }
  logged_ = std::move(names);
}

std::optional<ClaimedJob> WatchedFolder::claim(size_t index, SteadyTime now) {
  const auto place = waiting_.begin() + static_cast<std::ptrdiff_t>(index);
  const WaitingJob job = std::move(*place);
  waiting_.erase(place);
  try {
    if (auto claimed = disk_.claim(job)) {
      refusal_.why.clear();
      return claimed;
    }
    hint();
  } catch (const Error& error) {
    refuse(error.what(), now, job);
  }
  return std::nullopt;
}

void WatchedFolder::search_work(SteadyTime now) {
  try {
    disk_.search_work();
  } catch (const Error& error) {
    refuse(error.what(), now);
  }
}

std::vector<ClaimedJob> WatchedFolder::take_orphaned(size_t most, SteadyTime now) {
  try {
    std::vector<ClaimedJob> jobs = disk_.take_orphaned(most);
    log_notes(now);
    refusal_.why.clear();
    if (jobs.empty()) hint();  // pages may be back in the folder
    return jobs;
  } catch (const Error& error) {
    refuse(error.what(), now);
    return {};
  }
}

void WatchedFolder::refuse(const std::string& why, SteadyTime now) {
  const std::string text = one_line(why);
  if (refusal_.why != text) log::error("{}; tried again every 10 s", text);
  refusal_ = {.why = text, .until = now + kRefusedFor};
}

void WatchedFolder::refuse(const std::string& why, SteadyTime now, const WaitingJob& job) {
  refuse(why, now);
  if (!is_last(job)) last_.push_back(job.files);
}

bool WatchedFolder::is_space_due(SteadyTime now) const {
  return !space_.checked || now - *space_.checked >= kCheckSpaceEvery;
}

void WatchedFolder::check_space(SteadyTime now) {
  if (!is_space_due(now)) return;
  const bool was_full = !space_.shortage.empty();
  space_ = {.shortage = {}, .disks = {}, .checked = now};
  if (auto disk = disk_of(disk_.plates(), disk_.calls())) {
    if (disk->free_bytes < settings().reserve_bytes) {
      disk->missing_bytes = settings().reserve_bytes - disk->free_bytes;
      disk->folder = path();
      space_.shortage = shortage_text(*disk) + " to keep the 'reserve' of folder.yaml";
    }
    space_.disks.push_back(*std::move(disk));
  }
  if (auto disk = disk_of(path(), disk_.calls())) space_.disks.push_back(*std::move(disk));
  const bool is_full = !space_.shortage.empty();
  if (is_full && !was_full) log::warn("{}: {}", path(), space_.shortage);
  if (was_full && !is_full) log::info("{}: there is space again", path());
}

std::string WatchedFolder::blocked_reason(const Moment& now) const {
  if (!is_up()) return trouble();
  if (paused_) return "paused";
  if (!is_open_at(settings().hours, now.wall)) {
    std::string text = "outside its hours:";
    for (const manifests::TimeWindow& window : settings().hours) text += " " + to_string(window);
    return text;
  }
  if (is_refusing() && now.steady < refusal_.until) return refusal_.why;
  return space_.shortage;
}

std::optional<SteadyTime> WatchedFolder::next_open_time(const Moment& now) const {
  if (paused_ || !is_up() || waiting().empty()) return std::nullopt;
  // A check in the past is overdue because no worker was free, so no job could have begun either.
  if (!space_.shortage.empty()) return std::max(*space_.checked, now.steady) + kCheckSpaceEvery;
  if (is_refusing() && now.steady < refusal_.until) return refusal_.until;
  if (is_open_at(settings().hours, now.wall)) return std::nullopt;
  std::optional<SteadyTime> first;
  for (const manifests::TimeWindow& window : settings().hours) {
    const auto time = now.steady + (manifests::next_begin(window, now.wall) - now.wall);
    if (!first || time < *first) first = time;
  }
  return first;
}

std::string WatchedFolder::trouble() const {
  if (!looked()) return "the watcher has not looked at it yet";
  std::string text = gone_;
  for (const std::string& more : {mistakes_, refusal_.why, space_.shortage}) {
    if (!more.empty()) text += (text.empty() ? "" : "; ") + more;
  }
  return text;
}

}  // namespace mezzo::watch
