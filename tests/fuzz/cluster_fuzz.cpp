// The folder of a cluster's plan, in which a stranger may have written: plan.json, or lines of records. A plan
// that passes its check is written as it was read, and cut into units; records are judged whatever they say.

#include <algorithm>
#include <filesystem>

#include "pipeline/cluster/plan/plan_check.h"
#include "pipeline/cluster/plan/plan_json.h"
#include "pipeline/cluster/plan/sheet_plan.h"
#include "pipeline/cluster/records/attempt_reader.h"
#include "pipeline/cluster/records/record_json.h"
#include "pipeline/cluster/sheet_status.h"
#include "tests/fuzz/json_tokens.h"
#include "tests/fuzz/support.h"

namespace mezzo::fuzz {
namespace {

using cluster::ClusterPlan;

constexpr std::string_view kTokens[] = {"\"v\":1",
                                        "\"v\":2",
                                        "\"type\":\"plan\"",
                                        "\"type\":\"attempt\"",
                                        "\"type\":\"begun\"",
                                        "\"type\":\"sealed\"",
                                        "\"type\":\"sheet\"",
                                        "\"type\":\"ended\"",
                                        "\"type\":\"killed\"",
                                        "\"sheet\":",
                                        "\"unit\":",
                                        "\"first\":",
                                        "\"count\":",
                                        "\"units\":",
                                        "\"sheets\":",
                                        "\"jobs\":",
                                        "\"plates\":",
                                        "\"pages\":[1]",
                                        "\"pages\":",
                                        "\"method\":\"bayer\"",
                                        "\"parameters\":{",
                                        "\"points\":[[0.0,0.0],[100.0,100.0]]",
                                        "\"settings\":{",
                                        "\"tone.curve\":[[0.0,0.0],[100.0,100.0]]",
                                        "\"tone\":",
                                        "\"levels\":",
                                        "\"drops\":",
                                        "\"tile\":",
                                        "\"inks\":",
                                        "\"proof\":",
                                        "\"colours\":",
                                        "\"curves\":",
                                        "\"crop\":",
                                        "\"copies\":",
                                        "\"across\":",
                                        "\"copies.across\":",
                                        "\"levels.drops\":",
                                        "\"output.path\":",
                                        "\"failure\":{\"kind\":\"data\",\"message\":\"x\"}",
                                        "\"path\":",
                                        "\"engine\":\"cpu\"",
                                        "\"engine\":\"slurm\"",
                                        "\"made\":\"2026-11-22T09:14:09.934Z\"",
                                        "\"time\":",
                                        "\"status\":",
                                        "\"writer\":",
                                        "\"file\":\"442 1 2 3\"",
                                        "\"xxh3\":",
                                        "FOLDER",
                                        "/plan/plates/",
                                        "{ink}",
                                        "{page}",
                                        "\"drop_bit\":",
                                        "\"gpus\":"};

/// Paths of the examples are of a folder that is not named.
std::string with_folder(std::string text) {
  for (size_t at = 0; (at = text.find("FOLDER", at)) != std::string::npos;)
    text.replace(at, 6, "/f");
  for (size_t at = 0; (at = text.find("\"TIME\"", at)) != std::string::npos;) {
    text.replace(at, 6, "\"2026-11-22T09:14:09.934Z\"");
  }
  for (size_t at = 0; (at = text.find("\"PLAN\"", at)) != std::string::npos;) {
    text.replace(at, 6, "\"6394510a695f\"");
  }
  return text;
}

const ClusterPlan& known_plan() {
  static const ClusterPlan plan = [] {
    ClusterPlan read = cluster::parse_plan(
        with_folder(text_of(source_file("tests/golden/old/plan/job.plan/plan.json"))));
    read.path = scratch() / "job.plan";
    std::filesystem::create_directories(cluster::records_folder(read));
    return read;
  }();
  return plan;
}

void check_units(const ClusterPlan& plan) {
  size_t sheets = 0;
  for (uint32_t unit = 0; unit < plan.units.size(); ++unit) {
    sheets += cluster::job_of_unit(plan, unit).pages.size();
  }
  const auto failed =
      std::ranges::count_if(plan.sheets, [](const auto& one) { return one.failure.has_value(); });
  demand(sheets <= plan.sheets.size() && sheets + static_cast<size_t>(failed) >= plan.sheets.size(),
         "units have other sheets than their plan");
  cluster::job_of_plan(plan);
  for (const cluster::PlannedSheet& sheet : plan.sheets) cluster::sheet_plan_of(sheet);
}

bool check_plan_text(const std::string& text) {
  ClusterPlan plan;
  const bool is_good = passes([&] {
    plan = cluster::parse_plan(text);
    cluster::check_plan(plan);
  });
  if (!is_good) return false;
  const std::string written = cluster::plan_text(plan);
  passes([&] {
    const ClusterPlan again = cluster::parse_plan(written);
    cluster::check_plan(again);
    demand(cluster::plan_text(again) == written, "a plan is written as another:\n" + written);
    return;
  })
      ? void()
      : found("a plan that was written is refused:\n" + written);
  check_units(plan);
  return true;
}

template <typename T>
void check_line(const cluster::RecordLine& line) {
  T read{};
  if (!passes([&] { read = line.as<T>(); })) return;
  const std::string written = cluster::record_line(line.type(), read);
  demand(written.ends_with('\n') && std::ranges::count(written, '\n') == 1,
         "a record of several lines");
  const auto again =
      cluster::RecordLine::parse(std::string_view(written).substr(0, written.size() - 1));
  demand(again.has_value(), "a record that was written is damaged: " + written);
}

/// Whether a line of the text is one of a record.
bool check_lines(const std::string& text) {
  bool is_record = false;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const auto line = cluster::RecordLine::parse(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
    if (!line) continue;
    is_record = true;
    passes([&] { line->time(); });
    check_line<cluster::Attempt>(*line);
    check_line<cluster::BegunLine>(*line);
    check_line<cluster::SealedLine>(*line);
    check_line<cluster::SheetLine>(*line);
    check_line<cluster::EndedLine>(*line);
    check_line<cluster::KilledLine>(*line);
  }
  return is_record;
}

void check_records(const Bytes& input) {
  const ClusterPlan& plan = known_plan();
  scratch_file("job.plan/records/0-press-4711-0123abcd.ndjson", input);
  scratch_file("job.plan/records/earlier.ndjson", input);
  passes([&] {
    const auto attempts = cluster::read_attempts(plan);
    cluster::read_earlier(plan);
    cluster::read_earlier_writers(plan);
    const auto statuses = cluster::evaluate_sheets(plan, attempts, cluster::VerifyMode::kSize);
    demand(statuses.size() == plan.sheets.size(), "a status for other sheets");
    for (const auto& status : statuses) {
      demand(status.state != cluster::SheetState::kDone,
             "a sheet is done, and its plates are not there");
    }
    cluster::progress_text(cluster::tally(statuses));
  });
}

}  // namespace

std::vector<Bytes> seeds() {
  const auto read = [](const std::string& path) {
    return bytes_of(with_folder(text_of(source_file(path))));
  };
  return {read("tests/golden/expected/formats/plan.json"),
          read("tests/golden/old/plan/job.plan/plan.json"),
          read("tests/golden/old/plan/job.plan/records/0-press-4711-0123abcd.ndjson")};
}

void change(Bytes& input, Random& random) {
  if (random.one_in(8)) return change_bytes(input, random);
  change_json(input, random, kTokens);
}

void mend(Bytes&) {}

bool run(const Bytes& input) {
  const std::string text = text_of(input);
  const bool is_plan = check_plan_text(text), is_record = check_lines(text);
  if (is_record) check_records(input);
  return is_plan || is_record;
}

}  // namespace mezzo::fuzz
