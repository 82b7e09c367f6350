// Requests to a watcher, as watch_view.h describes them, and their replies.
#pragma once

#include <functional>
#include <string>

#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

/// What a watcher can be told to do. Each returns what went wrong, for people; empty when nothing.
struct WatchVerbs {
  std::function<WatchView()> list;
  std::function<std::string(const std::string& folder, bool paused)> pause;  ///< empty: all
  std::function<std::string(const std::string& job)> retry;
  std::function<std::string(const std::string& job)> cancel;
};

/// Does what `json` asks for; the reply is JSON on one line. Anything may come in.
std::string answer_request(const std::string& json, const WatchVerbs& verbs);

/// A reply that refuses.
std::string refusal(const std::string& message);

}  // namespace mezzo::watch
