#include "pipeline/watch/watch_requests.h"

#include <chrono>
#include <nlohmann/json.hpp>

namespace mezzo {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

int64_t milliseconds(WallTime time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

const char* name_of(JobState state) {
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

Json jobs_json(const std::vector<JobView>& jobs) {
  Json list = Json::array();
  for (const JobView& job : jobs) {
    Json plates = Json::array();
    for (const PlateView& plate : job.plates) {
      plates.push_back(
          {{"ink", plate.ink}, {"path", plate.path}, {"coverage_percent", plate.coverage_percent}});
    }
    list.push_back({{"id", job.id},
                    {"folder", job.folder},
                    {"name", job.name},
                    {"state", name_of(job.state)},
                    {"tries", job.tries},
                    {"message", job.message},
                    {"since", milliseconds(job.since)},
                    {"seconds", job.seconds},
                    {"pixels", job.pixels},
                    {"pixels_done", job.pixels_done},
                    {"plates", std::move(plates)},
                    {"report", job.report}});
  }
  return list;
}

std::string list_reply(const WatchView& view) {
  Json folders = Json::array();
  for (const FolderView& folder : view.folders) {
    folders.push_back({{"path", folder.path},
                       {"paused", folder.paused},
                       {"trouble", folder.trouble},
                       {"arriving", folder.arriving},
                       {"waiting", folder.waiting},
                       {"running", folder.running}});
  }
  return text_of({{"ok", true},
                  {"v", 1},
                  {"started", milliseconds(view.started)},
                  {"ready", view.ready},
                  {"stopping", view.stopping},
                  {"folders", std::move(folders)},
                  {"running", jobs_json(view.running)},
                  {"waiting", jobs_json(view.waiting)},
                  {"finished", jobs_json(view.finished)},
                  {"jobs_done", view.jobs_done},
                  {"jobs_failed", view.jobs_failed}});
}

std::string reply_to(const std::string& problem) {
  return problem.empty() ? text_of({{"ok", true}}) : refusal(problem);
}

/// The text under a key; empty when it is missing. `wrong` becomes true when it is no text.
std::string argument(const Json& request, const char* key, bool& wrong) {
  const auto found = request.find(key);
  if (found == request.end()) return "";
  if (!found->is_string()) {
    wrong = true;
    return "";
  }
  return found->get<std::string>();
}

}  // namespace

std::string refusal(const std::string& message) {
  return text_of({{"ok", false}, {"message", message}});
}

std::string answer_request(const std::string& json, const WatchVerbs& verbs) {
  const Json request = Json::parse(json, nullptr, false);
  if (!request.is_object()) return refusal("a request is one JSON object on one line");
  bool wrong = false;
  const std::string verb = argument(request, "verb", wrong);
  const std::string folder = argument(request, "folder", wrong);
  const std::string job = argument(request, "job", wrong);
  if (wrong) return refusal("`verb`, `folder` and `job` are texts");
  if (verb == "list") return list_reply(verbs.list());
  if (verb == "pause" || verb == "resume") return reply_to(verbs.pause(folder, verb == "pause"));
  if (verb != "retry" && verb != "cancel") {
    return refusal("`verb` is list, pause, resume, retry or cancel");
  }
  if (job.empty()) return refusal("`job`, the ID of the job, is missing");
  return reply_to(verb == "retry" ? verbs.retry(job) : verbs.cancel(job));
}

}  // namespace mezzo
