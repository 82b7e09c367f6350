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
constexpr auto kLongestCleanUp = 10s;  // the next one continues
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
  FolderSlot& slot = slots_.emplace_back(name, slots_.size(), events_, history_, machine_, wake_);
  WatchedFolder& added = slot.folder;
  added.set_paused(history_.is_paused(name));
  if (added.is_paused()) log::info("{}: still paused, as requested", name);
  recall_settings(added.disk(), needs_settings);
  slot.arrived = history_.arrived(name);
  for (const ArrivedFile& file : slot.arrived) added.disk().recall(file, begun_);
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

void FolderSet::recall_ended(const Moment& now) {
  for (StoredJob& job : history_.recent(now.wall)) {
    const auto slot = std::ranges::find_if(
        slots_, [&](const FolderSlot& one) { return one.folder.path() == job.view.folder; });
    if (slot != slots_.end()) slot->late_changes.remember(std::move(job), now);
  }
}

void FolderSet::begin_turn(const Moment& now) {
  for (FolderSlot& slot : slots_) {
    const std::optional<SteadyTime> since = slot.lane->busy_since();
    const bool was_silent = std::exchange(slot.is_silent, since && now.steady - *since >= kSilent);
    if (slot.is_silent && !was_silent) {
      log::error(
          "{}: its disk, or that of its plates, has not answered for {}; other folders go on",
          slot.folder.path(),
          duration_text(std::chrono::duration<double>(now.steady - *since).count()));
    }
    if (since) continue;
    if (was_silent) {
      log::info("{}: its disk answers again", slot.folder.path());
      slot.folder.excuse();
      for (HeldJob& held : slot.jobs) held.job.excuse(now);
    }
    slot.cleaning->rest(now);
    if (slot.jobs.empty()) slot.lane->rest(now);
    if (std::exchange(slot.is_hinted, false)) slot.folder.hint();
    if (now.steady - slot.shown.taken >= kShowEvery) slot.shown = slot.view(now);
  }
}

void FolderSet::look(const Moment& now) {
  for (const size_t slot : events_.changed(now)) {
    std::next(slots_.begin(), static_cast<std::ptrdiff_t>(slot))->is_hinted = true;
  }
  for (FolderSlot& slot : slots_) {
    if (slot.is_busy()) continue;
    if (std::exchange(slot.is_hinted, false)) slot.folder.hint();
    if (!slot.folder.is_look_due(now) && !slot.folder.is_space_due(now)) continue;
    slot.lane->run([this, &slot, now] {
      slot.folder.look_if_due(now);
      keep_settings_known(slot);
      enter_refused(slot.folder, now);
      slot.folder.check_space(now);
    });
  }
  if (now.steady < keep_due_) return;
  keep_due_ = now.steady + kKeepArrivedEvery;
  keep_arrived(now);
}

