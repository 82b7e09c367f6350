#include "pipeline/watch/view/view_json.h"

#include <nlohmann/json.hpp>

#include "pipeline/version.h"

namespace mezzo::watch {
namespace {

using json = nlohmann::ordered_json;

int64_t milliseconds(WallTime time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

json to_json(const JobView& job) {
  json plates = json::array();
  for (const PlateView& plate : job.plates) {
    plates.push_back(
        {{"ink", plate.ink}, {"path", plate.path}, {"coverage_percent", plate.coverage_percent}});
  }
  return {{"id", job.id},
          {"folder", job.folder},
          {"name", job.name},
          {"state", to_string(job.state)},
          {"tries", job.tries},
          {"message", job.message},
          {"since", milliseconds(job.since)},
          {"seconds", job.seconds},
          {"pixels", job.pixels},
          {"pixels_done", job.pixels_done},
          {"plates", std::move(plates)},
          {"report", job.report}};
}

json to_json(const std::vector<JobView>& jobs) {
  json array = json::array();
  for (const JobView& job : jobs) array.push_back(to_json(job));
  return array;
}

}  // namespace

const char* to_string(JobState state) {
  switch (state) {
    case JobState::kWaiting:
      return "waiting";
    case JobState::kRunning:
      return "running";
    case JobState::kRetrying:
      return "retrying";
    case JobState::kDone:
      return "done";
    case JobState::kFailed:
      return "failed";
    case JobState::kCancelled:
      return "cancelled";
  }
  return "unknown";
}

std::string view_json(const WatchView& view, WallTime now, bool actions) {
  json folders = json::array();
  for (const FolderView& folder : view.folders) {
    folders.push_back({{"path", folder.path},
                       {"paused", folder.paused},
                       {"trouble", folder.trouble},
                       {"arriving", folder.arriving},
                       {"waiting", folder.waiting},
                       {"running", folder.running}});
  }
  const json object = {{"ok", true},
                       {"v", 1},
                       {"version", kVersion},
                       {"now", milliseconds(now)},
                       {"started", milliseconds(view.started)},
                       {"ready", view.ready},
                       {"stopping", view.stopping},
                       {"actions", actions},
                       {"folders", std::move(folders)},
                       {"running", to_json(view.running)},
                       {"waiting", to_json(view.waiting)},
                       {"finished", to_json(view.finished)},
                       {"jobs_done", view.jobs_done},
                       {"jobs_failed", view.jobs_failed}};
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace mezzo::watch
