#include "pipeline/watch/view/view_json.h"

#include <array>

#include "manifests/json/members.h"
#include "pipeline/version.h"

namespace mezzo::watch {
namespace {

/// By JobState.
constexpr std::array<const char*, 6> kStateNames = {
    "waiting", "running", "retrying", "done", "failed", "cancelled"};

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
  members.maybe("stuck", view.stuck);
  members.maybe("not_taken", view.not_taken);
  members.maybe("disks", view.disks);
  members.maybe("sheets_an_hour", view.sheets_an_hour);
  members.maybe("seconds_left", view.seconds_left);
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
  members.maybe("bytes", job.bytes);
  members.maybe("sheets", job.sheets);
  members.maybe("advice", job.advice);
  members.maybe("files", job.files);
  members.maybe("can_retry", job.can_retry);
}

static void describe(json::Members& members, FolderView& folder) {
  members("path", folder.path);
  members("paused", folder.paused);
  members("trouble", folder.trouble);
  members("arriving", folder.arriving);
  members("waiting", folder.waiting);
  members("running", folder.running);
  members.maybe("up", folder.up);
  members.maybe("oldest", Milliseconds{folder.oldest});
  members.maybe("stuck", folder.stuck);
  members.maybe("not_taken", folder.not_taken);
}

static void describe(json::Members& members, StuckView& stuck) {
  members("folder", stuck.folder);
  members("name", stuck.name);
  members("message", stuck.message);
  members("missing", stuck.missing);
  members("since", Milliseconds{stuck.since});
  members("until", Milliseconds{stuck.until});
}

static void describe(json::Members& members, DiskView& disk) {
  members("path", disk.path);
  members("free_bytes", disk.free_bytes);
  members("total_bytes", disk.total_bytes);
  members("missing_bytes", disk.missing_bytes);
  members("folder", disk.folder);
}

const char* to_string(JobState state) {
  return kStateNames[static_cast<size_t>(state)];
}

std::optional<JobState> job_state_named(std::string_view name) {
  for (size_t i = 0; i < kStateNames.size(); ++i) {
    if (name == kStateNames[i]) return static_cast<JobState>(i);
  }
  return std::nullopt;
}

std::string view_json(WatchView view, WallTime now, bool actions) {
  return json::to_text(json::to_value(ViewReply{std::move(view), now, actions}));
}

WatchView parse_view(const json::Value& object) {
  return json::from_value<ViewReply>(object, json::Reading::kLenient).view;
}

}  // namespace mezzo::watch