void FolderSet::give_entered(const Moment& now) {
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

void FolderSet::look_for_late_changes(const Moment& now) {
  give_entered(now);
  for (FolderSlot& slot : slots_) {
    if (slot.is_busy() || !slot.late_changes.is_due(now)) continue;
    slot.lane->run([&late_changes = slot.late_changes, now] { late_changes.look(now); });
  }
}

void FolderSet::keep_arrived(const Moment& now) {
  for (FolderSlot& slot : slots_) {
    if (slot.is_busy() || !slot.folder.is_up() || slot.folder.disk().is_looking()) continue;
    std::vector<ArrivedFile> files = slot.folder.disk().arrived_files(now);
    if (std::ranges::equal(files, slot.arrived, is_same)) continue;
    history_.set_arrived(slot.folder.path(), files);
    slot.arrived = std::move(files);
  }
}

void FolderSet::enter_refused(WatchedFolder& folder, const Moment& now) {
  for (RefusedFiles& refused : folder.disk().take_refused()) {
    StoredJob job;
    job.view.id = refused.id;
    job.view.folder = folder.path();
    job.view.name = one_line(refused.name);
    job.view.state = JobState::kFailed;
    job.view.message = one_line(refused.reason);
    job.view.since = now.wall;
    job.view.can_retry = refused.can_retry;
    for (const MovedFile& file : refused.files) {
      job.view.files.push_back(folder.path() + "/" + file.path);
    }
    job.files = std::move(refused.files);
    history_.enter(job);
    history_.add_ended(job.view);
  }
}

void FolderSet::maintain(const Moment& now,
                         bool has_room,
                         const std::function<void(FolderSlot&, ClaimedJob)>& take_orphan) {
  search_work(now, has_room, take_orphan);
  if (now.steady >= clean_up_due_) {
    clean_up_due_ = now.steady + kCleanUpEvery;
    begin_clean_up(now);
  }
}

void FolderSet::search_work(const Moment& now,
                            bool has_room,
                            const std::function<void(FolderSlot&, ClaimedJob)>& take_orphan) {
  const bool begins = now.steady >= orphans_due_;
  if (begins) orphans_due_ = now.steady + kOrphansEvery;
  // In turn with new jobs, which may wait in other folders.
  bool may_take = has_room && !std::exchange(took_orphan_, false);
  search_goes_on_ = false;
  for (FolderSlot& slot : slots_) {
    if (begins) slot.wants_search = true;  // also later, when its disk is busy now
    if (slot.is_busy() || !slot.folder.is_up()) continue;
    if (std::exchange(slot.wants_search, false) && !slot.folder.is_searching()) {
      if (!slot.lane->run([&folder = slot.folder, now] { folder.search_work(now); })) continue;
    }
    if (!slot.folder.is_searching() || !slot.folder.blocked_reason(now).empty()) continue;
    search_goes_on_ = search_goes_on_ || has_room;
    if (!may_take) continue;
    const bool has_ended =
        slot.lane->run([this, &slot, now, take_orphan] { take_orphans(slot, now, take_orphan); });
    took_orphan_ = !has_ended || slot.has_begun;
    may_take = !took_orphan_;
  }
}

/// In the folder's lane.
void FolderSet::take_orphans(FolderSlot& slot,
                             const Moment& now,
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

void FolderSet::begin_clean_up(const Moment& now) {
  const WallTime wall = time_for_ages(now.wall, begun_.wall, now.steady - begun_.steady);
  if (now.wall - wall > kClockWasSet && !std::exchange(told_of_clock_, true)) {
    log::warn("the clock was set forward by {}, so files are kept for so much longer",
              duration_text(std::chrono::duration<double>(now.wall - wall).count()));
  }
  for (FolderSlot& slot : slots_) {
    if (slot.is_busy() || !slot.folder.is_up() || slot.cleaning->is_busy()) continue;
    if (!slot.cleaning->has_thread()) {
      log::warn("{}: no files are deleted now, as there is no thread", slot.folder.path());
      continue;
    }
    slot.cleaning->run([path = slot.folder.path(),
                        settings = slot.folder.settings(),
                        wall,
                        &disk = machine_.disk(),
                        stop = slot.ends.get_token(),
                        end = Deadline(machine_.clock(), kLongestCleanUp)] {
      try {
        delete_old(
            path, settings, wall, disk, [&] { return !stop.stop_requested() && !end.is_past(); });
      } catch (const std::exception& error) {
        log::warn("{}", one_line(error.what()));
      }
    });
  }
}

bool FolderSet::is_cleaning_up() const {
  return std::ranges::any_of(slots_,
                             [](const FolderSlot& slot) { return slot.cleaning->is_busy(); });
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
         std::ranges::any_of(slots_, [](const FolderSlot& slot) { return slot.lane->is_busy(); });
}

void FolderSet::add_polls(const Moment& now, std::vector<pollfd>& polls) const {
  if (events_.fd() < 0 || now.steady < events_.rests_until()) return;
  polls.push_back({.fd = events_.fd(), .events = POLLIN, .revents = 0});
}

std::optional<SteadyTime> FolderSet::next_time(const Moment& now, bool only_answers) const {
  std::optional<SteadyTime> next;
  const auto by = [&](std::optional<SteadyTime> time) {
    if (time && (!next || *time < *next)) next = time;
  };
  for (const FolderSlot& slot : slots_) {
    const auto since = slot.lane->busy_since();
    if (since && !slot.is_silent) by(*since + kSilent);
    if (since || only_answers) continue;
    by(slot.late_changes.next_time());
    by(slot.folder.next_look());
    by(slot.folder.next_open_time(now));
  }
  if (only_answers) return next;
  by(orphans_due_);
  if (search_goes_on_) by(now.steady + kSearchAgain);
  if (now.steady < events_.rests_until()) by(events_.rests_until());
  return next;
}

}  // namespace mezzo::watch
