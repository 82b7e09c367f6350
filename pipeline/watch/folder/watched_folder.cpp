#include "pipeline/watch/folder/watched_folder.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>

#include "kernels/base/error.h"
#include "pipeline/text.h"

namespace mezzo::watch {
namespace {

using namespace std::chrono_literals;

constexpr auto kLatestRescan = 30s;  // as events can get lost
constexpr int kRescanShare = 200;    // until then, rescans take at most 1/200 of the time
constexpr auto kTroubleRescan = 2s;
constexpr auto kSoonest = 50ms;  // between looks, so that a burst of events is one look
constexpr int kLookShare = 20;   // looks take at most this part of the time: 1/20
constexpr auto kSpaceEvery = 5s;
constexpr auto kRefusedFor = 10s;
constexpr size_t kNotesLogged = 20;

/// "FILE:LINE:COLUMN: what is wrong; what to do about it".
std::string mistake_text(const Diagnostic& mistake) {
  std::string text = mistake.file;
  if (mistake.line > 0) text += fmt::format(":{}:{}", mistake.line, mistake.column);
  text += ": " + mistake.message;
  if (!mistake.hint.empty()) text += "; " + mistake.hint;
  return one_line(text);
}

}  // namespace

WatchedFolder::WatchedFolder(const std::string& path, size_t slot, FolderEvents& events)
    : disk_(path), slot_(slot), events_(events) {}

WatchedFolder::Clock::time_point WatchedFolder::next_look() const {
  if (!looked_) return {};
  const auto soonest = looked_at_ + std::max<Clock::duration>(kSoonest, look_took_ * kLookShare);
  if (hinted_) return soonest;
  Clock::duration pause = kTroubleRescan;
  if (is_up()) {
    const Clock::duration cheap =
        std::min<Clock::duration>(look_took_ * kRescanShare, kLatestRescan);
    pause = has_events_ ? std::max<Clock::duration>(settings().scan, cheap) : settings().scan;
  }
  Clock::time_point next = looked_at_ + pause;
  if (const auto wanted = disk_.next_look(); wanted && is_up()) next = std::min(next, *wanted);
  return std::max(next, soonest);
}

void WatchedFolder::look_if_due(Clock::time_point now) {
  if (looked_ && now < next_look()) return;
  hinted_ = false;
  look(now);
  looked_ = true;
  looked_at_ = Clock::now();
  look_took_ = looked_at_ - now;
}

void WatchedFolder::look(Clock::time_point now) {
  std::string gone;
  try {
    look_inside(now);
  } catch (const std::exception& error) {
    gone = one_line(error.what());
    waiting_.clear();
  }
  if (gone == gone_) return;
  if (gone.empty()) {
    spdlog::info("{}: watched again", path());
  } else {
    spdlog::error("{}; tried again every {}", gone, duration_text(2));
  }
  gone_ = gone;
}

void WatchedFolder::look_inside(Clock::time_point now) {
  // Watched before it is looked at: what changes in between is an event.
  has_events_ = !settings().poll && events_.watch(slot_, path());
  read_settings();
  if (!disk_.has_settings()) return;
  if (settings().poll && has_events_) events_.forget(slot_);
  has_events_ = has_events_ && !settings().poll;
  disk_.look(now);
  put_in_order();
  note_oddities();
}

void WatchedFolder::read_settings() {
  std::string mistakes;
  for (const Diagnostic& one : disk_.reload_settings()) {
    mistakes += (mistakes.empty() ? "" : "; ") + mistake_text(one);
  }
  if (!disk_.has_settings()) waiting_.clear();
  if (mistakes == mistakes_) return;
  mistakes_ = mistakes;
  if (mistakes.empty()) {
    spdlog::info("{}: the settings are right again", path());
  } else if (disk_.has_settings()) {
    spdlog::error("{}: the last good settings stay in force: {}", path(), mistakes);
  } else {
    spdlog::error("{}: nothing is printed before the settings are right: {}", path(), mistakes);
  }
}

bool WatchedFolder::is_last(const WaitingJob& job) const {
  return std::ranges::find(last_, job.files) != last_.end();
}

/// That of the folder, but for jobs that could not be claimed: if they kept their place, nothing
/// behind them would ever begin.
void WatchedFolder::put_in_order() {
  waiting_.assign(disk_.waiting().begin(), disk_.waiting().end());
  std::erase_if(last_, [&](const std::vector<std::string>& files) {
    return std::ranges::find(waiting_, files, &WaitingJob::files) == waiting_.end();
  });
  std::ranges::stable_partition(waiting_, [&](const WaitingJob& job) { return !is_last(job); });
}

void WatchedFolder::note_oddities() {
  std::vector<std::string> names;
  size_t logged = 0;
  for (const FolderNote& note : disk_.notes()) {
    names.push_back(note.name);
    if (std::ranges::find(noted_, note.name) != noted_.end() || ++logged > kNotesLogged) continue;
    spdlog::warn("{}: {}: {}", path(), one_line(note.name), one_line(note.text));
    if (names.size() == 1000) break;
  }
  if (logged > kNotesLogged) {
    spdlog::warn("{}: and {} more", path(), counted(logged - kNotesLogged, "odd name"));
  }
  noted_ = std::move(names);
}

void WatchedFolder::refuse(const std::string& why, Clock::time_point now) {
  const std::string text = one_line(why);
  if (refused_ != text) spdlog::error("{}; tried again every 10 s", text);
  refused_ = text;
  refused_until_ = now + kRefusedFor;
}

void WatchedFolder::refuse(const std::string& why, Clock::time_point now, const WaitingJob& job) {
  refuse(why, now);
  if (!is_last(job)) last_.push_back(job.files);
}

void WatchedFolder::check_space(Clock::time_point now) const {
  if (space_checked_ != Clock::time_point() && now - space_checked_ < kSpaceEvery) return;
  space_checked_ = now;
  const auto bytes = files::free_space(files::FileSystem::real(), plates() + "/plate.tif");
  const bool was_full = !space_.empty();
  space_.clear();
  if (bytes && *bytes < settings().reserve_bytes) {
    space_ = fmt::format("waits for space: {} free where the plates go, and {} stay free",
                         bytes_text(*bytes),
                         bytes_text(settings().reserve_bytes));
    if (!was_full) spdlog::warn("{}: {}", path(), space_);
  } else if (was_full) {
    spdlog::info("{}: there is space again", path());
  }
}

std::string WatchedFolder::closed(Clock::time_point now, WallTime wall) const {
  if (!is_up()) return trouble();
  if (paused) return "paused";
  const auto& hours = settings().hours;
  if (!hours.empty() && std::ranges::none_of(hours, [&](const auto& one) {
        return manifests::contains(one, wall);
      })) {
    std::string text = "waits for its hours:";
    for (const manifests::TimeWindow& window : hours) text += " " + to_string(window);
    return text;
  }
  if (!refused_.empty() && now < refused_until_) return refused_;
  check_space(now);
  return space_;
}

std::optional<WatchedFolder::Clock::time_point> WatchedFolder::opens(Clock::time_point now,
                                                                     WallTime wall) const {
  if (paused || !is_up()) return std::nullopt;
  if (waiting_.empty()) return std::nullopt;
  // In the past when nobody has asked since: then nobody could have begun a job either.
  if (!space_.empty()) return std::max(space_checked_, now) + kSpaceEvery;
  if (!refused_.empty() && now < refused_until_) return refused_until_;
  std::optional<Clock::time_point> first;
  for (const manifests::TimeWindow& window : settings().hours) {
    if (manifests::contains(window, wall)) return std::nullopt;
    const auto time = now + (manifests::next_begin(window, wall) - wall);
    if (!first || time < *first) first = time;
  }
  return first;
}

std::string WatchedFolder::trouble() const {
  std::string text = gone_;
  for (const std::string& more : {mistakes_, refused_, space_}) {
    if (!more.empty()) text += (text.empty() ? "" : "; ") + more;
  }
  if (!looked_) text = "not looked at yet";
  return text;
}

std::string WatchedFolder::plates() const {
  return (std::filesystem::path(path()) / settings().plates).lexically_normal().string();
}

FolderView WatchedFolder::view() const {
  return {.path = path(),
          .paused = paused,
          .up = is_up(),
          .trouble = trouble(),
          .arriving = disk_.arriving(),
          .waiting = waiting_.size(),
          .running = running};
}

}  // namespace mezzo::watch
