#include "pipeline/watch/job/plate_marks.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

#include "pipeline/watch/job/worker_report.h"
#include "stages/files/file_system.h"
#include "stages/files/folder.h"

namespace mezzo::watch {

std::vector<files::FileMark> marks_of(const std::vector<PlateView>& plates) {
  std::vector<files::FileMark> marks;
  for (const PlateView& plate : plates) {
    marks.push_back(
        files::mark_of(files::FileSystem::real(), plate.path).value_or(files::FileMark()));
  }
  return marks;
}

std::string lost_plates(const StoredJob& job) {
  const std::vector<PlateView>& plates = job.view.plates;
  if (plates.empty() || plates.size() >= WorkerReport::kPlatesKept) {
    return "not all of its plates are known";
  }
  const std::vector<files::FileMark> now = marks_of(plates);
  for (size_t i = 0; i < plates.size(); ++i) {
    if (now[i] == files::FileMark()) return "its plate " + plates[i].path + " is gone";
    const bool is_known = i < job.plate_marks.size();
    if (is_known && !now[i].same_content(job.plate_marks[i])) {
      return "its plate " + plates[i].path + " is not the one that was made";
    }
  }
  return {};
}

size_t remove_plates(const StoredJob& job, const std::string& folder) {
  namespace fs = std::filesystem;
  const files::Descriptor root(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  size_t removed = 0;
  for (size_t i = 0; root && i < job.plate_marks.size(); ++i) {
    const fs::path path = fs::path(job.view.plates[i].path).lexically_relative(folder);
    if (path.empty() || job.plate_marks[i] == files::FileMark()) continue;
    const fs::path parent = path.has_parent_path() ? path.parent_path() : ".";
    // The path comes from a worker, which has read files of strangers: it must not lead out.
    const files::Descriptor below =
        files::open_beneath(root.get(), parent.string(), O_RDONLY | O_DIRECTORY);
    const std::string name = path.filename().string();
    const auto stat = below ? files::stat_file(below.get(), name) : std::nullopt;
    if (!stat || !stat->is_regular() || !stat->FileMark::same_content(job.plate_marks[i])) continue;
    removed += ::unlinkat(below.get(), name.c_str(), 0) == 0;
  }
  return removed;
}

}  // namespace mezzo::watch
