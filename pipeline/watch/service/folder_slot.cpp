#include "pipeline/watch/service/folder_slot.h"

#include "pipeline/text.h"

namespace mezzo::watch {

SlotView FolderSlot::view(const Moment& now) const {
  const std::string why = folder.blocked_reason(now);
  SlotView view{.folder = folder.view(), .has_looked = folder.looked(), .taken = now};
  view.folder.running = running;
  for (const WaitingJob& job : folder.waiting()) {
    if (why.empty()) {
      view.bytes += job.bytes;
      ++view.ready;
    }
    const WallTime since = now.wall_of(job.seen);
    WallTime& oldest = view.folder.oldest;
    if (oldest == WallTime{} || since < oldest) oldest = since;
    if (view.waiting.size() >= kMostShown) continue;
    view.waiting.push_back({.folder = folder.path(),
                            .name = one_line(job.name),
                            .message = why,
                            .since = since,
                            .bytes = job.bytes});
  }
  for (const HeldJob& held : jobs) {
    view.jobs.push_back(held.job.view(now));
    if (const auto disk = held.job.wanted_disk()) view.disks.push_back(*disk);
  }
  view.stuck = folder.stuck(now, kMostShown);
  view.not_taken = folder.not_taken(now, kMostShown);
  for (const DiskView& disk : folder.disks()) view.disks.push_back(disk);
  return view;
}

}  // namespace mezzo::watch
