#include "pipeline/watch/folder/keep_times.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "kernels/base/error.h"
#include "pipeline/text.h"
#include "pipeline/watch/folder/entry_names.h"
#include "stages/files/folder.h"
#include "stages/files/publish.h"

namespace mezzo::watch {
namespace {

/// Deletes an entry of a folder: a file, or a folder with all that is in it. Links are deleted, not
/// followed. However deep folders lie in each other, few of them are open at a time: those beyond
/// kDeepest move up first.
class Deletion {
 public:
  Deletion(int top, files::FileSystem& calls) : top_(top), calls_(calls) {}

  void run(const std::string& name) {
    names_ = {name};
    while (!names_.empty()) {
      const std::string next = std::move(names_.back());
      names_.pop_back();
      remove(top_, next, 0);
    }
  }

 private:
  static constexpr size_t kDeepest = 16;

  void remove(int folder, const std::string& name, size_t depth) {
    if (calls_.unlink({folder, name}) == 0 || (errno != EISDIR && errno != EPERM)) return;
    if (depth == kDeepest) return move_up(folder, name);
    const files::Descriptor inside = files::open_folder(folder, name);
    if (!inside) return;
    for (const std::string& entry : files::names_in(inside.get(), name)) {
      remove(inside.get(), entry, depth + 1);
    }
    calls_.unlink({folder, name}, AT_REMOVEDIR);
  }

  void move_up(int folder, const std::string& name) {
    std::string free;
    do {
      free = ".deleted-" + std::to_string(++moved_);
    } while (files::stat_file(top_, free));
    if (calls_.rename({folder, name}, {top_, free}, 0) == 0) names_.push_back(free);
  }

  const int top_;
  files::FileSystem& calls_;
  std::vector<std::string> names_;  ///< in the top folder, still to be deleted
  size_t moved_ = 0;
};

void log_deleted(const std::string& path, const std::vector<std::string>& names) {
  constexpr size_t kShown = 5;
  if (names.empty()) return;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kShown); ++i) {
    text += (i == 0 ? "" : ", ") + printable_name(names[i]);
  }
  if (names.size() > kShown) text += fmt::format(" and {} more", names.size() - kShown);
  spdlog::info("{}: deleted, as `keep` says: {}", path, text);
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
  std::vector<std::string> deleted;
  for (const std::string& entry : files::names_in(inside.get(), path + "/" + name)) {
    const std::optional<files::FileStat> stat = files::stat_file(inside.get(), entry);
    if (!stat || stat->changed_ns >= limit_ns) continue;
    try {
      Deletion(inside.get(), calls).run(entry);
    } catch (const Error& error) {
      spdlog::warn("{}/{}/{}: {}", path, name, printable_name(entry), one_line(error.what()));
    }
    if (!files::stat_file(inside.get(), entry)) deleted.push_back(entry);
  }
  log_deleted(path + "/" + name, deleted);
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

WallTime time_for_ages(WallTime now, WallTime begun, SteadyClock::duration since) {
  return std::min(now, begun + std::chrono::duration_cast<WallTime::duration>(since));
}

}  // namespace mezzo::watch
