#include "pipeline/watch/view/watch_requests.h"

#include <chrono>

#include "kernels/base/error.h"
#include "manifests/json/members.h"
#include "pipeline/watch/view/view_json.h"

namespace mezzo::watch {
namespace {

struct Request {
  std::string verb, folder, job;
};

std::string reply_to(const std::string& problem) {
  return problem.empty() ? json::to_text({{"ok", true}}) : refusal(problem);
}

void describe(json::Members& members, Request& request) {
  members("verb", request.verb);
  members("folder", request.folder);
  members("job", request.job);
}

}  // namespace

std::string refusal(const std::string& message) {
  return json::to_text({{"ok", false}, {"message", message}});
}

std::string answer_request(const std::string& text, const WatchVerbs& verbs) {
  const json::Value object = json::parse_or_null(text);
  if (object.members() == nullptr) return refusal("a request is one JSON object on one line");
  Request request;
  try {
    json::read_value(object, json::Reading::kPartial, request);
  } catch (const Error&) {
    return refusal("`verb`, `folder` and `job` are texts");
  }
  const auto& [verb, folder, job] = request;
  if (verb == "list") return view_json(verbs.list(), std::chrono::system_clock::now(), true);
  if (verb == "pause" || verb == "resume") return reply_to(verbs.pause(folder, verb == "pause"));
  if (verb != "retry" && verb != "cancel") {
    return refusal("`verb` is list, pause, resume, retry or cancel");
  }
  if (job.empty()) return refusal("`job`, the ID of the job, is missing");
  return reply_to(verb == "retry" ? verbs.retry(job) : verbs.cancel(job));
}

}  // namespace mezzo::watch
