#include "pipeline/watch/folder/writers.h"

#include <fcntl.h>

#include <cerrno>
#include <csignal>

#include "kernels/base/error.h"
#include "pipeline/watch/folder/disk.h"
#include "pipeline/watch/folder/folder_events.h"
#include "stages/files/folder.h"

namespace mezzo::watch {

const Writers& Writers::of_leases() {
  static const Writers writers;
  return writers;
}

bool Writers::are_at(int root, const std::string& name) const {
  const files::Descriptor inside = files::open_folder(root, name);
  if (!inside) {
    const Answer answer = ask_kernel(root, name);
    return answer == Answer::kSome || (answer == Answer::kUnknown && told_by_events(name));
  }
  bool found = false;
  try {
    files::walk_tree(inside.get(), name, files::Hidden::kVisit, [&](const auto& entry) {
      if (found || !entry.stat.is_regular()) return;
      found = ask_kernel(entry.folder, entry.name) == Answer::kSome;
    });
  } catch (const Error&) {
    // It is too large, or changes as we look: those who look at its state find the same.
  }
  return found;
}

Writers::Answer Writers::ask_kernel(int folder, const std::string& name) const {
  const files::Descriptor file = files::open_regular(folder, name);
  // Somebody has a lease of his own for writing, as file servers do for their clients.
  if (!file) return errno == EWOULDBLOCK ? Answer::kSome : Answer::kUnknown;
  // The clients of network file systems refuse leases for reasons of their own.
  if (is_on_shared_disk(file.get())) return Answer::kUnknown;
  // The signal of a broken lease is one that is ignored by default: SIGIO would end the process.
  if (::fcntl(file.get(), F_SETSIG, SIGURG) != 0) return Answer::kUnknown;
  if (::fcntl(file.get(), F_SETLEASE, F_RDLCK) != 0) {
    return errno == EAGAIN ? Answer::kSome : Answer::kUnknown;
  }
  ::fcntl(file.get(), F_SETLEASE, F_UNLCK);
  return Answer::kNone;
}

/// For files in the hot folder itself.
bool Writers::told_by_events(const std::string& name) const {
  return events_ != nullptr && events_->is_written(slot_, name, clock_->now());
}

}  // namespace mezzo::watch
