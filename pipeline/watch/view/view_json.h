// A watcher's view as JSON: the reply to the verb "list", and /view.json of the status page.
#pragma once

#include <string>

#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

/// "waiting", "running", "retrying", "done", "failed", "cancelled".
const char* to_string(JobState state);

/// One object, "v": 1, "ok": true. Points in time are milliseconds since 1970. Text that is not
/// UTF-8 has its wrong bytes replaced. `actions`: whether its reader may send requests.
std::string view_json(const WatchView& view, WallTime now, bool actions);

}  // namespace mezzo::watch
