// Requests to a watcher, as watch_view.h describes them, and their replies.
#pragma once

#include <functional>
#include <string>

#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

/// The requests to a watcher.
struct WatchVerbs {
  std::function<WatchView()> list;
  std::function<std::string()> page;  ///< the status page's address; empty: there is none

  /// Carries out "pause" or "resume" for the folder `name`, or for all when it is empty; or "retry", "again",
  /// "dismiss" or "cancel" for the job `name`. Returns why it was refused, for people; empty when it was done.
  std::function<std::string(const std::string& verb, const std::string& name)> change;
};

/// Carries out the request `json`, which may be any text; the reply is JSON on one line.
std::string answer_request(const std::string& json, const WatchVerbs& verbs, WallTime now);

/// A reply that refuses.
std::string refusal(const std::string& message);

}  // namespace mezzo::watch
