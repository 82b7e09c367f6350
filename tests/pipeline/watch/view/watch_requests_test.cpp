#include "pipeline/watch/view/watch_requests.h"

#include <gtest/gtest.h>

namespace mezzo::test::watch_requests_test {
namespace {

TEST(WatchRequests, are_answered_in_these_bytes) {
  std::string asked, page;
  const watch::WatchVerbs verbs{.list = [] { return watch::WatchView(); },
                                .page = [&] { return page; },
                                .change =
                                    [&](const std::string& verb, const std::string& name) {
                                      asked = verb + " " + name;
                                      return name == "bad" ? std::string("no \"such\" \xFF")
                                                           : std::string();
                                    }};
  const auto answer = [&](const std::string& request) {
    asked.clear();
    return watch::answer_request(request, verbs, WallTime());
  };
  EXPECT_EQ(answer(R"({"verb":"pause","folder":"/hot"})"), R"({"ok":true})");
  EXPECT_EQ(asked, "pause /hot");
  EXPECT_EQ(answer(R"({"verb":"resume"})"), R"({"ok":true})");
  EXPECT_EQ(asked, "resume ");
  EXPECT_EQ(answer(R"({"verb":"retry","job":"1","more":[]})"), R"({"ok":true})");
  EXPECT_EQ(asked, "retry 1");
  EXPECT_EQ(answer(R"({"verb":"again","job":"2"})"), R"({"ok":true})");
  EXPECT_EQ(asked, "again 2");
  EXPECT_EQ(answer(R"({"verb":"cancel","job":"bad"})"),
            "{\"ok\":false,\"message\":\"no \\\"such\\\" \xEF\xBF\xBD\"}");
  EXPECT_EQ(asked, "cancel bad");
  EXPECT_EQ(answer(R"({"verb":"cancel"})"),
            R"({"ok":false,"message":"`job`, the ID of the job, is missing"})");
  EXPECT_EQ(
      answer(R"({"verb":"dance"})"),
      R"({"ok":false,"message":"`verb` is list, page, pause, resume, retry, again, dismiss or cancel"})");
  EXPECT_EQ(answer(R"({"verb":"retry","job":1})"),
            R"({"ok":false,"message":"`verb`, `folder` and `job` are texts"})");
  EXPECT_EQ(
      answer(R"({"verb":"page"})"),
      R"({"ok":false,"message":"the watcher has no status page; start it with --http PORT"})");
  page = "http://127.0.0.1:9180/#token=1";
  EXPECT_EQ(answer(R"({"verb":"page"})"), R"({"ok":true,"url":"http://127.0.0.1:9180/#token=1"})");
  for (const char* request : {"", "[]", "{", "1"}) {
    EXPECT_EQ(answer(request),
              R"({"ok":false,"message":"a request is one JSON object on one line"})");
  }
  EXPECT_EQ(asked, "");
}

}  // namespace
}  // namespace mezzo::test::watch_requests_test
