#include "pipeline/watch/job/plate_marks.h"

#include <optional>

#include "pipeline/watch/job/worker_report.h"
#include "stages/files/file_system.h"

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

}  // namespace mezzo::watch
