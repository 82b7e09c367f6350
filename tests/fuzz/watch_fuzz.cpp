// Texts that reach a watcher: records in .work, lines of a worker, requests, a view of another watcher, and
// names of dropped files. A stranger may have written each.

#include <algorithm>
#include <chrono>
#include <deque>

#include "kernels/base/utf8.h"
#include "manifests/json/value.h"
#include "pipeline/text.h"
#include "pipeline/watch/folder/entry_names.h"
#include "pipeline/watch/folder/job_record.h"
#include "pipeline/watch/job/worker_report.h"
#include "pipeline/watch/view/view_json.h"
#include "pipeline/watch/view/watch_requests.h"
#include "stages/files/file_mark.h"
#include "stages/files/temporary_name.h"
#include "tests/fuzz/json_tokens.h"
#include "tests/fuzz/support.h"

namespace mezzo::fuzz {
namespace {

constexpr std::string_view kTokens[] = {"\"v\":1",
                                        "\"kind\":\"pages\"",
                                        "\"kind\":\"ticket\"",
                                        "\"kind\":\"folder\"",
                                        "\"kind\":\"loose\"",
                                        "\"files\":",
                                        "\"inside\":\"../x\"",
                                        "\"name\":\"a/b\"",
                                        "\"inode\":",
                                        "\"manifest\":",
                                        "\"end\":\"incomplete\"",
                                        "\"reason\":",
                                        "\"type\":\"begun\"",
                                        "\"type\":\"pulse\"",
                                        "\"type\":\"paused\"",
                                        "\"type\":\"continued\"",
                                        "\"type\":\"diagnostic\"",
                                        "\"type\":\"error\"",
                                        "\"type\":\"sheet\"",
                                        "\"type\":\"job\"",
                                        "\"pixels\":",
                                        "\"pixels_done\":",
                                        "\"plates\":",
                                        "\"file_bytes\":",
                                        "\"coverage_percent\":",
                                        "\"error\":{\"kind\":\"data\"}",
                                        "\"message\":",
                                        "\"hint\":",
                                        "\"ok\":true",
                                        "\"already_done\":true",
                                        "\"verb\":\"list\"",
                                        "\"verb\":\"pause\"",
                                        "\"verb\":\"retry\"",
                                        "\"verb\":\"cancel\"",
                                        "\"verb\":\"page\"",
                                        "\"job\":",
                                        "\"folder\":",
                                        "\"state\":\"done\"",
                                        "\"running\":",
                                        "\"waiting\":",
                                        "\"finished\":",
                                        "\"stuck\":",
                                        "\"disks\":",
                                        "\"since\":",
                                        "\"turned\":",
                                        ".tif",
                                        ".yaml",
                                        ".part",
                                        ".tmp",
                                        "(2)",
                                        ".a.tif.12-0123456789abcdef0123456789abcdef-1a2b3c4d.part",
                                        "1 2 3 4"};

void demand_line(const std::string& text, const std::string& what) {
  demand(is_clean_text(text), what + " is no clean line: " + text);
}

bool check_record(const std::string& text) {
  const auto record = watch::parse_record(text);
  if (!record) return false;
  for (const watch::RecordedFile& file : record->files) {
    for (const std::string& name : {file.name, file.inside}) {
      demand(!name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos,
             "a record names a file elsewhere: " + name);
    }
  }
  const auto again = watch::parse_record(watch::to_text(*record));
  demand(again && watch::to_text(*again) == watch::to_text(*record),
         "a record is written as another");
  return true;
}

bool check_worker(const std::string& text) {
  watch::WorkerReport report(text.size() % 2 == 0);
  bool is_ours = false;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const auto line = report.add(std::string_view(text).substr(begin, end - begin));
    is_ours |= line != watch::WorkerReport::Line::kNotOurs;
    begin = end + 1;
  }
  demand(report.plates().size() <= watch::WorkerReport::kPlatesKept, "more plates than are kept");
  if (report.paused()) demand(!report.paused()->reason.empty(), "a pause without a reason");
  const std::deque<std::string> messages = {"first", text.substr(0, 300)};
  for (const auto& [signal, status] :
       {std::pair(0, 0), {9, 0}, {11, 0}, {0, 1}, {0, 65}, {0, 75}, {0, 127}}) {
    process::WorkerEnd end;
    end.signal = signal;
    end.exit_status = status;
    const watch::Outcome outcome = report.outcome(end, messages);
    demand_line(outcome.reason, "the reason of an outcome");
    demand_line(outcome.advice, "advice");
    demand((outcome.kind == watch::RunOutcome::kGood) == outcome.reason.empty(),
           "an outcome without a reason");
  }
  return is_ours;
}

bool check_request(const std::string& text) {
  watch::WatchVerbs verbs;
  verbs.list = [] { return watch::WatchView(); };
  verbs.change = [](const std::string& verb, const std::string&) {
    return std::string(verb == "pause" ? "no such folder" : "");
  };
  verbs.page = [] { return std::string(); };
  const json::Value reply = json::parse(watch::answer_request(text, verbs, WallTime()));
  const json::Value* ok = reply.find("ok");
  demand(ok != nullptr && ok->flag() != nullptr, "a reply without 'ok'");
  return *ok->flag();
}

bool check_view(const std::string& text) {
  const json::Value object = json::parse_or_null(text);
  if (object.members() == nullptr) return false;
  const WallTime now{};
  const std::string view = watch::view_json(watch::parse_view(object), now, true);
  const std::string again = watch::view_json(watch::parse_view(json::parse(view)), now, true);
  demand(view == again, "a view is written as another:\n" + view + "\n" + again);
  return object.find("folders") != nullptr;
}

void check_names(const std::string& text) {
  const std::string name = text.substr(0, 255);
  demand(one_line(text).size() <= 503 && is_clean_text(one_line(text)), "a line is not clean");
  const std::string printable = watch::printable_name(name);
  demand(printable.size() <= 240 && is_clean_text(printable), "a name cannot be printed");
  watch::kind_of_name(name);
  watch::stem_of(name);
  const std::string job = watch::job_name_for(name);
  demand(!job.empty() && job.size() <= 120, "a job without a name");
  demand(watch::name_problem(name) || is_clean_text(job),
         "a job whose name cannot be shown: " + job);
  if (!name.empty() && name.find('/') == std::string::npos) {
    for (const size_t number : {size_t{1}, size_t{2}, size_t{100'000}}) {
      const std::string numbered = watch::numbered_name(name, number, ".error.txt");
      demand(numbered.size() <= 255 && numbered.find('/') == std::string::npos,
             "a numbered name is too long");
    }
  }
  files::Writer writer;
  files::final_name_of(name, writer);
  if (const auto mark = files::parse_file_mark(name)) {
    demand(files::parse_file_mark(to_string(*mark)) == mark, "a mark is written as another");
  }
}

Bytes view_of_a_watcher() {
  watch::WatchView view;
  view.folders.push_back({.path = "/hot", .trouble = "gone", .waiting = 2});
  watch::JobView job = {
      .id = "a-1", .folder = "/hot", .name = "cover", .state = watch::JobState::kRetrying};
  job.plates.push_back({.ink = "cyan", .path = "/hot/plates/c.tif", .coverage_percent = 12.5});
  job.files = {"/hot/failed/a.tif"};
  view.running.push_back(job);
  view.stuck.push_back(
      {.folder = "/hot", .name = "milk", .message = "waits", .missing = {"magenta"}});
  view.disks.push_back(
      {.path = "/mnt", .free_bytes = 1, .total_bytes = 2, .missing_bytes = 3, .folder = "/hot"});
  return bytes_of(watch::view_json(view, WallTime{}, true));
}

}  // namespace

std::vector<Bytes> seeds() {
  return {source_file("tests/golden/old/pages/hot/.work/20261122-091411-6236b71e202ec9a4/record"),
          source_file("tests/golden/old/ticket/hot/.work/20261122-091412-ba8ca2e7d4da7fbe/record"),
          view_of_a_watcher(),
          bytes_of("{\"verb\":\"list\"}"),
          bytes_of("{\"verb\":\"retry\",\"job\":\"20261122-1\"}"),
          bytes_of(
              "{\"type\":\"begun\",\"pixels\":100}\n{\"type\":\"pulse\",\"pixels_done\":50}\n"
              "{\"type\":\"paused\",\"reason\":\"no space\",\"folder\":\"/p\",\"wanted_bytes\":5}\n"
              "{\"type\":\"sheet\",\"ok\":true,\"seconds\":1.5,\"pixels\":100,\"plates\":[{\"ink\":"
              "\"cyan\","
              "\"path\":\"/p/c.tif\",\"coverage_percent\":3.5,\"file_bytes\":9}]}\n"
              "{\"type\":\"diagnostic\",\"file\":\"j.yaml\",\"line\":3,\"message\":\"no\",\"hint\":"
              "\"do\"}\n"
              "{\"type\":\"error\",\"kind\":\"io\",\"message\":\"m\"}\n{\"type\":\"job\",\"ok\":"
              "true}\n")};
}

void change(Bytes& input, Random& random) {
  if (random.one_in(8)) return change_bytes(input, random);
  change_json(input, random, kTokens);
}

void mend(Bytes&) {}

bool run(const Bytes& input) {
  const std::string text = text_of(input);
  check_names(text);
  bool is_taken = check_record(text);
  is_taken |= check_worker(text);
  is_taken |= check_request(text);
  is_taken |= check_view(text);
  return is_taken;
}

}  // namespace mezzo::fuzz
