#include "pipeline/watch/folder/folder_events.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "pipeline/watch/folder/disk.h"

namespace mezzo::watch {
namespace {

constexpr uint32_t kMask = IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE_SELF |
                           IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK;

/// At once, of one folder. With more than that, none is known.
constexpr size_t kMostWritten = 10'000;

constexpr std::chrono::milliseconds kRest{50};

/// truncate(2) tells of a write, but never of its end.
constexpr std::chrono::hours kWriteCounts{1};

}  // namespace

FolderEvents::FolderEvents() : fd_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {}

bool FolderEvents::watch(size_t slot, const std::string& path) {
  const int wanted =
      !fd_ || is_on_shared_disk(path) ? -1 : ::inotify_add_watch(fd_.get(), path.c_str(), kMask);
  const std::lock_guard lock(mutex_);
  if (watches_.size() <= slot) watches_.resize(slot + 1);
  if (wanted != watches_[slot].number) forget_locked(slot);
  watches_[slot].number = wanted;
  return wanted >= 0;
}

SteadyTime FolderEvents::rests_until() const {
  const std::lock_guard lock(mutex_);
  return rests_until_;
}

void FolderEvents::forget(size_t slot) {
  const std::lock_guard lock(mutex_);
  forget_locked(slot);
}

void FolderEvents::forget_locked(size_t slot) {
  if (slot >= watches_.size() || watches_[slot].number < 0) return;
  const int old = std::exchange(watches_[slot], {}).number;
  // Two names of one folder share a watch.
  if (std::ranges::find(watches_, old, &Watch::number) == watches_.end()) {
    ::inotify_rm_watch(fd_.get(), old);
  }
}

std::vector<size_t> FolderEvents::changed(SteadyTime now) {
  const std::lock_guard lock(mutex_);
  if (now < rests_until_) return {};
  std::vector<bool> seen(watches_.size(), false);
  bool lost = false;
  alignas(inotify_event) std::array<char, 64 << 10> buffer;
  for (ssize_t got; fd_ && (got = ::read(fd_.get(), buffer.data(), buffer.size())) > 0;) {
    rests_until_ = now + kRest;
    for (size_t at = 0; at + sizeof(inotify_event) <= static_cast<size_t>(got);) {
      inotify_event event;
      std::memcpy(&event, buffer.data() + at, sizeof event);
      const char* name = event.len > 0 ? buffer.data() + at + sizeof event : "";
      at += sizeof event + event.len;
      lost = lost || (event.mask & IN_Q_OVERFLOW) != 0;
      for (size_t slot = 0; slot < watches_.size(); ++slot) {
        if (watches_[slot].number != event.wd) continue;
        if (take(watches_[slot], event.mask, name, now)) seen[slot] = true;
      }
    }
  }
  std::vector<size_t> slots;
  for (size_t slot = 0; slot < seen.size(); ++slot) {
    if (lost) watches_[slot].written.clear();
    if (seen[slot] || lost) slots.push_back(slot);
  }
  return slots;
}

bool FolderEvents::take(Watch& watch, uint32_t mask, const char* name, SteadyTime now) {
  if ((mask & IN_IGNORED) != 0) watch = {};
  if ((mask & IN_MODIFY) != 0) {
    if (watch.written.size() >= kMostWritten) watch.written.clear();
    watch.written[name] = now;
    return false;
  }
  // The name may also be that of another file now.
  watch.written.erase(name);
  return true;
}

bool FolderEvents::is_written(size_t slot, const std::string& name, SteadyTime now) const {
  const std::lock_guard lock(mutex_);
  if (slot >= watches_.size()) return false;
  const auto found = watches_[slot].written.find(name);
  return found != watches_[slot].written.end() && now - found->second < kWriteCounts;
}

}  // namespace mezzo::watch
