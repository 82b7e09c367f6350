#include "pipeline/watch/service/folder_set.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "kernels/base/error.h"
#include "pipeline/log/log.h"
#include "pipeline/text.h"
#include "pipeline/watch/folder/keep_times.h"
#include "pipeline/watch/job/job_history.h"

namespace mezzo::watch {
namespace {

using namespace std::chrono_literals;

constexpr auto kOrphansEvery = 60s;
constexpr auto kSearchAgain = 10ms;
constexpr auto kCleanUpEvery = 10min;
constexpr auto kCleanUpAgain = 100ms;  // to see that it has ended
constexpr auto kClockWasSet = 1h;
constexpr auto kKeepArrivedEvery = 10s;
constexpr auto kShowEvery = 1s;

/// A file keeps the time at which it was seen as long as it keeps its mark.
bool is_same(const ArrivedFile& a, const ArrivedFile& b) {
  return a.name == b.name && a.mark == b.mark;
}

}  // namespace

void FolderSet::add(const std::string& path, bool needs_settings) {
  std::string name = std::filesystem::absolute(path).lexically_normal().string();
  if (name.size() > 1 && name.ends_with('/')) name.pop_back();
  const auto is_same = [&](const FolderSlot& slot) { return slot.folder.path() == name; };
  if (std::ranges::any_of(slots_, is_same)) {
    log::warn("{}: named twice, and watched once", name);
    return;
  }
  refuse_nested(name);
  FolderSlot& slot = slots_.emplace_back(name, slots_.size(), events_, history_, wake_);
  WatchedFolder& added = slot.folder;
  added.set_paused(history_.is_paused(name));
  if (added.is_paused()) log::info("{}: still paused, as requested", name);
  recall_settings(added.disk(), needs_settings);
  slot.arrived = history_.arrived(name);
  for (const ArrivedFile& file : slot.arrived) added.disk().recall(file, begun_, begun_wall_);
}

void FolderSet::recall_settings(HotFolder& disk, bool needs_settings) {
  if (needs_settings) disk.require_settings_file();
  if (history_.had_settings(disk.path())) disk.recall_settings_file();
}

/// In the folder's lane, before any job of the folder can begin.
void FolderSet::keep_settings_known(FolderSlot& slot) {
  const HotFolder& disk = slot.folder.disk();
  if (!disk.had_settings_file() || std::exchange(slot.knows_settings, true)) return;
  if (!history_.had_settings(disk.path())) history_.set_had_settings(disk.path());
}

void FolderSet::refuse_nested(const std::string& name) const {
  for (const FolderSlot& slot : slots_) {
    const std::string& other = slot.folder.path();
    const bool is_inner = name.size() >= other.size();
    const std::string& inner = is_inner ? name : other;
    const std::string& outer = is_inner ? other : name;
    if (!inner.starts_with(outer.ends_with('/') ? outer : outer + "/")) continue;
    throw Error(ErrorKind::kUsage,
                inner + " lies in " + outer +
                    ", and both are hot folders, so each would take the files of the other",
                "move one beside the other");
  }
}

void FolderSet::recall_ended(SteadyTime now) {
  for (StoredJob& job : history_.recent()) {
    const auto slot = std::ranges::find_if(
        slots_, [&](const FolderSlot& one) { return one.folder.path() == job.view.folder; });
    if (slot != slots_.end()) slot->late_changes.remember(std::move(job), now);
  }
}

void FolderSet::begin_turn(SteadyTime now) {
  for (FolderSlot& slot : slots_) {
    const std::optional<SteadyTime> since = slot.lane.busy_since();
    const bool was_silent = std::exchange(slot.is_silent, since && now - *since >= kSilent);
    if (slot.is_silent && !was_silent) {
      log::error(
          "{}: its disk, or that of its plates, has not answered for {}; other folders go on",
          slot.folder.path(),
          duration_text(std::chrono::duration<double>(now - *since).count()));
    }
    if (since) continue;
    if (was_silent) {
      log::info("{}: its disk answers again", slot.folder.path());
      slot.folder.excuse();
      for (HeldJob& held : slot.jobs) held.job.excuse(now);
    }
    if (slot.jobs.empty()) slot.lane.rest(now);
    if (std::exchange(slot.is_hinted, false)) slot.folder.hint();
    if (now - slot.shown.taken >= kShowEvery) slot.shown = slot.view(now);
  }
}

void FolderSet::look(SteadyTime now) {
  for (const size_t slot : events_.changed(now)) {
    std::next(slots_.begin(), static_cast<std::ptrdiff_t>(slot))->is_hinted = true;
  }
  for (FolderSlot& slot : slots_) {
    if (slot.is_busy()) continue;
    if (std::exchange(slot.is_hinted, false)) slot.folder.hint();
    if (!slot.folder.is_look_due(now) && !slot.folder.is_space_due(now)) continue;
    slot.lane.run([this, &slot, now] {
      slot.folder.look_if_due(now);
      keep_settings_known(slot);
      enter_refused(slot.folder);
      slot.folder.check_space(now);
    });
  }
  if (now < keep_due_) return;
  keep_due_ = now + kKeepArrivedEvery;
  keep_arrived(now);
}

void FolderSet::give_entered(SteadyTime now) {
  for (StoredJob& job : history_.take_entered()) {
    for (FolderSlot& slot : slots_) {
      if (slot.folder.path() == job.view.folder) slot.entered.push_back(job);
    }
  }
  for (FolderSlot& slot : slots_) {
    if (slot.is_busy()) continue;
    for (StoredJob& job : std::exchange(slot.entered, {})) {
      slot.late_changes.remember(std::move(job), now);
    }
  }
}

void FolderSet::look_for_late_changes(SteadyTime now) {
  give_entered(now);
  for (FolderSlot& slot : slots_) {
    if (slot.is_busy() || !slot.late_changes.is_due(now)) continue;
    slot.lane.run([&late_changes = slot.late_changes, now] { late_changes.look(now); });
  }
}

void FolderSet::keep_arrived(SteadyTime now) {
  const WallTime wall = std::chrono::system_clock::now();
  for (FolderSlot& slot : slots_) {
    if (slot.is_busy() || !slot.folder.is_up() || slot.folder.disk().is_looking()) continue;
    std::vector<ArrivedFile> files = slot.folder.disk().arrived_files(now, wall);
    if (std::ranges::equal(files, slot.arrived, is_same)) continue;
    history_.set_arrived(slot.folder.path(), files);
    slot.arrived = std::move(files);
  }
}

void FolderSet::enter_refused(WatchedFolder& folder) {
  for (RefusedFiles& refused : folder.disk().take_refused()) {
    StoredJob job;
    job.view.id = refused.id;
    job.view.folder = folder.path();
    job.view.name = one_line(refused.name);
    job.view.state = JobState::kFailed;
    job.view.message = one_line(refused.reason);
    job.view.since = std::chrono::system_clock::now();
    job.view.can_retry = refused.can_retry;
    for (const MovedFile& file : refused.files) {
      job.view.files.push_back(folder.path() + "/" + file.path);
    }
    job.files = std::move(refused.files);
    history_.enter(job);
    history_.add_ended(job.view);
  }
}

void FolderSet::maintain(SteadyTime now,
                         bool has_room,
                         const std::function<void(FolderSlot&, ClaimedJob)>& take_orphan) {
  search_work(now, has_room, take_orphan);
  if (now >= clean_up_due_) {
    clean_up_due_ = now + kCleanUpEvery;
    begin_clean_up();
  }
}

void FolderSet::search_work(SteadyTime now,
                            bool has_room,
                            const std::function<void(FolderSlot&, ClaimedJob)>& take_orphan) {
  const auto wall = std::chrono::system_clock::now();
  const bool begins = now >= orphans_due_;
  if (begins) orphans_due_ = now + kOrphansEvery;
  // In turn with new jobs, which may wait in other folders.
  bool may_take = has_room && !std::exchange(took_orphan_, false);
  search_goes_on_ = false;
  for (FolderSlot& slot : slots_) {
    if (begins) slot.wants_search = true;  // also later, when its disk is busy now
    if (slot.is_busy() || !slot.folder.is_up()) continue;
    if (std::exchange(slot.wants_search, false) && !slot.folder.is_searching()) {
      if (!slot.lane.run([&folder = slot.folder, now] { folder.search_work(now); })) continue;
    }
    if (!slot.folder.is_searching() || !slot.folder.blocked_reason(now, wall).empty()) continue;
    search_goes_on_ = search_goes_on_ || has_room;
    if (!may_take) continue;
    const bool has_ended =
        slot.lane.run([this, &slot, now, take_orphan] { take_orphans(slot, now, take_orphan); });
    took_orphan_ = !has_ended || slot.has_begun;
    may_take = !took_orphan_;
  }
}

/// In the folder's lane.
void FolderSet::take_orphans(FolderSlot& slot,
                             SteadyTime now,
                             const std::function<void(FolderSlot&, ClaimedJob)>& take_orphan) {
  slot.has_begun = false;
  for (ClaimedJob& job : slot.folder.take_orphaned(1, now)) {
    slot.has_begun = true;
    if (!is_of_another_folder(job, slot)) {
      take_orphan(slot, std::move(job));
      continue;
    }
    try {
      slot.folder.disk().work().give_back(std::move(job));
      slot.folder.hint();
    } catch (const Error& error) {
      log::warn("{}", one_line(error.what()));
    }
  }
}

/// Whether the history knows a job of this ID in another folder: then somebody made it up, and its
/// files get an ID of their own.
bool FolderSet::is_of_another_folder(const ClaimedJob& job, const FolderSlot& slot) const {
  const std::optional<StoredJob> known = history_.find(job.id);
  return known && known->view.folder != slot.folder.path();
}

bool FolderSet::is_searching() const {
  return std::ranges::any_of(slots_, [](const FolderSlot& slot) {
    if (slot.is_busy()) return !slot.is_silent;
    return (slot.wants_search || slot.folder.is_searching()) && slot.folder.is_up();
  });
}

void FolderSet::begin_clean_up() {
  const WallTime wall = std::chrono::system_clock::now();
  const WallTime now = time_for_ages(wall, begun_wall_, SteadyClock::now() - begun_);
  if (wall - now > kClockWasSet && !std::exchange(told_of_clock_, true)) {
    log::warn("the clock was set forward by {}, so files are kept for so much longer",
              duration_text(std::chrono::duration<double>(wall - now).count()));
  }
  for (FolderSlot& slot : slots_) {
    if (slot.is_busy() || !slot.folder.is_up()) continue;
    slot.clean_up.begin(slot.folder.path(), slot.folder.settings(), now);
  }
}

bool FolderSet::is_cleaning_up() const {
  return std::ranges::any_of(slots_,
                             [](const FolderSlot& slot) { return slot.clean_up.is_under_way(); });
}

void FolderSet::hint_all() {
  for (FolderSlot& slot : slots_) slot.is_hinted = true;
}

bool FolderSet::looked() const {
  return std::ranges::all_of(slots_, [](const FolderSlot& slot) {
    return slot.is_busy() ? slot.is_silent || slot.shown.has_looked : slot.folder.looked();
  });
}

bool FolderSet::is_held_up() const {
  return is_cleaning_up() ||
         std::ranges::any_of(slots_, [](const FolderSlot& slot) { return slot.lane.is_busy(); });
}

void FolderSet::add_polls(SteadyTime now, std::vector<pollfd>& polls) const {
  if (events_.fd() < 0 || now < events_.rests_until()) return;
  polls.push_back({.fd = events_.fd(), .events = POLLIN, .revents = 0});
}

std::optional<SteadyTime> FolderSet::next_time(SteadyTime now, bool only_answers) const {
  const auto wall = std::chrono::system_clock::now();
  std::optional<SteadyTime> next;
  const auto by = [&](std::optional<SteadyTime> time) {
    if (time && (!next || *time < *next)) next = time;
  };
  for (const FolderSlot& slot : slots_) {
    const auto since = slot.lane.busy_since();
    if (since && !slot.is_silent) by(*since + kSilent);
    if (since || only_answers) continue;
    by(slot.late_changes.next_time());
    by(slot.folder.next_look());
    by(slot.folder.next_open_time(now, wall));
    if (slot.clean_up.is_under_way()) by(now + kCleanUpAgain);
  }
  if (only_answers) return next;
  by(orphans_due_);
  if (search_goes_on_) by(now + kSearchAgain);
  if (now < events_.rests_until()) by(events_.rests_until());
  return next;
}

}  // namespace mezzo::watch
