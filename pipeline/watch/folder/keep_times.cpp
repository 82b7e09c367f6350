#include "pipeline/watch/folder/keep_times.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "stages/files/folder.h"
#include "stages/files/publish.h"

namespace mezzo::watch {
namespace {

/// A file, or a folder with all that is in it; links are deleted, not followed.
void delete_all(int folder, const std::string& name, files::FileSystem& calls) {
  if (calls.unlink({folder, name}) == 0 || (errno != EISDIR && errno != EPERM)) return;
  const files::Descriptor inside = files::open_folder(folder, name);
  if (!inside) return;
  for (const std::string& entry : files::names_in(inside.get(), name)) {
    delete_all(inside.get(), entry, calls);
  }
  calls.unlink({folder, name}, AT_REMOVEDIR);
}

void delete_older(int folder,
                  const std::string& path,
                  const std::string& name,
                  WallTime limit,
                  files::FileSystem& calls) {
  const files::Descriptor inside = files::open_folder(folder, name);
  if (!inside && errno == ENOENT) return;
  if (!inside) throw files::file_error(path + "/" + name, "opening the folder", errno);
  const int64_t limit_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(limit.time_since_epoch()).count();
  for (const std::string& entry : files::names_in(inside.get(), path + "/" + name)) {
    const std::optional<files::FileStat> stat = files::stat_file(inside.get(), entry);
    if (stat && stat->changed_ns < limit_ns) delete_all(inside.get(), entry, calls);
  }
}

}  // namespace

void delete_old(int folder,
                const std::string& path,
                const manifests::FolderSettings& settings,
                WallTime now,
                files::FileSystem& calls) {
  const auto done = settings.keep_done;
  const auto failed = settings.keep_failed;
  const bool keeps_all = done.count() == 0 || failed.count() == 0;
  const auto reports = keeps_all ? std::chrono::seconds(0) : std::max(done, failed);
  const std::pair<const char*, std::chrono::seconds> folders[] = {
      {"done", done}, {"failed", failed}, {"incomplete", failed}, {"reports", reports}};
  for (const auto& [name, keep] : folders) {
    if (keep.count() != 0) delete_older(folder, path, name, now - keep, calls);
  }
}

}  // namespace mezzo::watch
