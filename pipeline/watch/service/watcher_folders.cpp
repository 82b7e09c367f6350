// The folders of a watcher: when to look at each, and what to take from them.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "kernels/base/error.h"
#include "pipeline/log/log.h"
#include "pipeline/text.h"
#include "pipeline/watch/folder/keep_times.h"
#include "pipeline/watch/service/watcher.h"

namespace mezzo::watch {
namespace {

using namespace std::chrono_literals;

constexpr auto kOrphansEvery = 60s;
constexpr auto kSearchAgain = 10ms;
constexpr auto kPlaceAgain = 100ms;  // to see whether a job has to make way
constexpr auto kCleanUpEvery = 10min;
constexpr auto kLongestCleanUp = 10s;  // the next one continues
constexpr auto kClockWasSet = 1h;
constexpr auto kKeepArrivedEvery = 10s;
constexpr auto kShowEvery = 1s;

/// A file keeps the time at which it was seen as long as it keeps its mark.
bool is_same(const ArrivedFile& a, const ArrivedFile& b) {
  return a.name == b.name && a.mark == b.mark;
}

/// In the folder's lane, before any job of the folder can begin.
void keep_settings_known(JobHistory& history, FolderSlot& slot) {
  HotFolder& disk = slot.folder.disk();
  if (!disk.settings_file().had_file() || std::exchange(slot.knows_settings, true)) return;
  if (!history.ask(&JobStore::had_settings, disk.path()))
    history.keep("; after a restart, " + disk.path() +
                     " without its folder.yaml would work with the defaults",
                 &JobStore::set_had_settings,
                 disk.path());
}

void refuse_nested(const std::string& name, const std::string& other) {
  const bool is_inner = name.size() >= other.size();
  const std::string& inner = is_inner ? name : other;
  const std::string& outer = is_inner ? other : name;
  if (!inner.starts_with(outer.ends_with('/') ? outer : outer + "/")) return;
  throw Error(ErrorKind::kUsage,
              inner + " lies in " + outer +
                  ", and both are hot folders, so each would take the files of the other",
              "move one beside the other");
}

/// Enters files that cannot become a job in the history, as failed jobs.
void enter_refused(JobHistory& history, WatchedFolder& folder, const Moment& now) {
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
    history.enter(job);
    history.add_ended(job.view);
  }
}

}  // namespace

FolderSlot* Watcher::slot_of(const std::string& path) {
  const auto slot = std::ranges::find_if(
      slots_, [&](const FolderSlot& one) { return one.folder.path() == path; });
  return slot == slots_.end() ? nullptr : &*slot;
}

/// A folder that was added before is not added again. Without a folder.yaml it takes nothing when the
/// history knows that it has had one.
void Watcher::add_folder(const std::string& path) {
  std::string name = std::filesystem::absolute(path).lexically_normal().string();
  if (name.size() > 1 && name.ends_with('/')) name.pop_back();
  if (slot_of(name) != nullptr) {
    log::warn("{}: named twice, and watched once", name);
    return;
  }
  for (const FolderSlot& slot : slots_) refuse_nested(name, slot.folder.path());
  FolderSlot& slot = slots_.emplace_back(name, slots_.size(), events_, *options_.machine, wake_);
  HotFolder& disk = slot.folder.disk();
  slot.folder.set_paused(history_.ask(&JobStore::is_paused, name));
  if (slot.folder.is_paused()) log::info("{}: still paused, as requested", name);
  if (options_.needs_settings) disk.settings_file().require_file();
  if (history_.ask(&JobStore::had_settings, name)) disk.settings_file().recall_file();
  slot.arrived = history_.ask(&JobStore::arrived, name);
  for (const ArrivedFile& file : slot.arrived) disk.recall(file, begun_);
}

/// Finds out, and logs, which folders answer, and keeps the view of those that do.
void Watcher::begin_turn(const Moment& now) {
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
      for (ActiveJob& held : slot.jobs) held.excuse(now);
    }
    slot.cleaning->rest(now);
    if (slot.jobs.empty()) slot.lane->rest(now);
    if (std::exchange(slot.is_hinted, false)) slot.folder.hint();
    if (now.steady - slot.shown.taken >= kShowEvery) slot.shown = slot.view(now);
  }
}

