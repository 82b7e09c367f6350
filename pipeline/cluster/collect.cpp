#include "pipeline/cluster/collect.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>

#include "manifests/json/members.h"
#include "pipeline/cluster/merged_report.h"
#include "pipeline/cluster/records/attempt_reader.h"
#include "pipeline/exit_status.h"
#include "pipeline/log/log.h"
#include "stages/files/descriptor.h"
#include "stages/files/publish.h"

namespace mezzo::cluster {
namespace {

constexpr size_t kMostUselessSubmissions = 3;
/// The pause before units whose trouble may pass are tried again.
constexpr auto kPauseAfterTrouble = std::chrono::seconds(60);

/// A line of the plan's file `submissions`.
struct SubmissionLine {
  std::string plan;  ///< its id
  Submission submission;
};

std::string submissions_path(const ClusterPlan& plan) {
  return plan.path + "/submissions";
}

/// Appends a line, on disk when it returns; other writers' lines stay whole.
void append_line(const std::string& path, const std::string& line) {
  const files::Descriptor file(
      ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!file) throw files::file_error(path, "opening", errno, ErrorKind::kCannotCreate);
  const ssize_t written = ::write(file.get(), line.data(), line.size());
  int error = written < 0 ? errno : static_cast<size_t>(written) == line.size() ? 0 : ENOSPC;
  if (::fsync(file.get()) != 0 && error == 0) error = errno;
  if (error != 0) throw files::file_error(path, "noting a submission", error);
}

bool brought_nothing(const std::vector<Submission>& submissions, size_t settled) {
  if (submissions.size() < kMostUselessSubmissions) return false;
  return std::all_of(submissions.end() - kMostUselessSubmissions,
                     submissions.end(),
                     [settled](const Submission& one) { return one.settled >= settled; });
}

/// Whether an attempt at one of the units came to an end and said what was wrong.
bool met_trouble(const ClusterPlan& plan,
                 const std::vector<uint32_t>& units,
                 const std::vector<SheetStatus>& sheets) {
  return std::ranges::any_of(units, [&](uint32_t unit) {
    const auto first = sheets.begin() + plan.units[unit].first;
    return std::any_of(first, first + plan.units[unit].count, [](const auto& sheet) {
      return sheet.state == SheetState::kOpen && sheet.failure &&
             sheet.failure->kind != ErrorKind::kInterrupted;
    });
  });
}

/// `before`: the queue before the plates were looked at.
void hand_over_again(const ClusterPlan& plan,
                     ClusterEngine& engine,
                     const Queue& before,
                     bool insist,
                     Collected& collected) {
  const std::vector<uint32_t> open = open_units(plan, collected.sheets);
  if (open.empty()) return;
  // Again, as another collect may have handed it over meanwhile.
  const Queue now = before.answers ? engine.queue(plan) : before;
  if (!now.answers) {
    log::warn("{}", now.why);
    return;
  }
  std::vector<uint32_t> missing;
  for (const uint32_t unit : open) {
    const bool in_hand = before.has(unit) || now.has(unit);
    (in_hand ? collected.waiting : missing).push_back(unit);
  }
  if (missing.empty()) return;
  if (is_cancelled(plan)) {
    collected.cancelled = !insist;
    if (!insist) return;
    files::FileSystem::real().unlink(plan.path + "/cancelled");
  }
  if (!insist && brought_nothing(read_submissions(plan), collected.tally.settled())) {
    collected.given_up = true;
    return;
  }
  const bool at_once = insist || !met_trouble(plan, missing, collected.sheets);
  // Not nothing: the plan's own begin, which may be tomorrow by now, is for the first time alone.
  collected.again = submit_units(plan,
                                 engine,
                                 missing,
                                 collected.tally.settled(),
                                 at_once ? std::chrono::seconds(1) : kPauseAfterTrouble);
}

void describe(json::Members& members, SubmissionLine& line) {
  members.version(1);
  members("plan", line.plan);
  members("job_id", line.submission.job_id);
  members("time_ms", Milliseconds{line.submission.time});
  members("units", line.submission.units);
  members("settled", line.submission.settled);
}

}  // namespace

std::vector<uint32_t> open_units(const ClusterPlan& plan, const std::vector<SheetStatus>& sheets) {
  std::vector<uint32_t> units;
  for (uint32_t unit = 0; unit < plan.units.size(); ++unit) {
    const auto first = sheets.begin() + plan.units[unit].first;
    const bool is_open = std::any_of(first, first + plan.units[unit].count, [](const auto& sheet) {
      return sheet.state == SheetState::kOpen;
    });
    if (is_open) units.push_back(unit);
  }
  return units;
}

void mark_cancelled(const ClusterPlan& plan) {
  files::write_whole_file(plan.path + "/cancelled", plan.id + "\n");
}

bool is_cancelled(const ClusterPlan& plan) {
  std::ifstream file(plan.path + "/cancelled");
  std::string id;
  return std::getline(file, id) && id == plan.id;
}

std::vector<Submission> read_submissions(const ClusterPlan& plan) {
  std::vector<Submission> submissions;
  std::ifstream file(submissions_path(plan));
  for (std::string line; std::getline(file, line);) {
    try {
      auto read = json::from_value<SubmissionLine>(json::parse(line), json::Reading::kOpen);
      if (read.plan == plan.id) submissions.push_back(std::move(read.submission));
    } catch (const Error&) {
      continue;  // of another program, or damaged
    }
  }
  return submissions;
}

Submission submit_units(const ClusterPlan& plan,
                        ClusterEngine& engine,
                        const std::vector<uint32_t>& units,
                        size_t sheets_settled,
                        std::chrono::seconds delay) {
  Submission submission{.job_id = engine.submit(plan, units, delay),
                        .time = std::chrono::system_clock::now(),
                        .units = units.size(),
                        .settled = sheets_settled};
  const SubmissionLine line{plan.id, submission};
  append_line(submissions_path(plan), json::to_text(json::to_value(line)) + "\n");
  return submission;
}

int status_of_task(const Collected& collected) {
  if (collected.tally.open == 0) return collected.tally.failed > 0 ? kExitSomeFailed : kExitGood;
  const bool is_looked_after =
      collected.again || !collected.waiting.empty() || collected.given_up || collected.cancelled;
  return is_looked_after ? kExitSomeFailed : kExitTryAgain;
}

Collected collect(const ClusterPlan& plan, ClusterEngine* engine, bool insist) {
  Collected collected;
  // Else a unit that ends while plates are read would be open here, and not queued there.
  const Queue queue = engine != nullptr ? engine->queue(plan) : Queue{};
  const std::vector<Attempt> attempts = read_attempts(plan);
  collected.sheets = evaluate_sheets(plan, attempts, VerifyMode::kDigest);
  reopen(
      plan, [&](uint32_t unit) { return !queue.answers || queue.has(unit); }, collected.sheets);
  for (const SheetStatus& sheet : collected.sheets) {
    for (const std::string& warning : sheet.warnings) log::warn("{}", warning);
  }
  collected.tally = tally(collected.sheets);
  try {
    if (engine != nullptr) hand_over_again(plan, *engine, queue, insist, collected);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kDevice) throw;
    log::warn("{}", error.what());  // the report is due all the same
  }
  write_merged_report(plan, collected.sheets);
  const bool may_run = std::ranges::any_of(collected.sheets, &SheetStatus::may_run);
  if (collected.tally.open == 0 && (engine != nullptr || !may_run))
    remove_temporaries(plan, attempts);
  return collected;
}

}  // namespace mezzo::cluster
