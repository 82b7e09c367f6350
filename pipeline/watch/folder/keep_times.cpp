#include "pipeline/watch/folder/keep_times.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/error.h"
#include "pipeline/log/log.h"
#include "pipeline/text.h"
#include "pipeline/watch/folder/entry_names.h"
#include "stages/files/folder.h"
#include "stages/files/publish.h"

namespace mezzo::watch {
namespace {

/// Folders that a deletion has moved up, and that are still to be deleted.
constexpr std::string_view kMovedUp = ".deleted-";

/// Deletes an entry of a folder: a file, or a folder with all that is in it. Links are deleted, not
/// followed. However deep folders lie in each other, few of them are open at a time: those beyond
/// kDeepest move up first.
class Deletion {
 public:
  Deletion(int top, files::FileSystem& calls, const std::function<bool()>& goes_on)
      : top_(top), calls_(calls), goes_on_(goes_on) {}

  void run(const std::string& name) {
    names_ = {name};
    while (!names_.empty() && goes_on_()) {
      const std::string next = std::move(names_.back());
      names_.pop_back();
      remove(top_, next, 0);
    }
  }

 private:
  static constexpr size_t kDeepest = 16;

  void remove(int folder, const std::string& name, size_t depth) {
    if (!goes_on_()) return;
    if (calls_.unlink({folder, name}) == 0 || (errno != EISDIR && errno != EPERM)) return;
    if (depth == kDeepest) return move_up(folder, name);
    const files::Descriptor inside = files::open_folder(folder, name);
    if (!inside) return;
    files::for_each_name(
        inside.get(), name, [&](const char* entry) { remove(inside.get(), entry, depth + 1); });
    calls_.unlink({folder, name}, AT_REMOVEDIR);
  }

  void move_up(int folder, const std::string& name) {
    std::string free;
    do {
      free = std::string(kMovedUp) + std::to_string(++moved_);
    } while (files::stat_file(top_, free));
    if (calls_.rename({folder, name}, {top_, free}, 0) == 0) names_.push_back(free);
  }

  const int top_;
  files::FileSystem& calls_;
  const std::function<bool()>& goes_on_;
  std::vector<std::string> names_;  ///< in the top folder, still to be deleted
  size_t moved_ = 0;
};

/// The names of some of many files.
class NamesForLog {
 public:
  void add(const std::string& name) {
    if (count_++ < kShown) text_ += (text_.empty() ? "" : ", ") + printable_name(name);
  }
  bool is_empty() const { return count_ == 0; }
  std::string text() const {
    return count_ > kShown ? fmt::format("{} and {} more", text_, count_ - kShown) : text_;
  }

 private:
  static constexpr size_t kShown = 5;
  std::string text_;
  size_t count_ = 0;
};

void delete_older(int folder,
                  const std::string& path,
                  WallTime limit,
                  files::FileSystem& calls,
                  const std::function<bool()>& goes_on) {
  const int64_t limit_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(limit.time_since_epoch()).count();
  NamesForLog deleted, kept;
  std::string problem;
  files::for_each_name(folder, path, [&](const char* entry) {
    if (!goes_on()) return;
    const std::optional<files::FileStat> stat = files::stat_file(folder, entry);
    const bool is_old = stat && stat->changed_ns < limit_ns;
    if (!stat || (!is_old && !std::string_view(entry).starts_with(kMovedUp))) return;
    try {
      Deletion(folder, calls, goes_on).run(entry);
    } catch (const Error& error) {
      problem = one_line(error.what());
    }
    (files::stat_file(folder, entry) ? kept : deleted).add(entry);
  });
  if (!deleted.is_empty()) log::info("{}: deleted, as `keep` says: {}", path, deleted.text());
  if (!problem.empty()) log::warn("{}: could not be deleted: {}: {}", path, kept.text(), problem);
}

}  // namespace

void delete_old(const std::string& path,
                const manifests::FolderSettings& settings,
                WallTime now,
                files::FileSystem& calls,
                const std::function<bool()>& goes_on) {
  const auto done = settings.keep_done;
  const auto failed = settings.keep_failed;
  const bool keeps_all = done.count() == 0 || failed.count() == 0;
  const auto reports = keeps_all ? std::chrono::seconds(0) : std::max(done, failed);
  const std::pair<const char*, std::chrono::seconds> folders[] = {
      {"done", done}, {"failed", failed}, {"incomplete", failed}, {"reports", reports}};
  const files::Descriptor root(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!root) throw files::file_error(path, "opening the folder", errno);
  for (const auto& [name, keep] : folders) {
    if (keep.count() == 0 || !goes_on()) continue;
    const files::Descriptor folder = files::open_folder(root.get(), name);
    if (!folder && errno == ENOENT) continue;
    if (!folder) throw files::file_error(path + "/" + name, "opening the folder", errno);
    delete_older(folder.get(), path + "/" + name, now - keep, calls, goes_on);
  }
}

WallTime time_for_ages(WallTime now, WallTime begun, SteadyClock::duration since) {
  return std::min(now, begun + std::chrono::duration_cast<WallTime::duration>(since));
}

}  // namespace mezzo::watch
