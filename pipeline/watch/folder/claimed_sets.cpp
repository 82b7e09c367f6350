#include "pipeline/watch/folder/claimed_sets.h"

#include <algorithm>
#include <utility>

#include "kernels/base/error.h"
#include "pipeline/watch/folder/ink_sets.h"
#include "pipeline/watch/folder/work_folder.h"
#include "stages/files/folder.h"

namespace mezzo::watch {
namespace {

constexpr size_t kMostFiles = 100'000;  // as many as a hot folder may have
constexpr size_t kMostJobs = 1000;

/// The names in a folder below; none when it cannot be opened, or goes meanwhile.
std::vector<std::string> names_below(int folder, const std::string& path, size_t most) {
  const files::Descriptor below = files::open_folder(folder, path);
  if (!below) return {};
  try {
    return files::first_names_in(below.get(), path, most);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kMissing) throw;
    return {};
  }
}

std::vector<std::string> claimed_files(int folder) {
  std::vector<std::string> files;
  const auto add = [&](const std::string& path) {
    std::ranges::move(names_below(folder, path, kMostFiles), std::back_inserter(files));
  };
  for (const char* end : {"done", "failed", "incomplete"}) add(end);
  const std::string work(kWorkName);
  for (const std::string& id : names_below(folder, work, kMostJobs)) {
    add(work + "/" + id + "/" + kFilesName);
  }
  return files;
}

}  // namespace

void ClaimedSetPages::add(const std::vector<std::string>& files,
                          const manifests::SeparationSets& sets) {
  if (sets_ != sets) {
    forget();
    sets_ = sets;
  }
  const SetMatcher matcher(sets);
  for (const std::string& file : files) {
    if (const auto member = matcher.match(file)) pages_.insert(SetMatcher::page_key(member->page));
  }
}

const std::set<std::string>& ClaimedSetPages::look(int folder,
                                                   const std::vector<std::string>& files,
                                                   const manifests::SeparationSets& sets) {
  std::set<std::string> asked(files.begin(), files.end());
  if (sets_ != sets || !std::ranges::includes(asked_, asked)) {
    pages_.clear();  // files in done/ go in time
    add(claimed_files(folder), sets);
  }
  asked_ = std::move(asked);
  return pages_;
}

}  // namespace mezzo::watch
