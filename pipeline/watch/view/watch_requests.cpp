#include "pipeline/watch/view/watch_requests.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "pipeline/watch/view/view_json.h"

namespace mezzo::watch {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
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
  if (verb == "list") return view_json(verbs.list(), std::chrono::system_clock::now(), true);
  if (verb == "pause" || verb == "resume") return reply_to(verbs.pause(folder, verb == "pause"));
  if (verb != "retry" && verb != "cancel") {
    return refusal("`verb` is list, pause, resume, retry or cancel");
  }
  if (job.empty()) return refusal("`job`, the ID of the job, is missing");
  return reply_to(verb == "retry" ? verbs.retry(job) : verbs.cancel(job));
}

}  // namespace mezzo::watch
