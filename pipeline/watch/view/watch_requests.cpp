#include "pipeline/watch/view/watch_requests.h"

#include <algorithm>
#include <array>
#include <string_view>

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

std::string answer_request(const std::string& text, const WatchVerbs& verbs, WallTime now) {
  const json::Value object = json::parse_or_null(text);
  if (object.members() == nullptr) return refusal("a request is one JSON object on one line");
  Request request;
  try {
    json::read_value(object, json::Reading::kPartial, request);
  } catch (const Error&) {
    return refusal("`verb`, `folder` and `job` are texts");
  }
  const auto& [verb, folder, job] = request;
  if (verb == "list") return view_json(verbs.list(), now, true);
  if (verb == "page") {
    const std::string url = verbs.page();
    if (url.empty()) return refusal("the watcher has no status page; start it with --http PORT");
    return json::to_text({{"ok", true}, {"url", url}});
  }
  if (verb == "pause" || verb == "resume") return reply_to(verbs.change(verb, folder));
  constexpr std::array<std::string_view, 4> kOfJobs = {"retry", "again", "dismiss", "cancel"};
  if (std::ranges::find(kOfJobs, verb) == kOfJobs.end()) {
    return refusal("`verb` is list, page, pause, resume, retry, again, dismiss or cancel");
  }
  return job.empty() ? refusal("`job`, the ID of the job, is missing")
                     : reply_to(verbs.change(verb, job));
}

}  // namespace mezzo::watch
