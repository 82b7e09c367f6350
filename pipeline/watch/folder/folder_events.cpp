#include "pipeline/watch/folder/folder_events.h"

#include <linux/magic.h>
#include <sys/inotify.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

namespace mezzo::watch {
namespace {

constexpr uint32_t kMask = IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE_SELF |
                           IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK;

/// File systems that other machines write to without a word to this one.
bool is_shared(const std::string& path) {
  constexpr std::array<uint32_t, 7> kShared = {NFS_SUPER_MAGIC,
                                               SMB_SUPER_MAGIC,
                                               CIFS_SUPER_MAGIC,
                                               SMB2_SUPER_MAGIC,
                                               CEPH_SUPER_MAGIC,
                                               FUSE_SUPER_MAGIC,
                                               V9FS_MAGIC};
  struct statfs status {};
  if (::statfs(path.c_str(), &status) != 0) return true;
  return std::ranges::find(kShared, static_cast<uint32_t>(status.f_type)) != kShared.end();
}

}  // namespace

FolderEvents::FolderEvents() : fd_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {}

bool FolderEvents::watch(size_t slot, const std::string& path) {
  if (watches_.size() <= slot) watches_.resize(slot + 1, -1);
  const int wanted =
      !fd_ || is_shared(path) ? -1 : ::inotify_add_watch(fd_.get(), path.c_str(), kMask);
  if (wanted != watches_[slot]) forget(slot);
  watches_[slot] = wanted;
  return wanted >= 0;
}

void FolderEvents::forget(size_t slot) {
  if (slot >= watches_.size() || watches_[slot] < 0) return;
  const int old = std::exchange(watches_[slot], -1);
  // Two names of one folder share a watch.
  if (std::ranges::find(watches_, old) == watches_.end()) ::inotify_rm_watch(fd_.get(), old);
}

std::vector<size_t> FolderEvents::changed() {
  std::vector<bool> seen(watches_.size(), false);
  bool lost = false;
  alignas(inotify_event) std::array<char, 64 << 10> buffer;
  for (ssize_t got; fd_ && (got = ::read(fd_.get(), buffer.data(), buffer.size())) > 0;) {
    for (size_t at = 0; at + sizeof(inotify_event) <= static_cast<size_t>(got);) {
      inotify_event event;
      std::memcpy(&event, buffer.data() + at, sizeof event);
      at += sizeof event + event.len;
      lost = lost || (event.mask & IN_Q_OVERFLOW) != 0;
      for (size_t slot = 0; slot < watches_.size(); ++slot) {
        if (watches_[slot] != event.wd) continue;
        seen[slot] = true;
        if ((event.mask & IN_IGNORED) != 0) watches_[slot] = -1;
      }
    }
  }
  std::vector<size_t> slots;
  for (size_t slot = 0; slot < seen.size(); ++slot) {
    if (seen[slot] || lost) slots.push_back(slot);
  }
  return slots;
}

}  // namespace mezzo::watch