void Watcher::look(const Moment& now) {
  for (const size_t slot : events_.changed(now)) {
    std::next(slots_.begin(), static_cast<std::ptrdiff_t>(slot))->is_hinted = true;
  }
  for (FolderSlot& slot : slots_) {
    if (slot.is_busy()) continue;
    if (std::exchange(slot.is_hinted, false)) slot.folder.hint();
    if (!slot.folder.is_look_due(now) && !slot.folder.is_space_due(now)) continue;
    slot.lane->run([this, &slot, now] {
      slot.folder.look_if_due(now);
      keep_settings_known(history_, slot);
      enter_refused(history_, slot.folder, now);
      slot.folder.check_space(now);
    });
  }
  if (now.steady < keep_due_) return;
  keep_due_ = now.steady + kKeepArrivedEvery;
  keep_arrived(now);
}

void Watcher::look_for_late_changes(const Moment& now) {
  for (StoredJob& job : history_.take_entered()) {
    FolderSlot* const slot = slot_of(job.view.folder);
    if (slot != nullptr) slot->entered.push_back(std::move(job));
  }
  for (FolderSlot& slot : slots_) {
    if (slot.is_busy()) continue;
    for (StoredJob& job : std::exchange(slot.entered, {})) {
      slot.remember(std::move(job), now);
    }
    if (slot.ended.empty() || now.steady < slot.ended_due) continue;
    slot.lane->run([this, &slot, now] { look_at_ended(slot, now); });
  }
}

/// Enters the files that wait for others in the history, where it has others.
void Watcher::keep_arrived(const Moment& now) {
  for (FolderSlot& slot : slots_) {
    if (slot.is_busy() || !slot.folder.is_up() || slot.folder.disk().is_looking()) continue;
    std::vector<ArrivedFile> files = slot.folder.disk().arrived_files(now);
    if (std::ranges::equal(files, slot.arrived, is_same)) continue;
    history_.keep("; after a restart, files that wait for others wait anew",
                  &JobStore::set_arrived,
                  slot.folder.path(),
                  files);
    slot.arrived = std::move(files);
  }
}

/// From time to time: passes on jobs whose watchers are gone, one a turn when a worker is free for it.
void Watcher::search_work(const Moment& now) {
  const bool has_room = working() < options_.jobs;
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
    const bool has_ended = slot.lane->run([this, &slot, now] { take_orphan(slot, now); });
    took_orphan_ = !has_ended || slot.has_begun;
    may_take = !took_orphan_;
  }
}

/// In the folder's lane.
void Watcher::take_orphan(FolderSlot& slot, const Moment& now) {
  slot.has_begun = false;
  for (ClaimedJob& job : slot.folder.take_orphaned(1, now)) {
    slot.has_begun = true;
    const std::optional<StoredJob> known = history_.ask(&JobStore::find, job.id);
    if (!known || known->view.folder == slot.folder.path()) {
      add_job(slot, std::move(job), now);
      continue;
    }
    // Somebody made up a job with the ID of another folder's: its files get an ID of their own.
    try {
      slot.folder.disk().work().give_back(std::move(job));
      slot.folder.hint();
    } catch (const Error& error) {
      log::warn("{}", one_line(error.what()));
    }
  }
}

/// From time to time: deletes files that are past their keep times.
void Watcher::clean_up(const Moment& now) {
  if (now.steady < clean_up_due_) return;
  clean_up_due_ = now.steady + kCleanUpEvery;
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
                        &disk = options_.machine->disk(),
                        stop = slot.ends.get_token(),
                        end = Deadline(options_.machine->clock(), kLongestCleanUp)] {
      try {
        delete_old(
            path, settings, wall, disk, [&] { return !stop.stop_requested() && !end.is_past(); });
      } catch (const std::exception& error) {
        log::warn("{}", one_line(error.what()));
      }
    });
  }
}

std::optional<SteadyTime> Watcher::next_time(const Moment& now) const {
  std::optional<SteadyTime> next;
  const auto by = [&](std::optional<SteadyTime> time) {
    if (time && (!next || *time < *next)) next = time;
  };
  if (awaits_place_) by(now.steady + kPlaceAgain);
  for (const FolderSlot& slot : slots_) {
    const auto since = slot.lane->busy_since();
    if (since && !slot.is_silent) by(*since + kSilent);
    if (since) continue;
    for (const ActiveJob& held : slot.jobs) {
      // One that was due, and got no worker, is begun when another ends, which wakes the loop.
      if (!slot.is_silent && !held.is_due(now)) by(held.next_time());
    }
    if (is_stopping_) continue;
    if (!slot.ended.empty()) by(slot.ended_due);
    by(slot.folder.next_look());
    by(slot.folder.next_open_time(now));
  }
  if (is_stopping_) return next;
  by(orphans_due_);
  if (search_goes_on_) by(now.steady + kSearchAgain);
  if (now.steady < events_.rests_until()) by(events_.rests_until());
  return next;
}

}  // namespace mezzo::watch
