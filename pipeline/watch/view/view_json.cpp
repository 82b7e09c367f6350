#include "pipeline/watch/view/view_json.h"

#include <algorithm>
#include <array>

#include "manifests/json/members.h"
#include "pipeline/version.h"

namespace mezzo::watch {
namespace {

constexpr std::array kStates = {JobState::kWaiting,
                                JobState::kRunning,
                                JobState::kRetrying,
                                JobState::kDone,
                                JobState::kFailed,
                                JobState::kCancelled};

struct ViewReply {
  WatchView view;
  WallTime now{};
  bool actions = false;
};

void describe(json::Members& members, ViewReply& reply) {
  WatchView& view = reply.view;
  members.put("ok", true);
  members.put("v", 1);
  members.put("version", kVersion);
  members("now", Milliseconds{reply.now});
  members("started", Milliseconds{view.started});
  members("ready", view.ready);
  members("stopping", view.stopping);
  members("actions", reply.actions);
  members("folders", view.folders);
  members("running", view.running);
  members("waiting", view.waiting);
  members("finished", view.finished);
  members("jobs_done", view.jobs_done);
  members("jobs_failed", view.jobs_failed);
}

}  // namespace

static void transfer(json::Slot& slot, JobState& state) {
  json::transfer_named(
      slot, state, [](JobState one) { return to_string(one); }, job_state_named);
}

void describe(json::Members& members, PlateView& plate) {
  members("ink", plate.ink);
  members("path", plate.path);
  members("coverage_percent", plate.coverage_percent);
}

static void describe(json::Members& members, JobView& job) {
  members("id", job.id);
  members("folder", job.folder);
  members("name", job.name);
  members("state", job.state);
  members("tries", job.tries);
  members("message", job.message);
  members("since", Milliseconds{job.since});
  members("seconds", job.seconds);
  members("pixels", job.pixels);
  members("pixels_done", job.pixels_done);
  members("plates", job.plates);
  members("report", job.report);
}

static void describe(json::Members& members, FolderView& folder) {
  members("path", folder.path);
  members("paused", folder.paused);
  members("trouble", folder.trouble);
  members("arriving", folder.arriving);
  members("waiting", folder.waiting);
  members("running", folder.running);
}

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

std::optional<JobState> job_state_named(std::string_view name) {
  const auto found = std::ranges::find(
      kStates, name, [](JobState state) { return std::string_view(to_string(state)); });
  return found == kStates.end() ? std::nullopt : std::optional(*found);
}

std::string view_json(WatchView view, WallTime now, bool actions) {
  return json::to_text(json::to_value(ViewReply{std::move(view), now, actions}));
}

WatchView parse_view(const json::Value& object) {
  return json::from_value<ViewReply>(object, json::Reading::kLenient).view;
}

}  // namespace mezzo::watch
