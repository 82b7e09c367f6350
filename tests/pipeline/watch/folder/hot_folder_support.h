// A hot folder in a folder of its own, looked at in a time that the test makes.
#pragma once

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "pipeline/watch/folder/hot_folder.h"
#include "tests/pipeline/watch/folder/stopping_calls.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test {

inline std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Paths of all files and links in a folder, from there; of empty folders too, with a slash behind.
/// Without .work when that is empty.
inline std::vector<std::string> tree_of(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string path = entry.path().lexically_relative(folder).string();
    if (!entry.is_directory() || entry.is_symlink()) {
      paths.push_back(path);
    } else if (fs::is_empty(entry.path()) && path != ".work") {
      paths.push_back(path + "/");
    }
  }
  std::ranges::sort(paths);
  return paths;
}

/// The names in a folder; none when it does not exist.
inline std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    names.push_back(entry.path().filename());
  }
  return names;
}

/// All jobs that no living watcher holds.
inline std::vector<watch::ClaimedJob> take_all_orphaned(watch::HotFolder& hot) {
  std::vector<watch::ClaimedJob> jobs;
  hot.search_work();
  while (hot.is_searching()) {
    for (watch::ClaimedJob& job : hot.take_orphaned(10)) jobs.push_back(std::move(job));
  }
  return jobs;
}

inline constexpr const char* kSetsYaml =
    "mezzotint: 1\nseparations: {inks: [cyan, magenta, yellow]}\n";

struct Scene {
  Scene() : hot(folder.path(), calls) {}

  TempFolder folder;
  QuickCalls calls;
  watch::HotFolder hot;
  int64_t now_ms = 0;

  std::chrono::steady_clock::time_point at(int64_t milliseconds) const {
    return std::chrono::steady_clock::time_point(std::chrono::hours(1)) +
           std::chrono::milliseconds(milliseconds);
  }
  void look_after(int64_t milliseconds) {
    now_ms += milliseconds;
    look();
  }
  /// To its end.
  void look() {
    do {
      hot.look(at(now_ms));
    } while (hot.is_looking());
  }
  /// Looks until all that is there has held still.
  void look_until_complete() {
    for (int look = 0; look < 4; ++look) look_after(2000);
  }
  std::vector<std::string> waiting() const {
    std::vector<std::string> names;
    for (const watch::WaitingJob& job : hot.waiting()) names.push_back(job.name);
    return names;
  }
  std::vector<std::string> tree() const { return tree_of(folder.path()); }
};

}  // namespace mezzo::test
