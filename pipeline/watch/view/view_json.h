// A watcher's view as JSON: the reply to the verb "list", and /view.json of the status page.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "manifests/json/value.h"
#include "pipeline/watch/view/watch_view.h"

namespace mezzo::json {
class Members;
class Slot;
}  // namespace mezzo::json

namespace mezzo::watch {

/// "waiting", "running", "retrying", "done", "failed", "cancelled".
const char* to_string(JobState state);
std::optional<JobState> job_state_named(std::string_view name);

/// ink, path, coverage_percent.
void describe(json::Members& members, PlateView& plate);

/// One object, "v": 1, "ok": true. Points in time are milliseconds since 1970. Text that is not
/// UTF-8 has its wrong bytes replaced. `actions`: whether its reader may send requests.
std::string view_json(WatchView view, WallTime now, bool actions);

/// The view of such an object, as far as it can be read.
WatchView parse_view(const json::Value& object);

}  // namespace mezzo::watch
