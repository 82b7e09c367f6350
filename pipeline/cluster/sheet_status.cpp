#include "pipeline/cluster/sheet_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>

#include "kernels/base/error.h"
#include "pipeline/cluster/records/plate_digest.h"
#include "pipeline/text.h"

namespace mezzo::cluster {
namespace {

/// The files that attempts of this submission sealed for one plate, and the one that is there.
struct PlateEvidence {
  struct Candidate {
    const Attempt* attempt;
    const SealedPlate* sealed;
    bool is_there;
  };
  std::vector<Candidate> candidates;   ///< of the older attempts first
  std::optional<std::string> trouble;  ///< with reading the file, which then counts as not there
  bool is_there() const { return std::ranges::any_of(candidates, &Candidate::is_there); }
  /// The attempt's sealed file, when it is there.
  const SealedPlate* by(const Attempt& attempt) const {
    for (const Candidate& one : candidates) {
      if (one.attempt == &attempt && one.is_there) return one.sealed;
    }
    return nullptr;
  }
};

PlateEvidence inspect(const std::string& path,
                      const std::vector<const Attempt*>& attempts,
                      VerifyMode mode) {
  PlateEvidence plate;
  for (const Attempt* attempt : attempts) {
    const auto sealed = attempt->sealed.find(path);
    if (sealed != attempt->sealed.end()) {
      plate.candidates.push_back({attempt, &sealed->second, false});
    }
  }
  if (plate.candidates.empty()) return plate;
  const auto mark = files::mark_of(files::FileSystem::real(), path);
  if (!mark) return plate;
  const auto has_its_size = [&](const PlateEvidence::Candidate& one) {
    return one.sealed->entry.file.bytes == mark->bytes;
  };
  if (std::ranges::none_of(plate.candidates, has_its_size)) return plate;
  std::optional<DigestedFile> file;
  try {
    if (mode == VerifyMode::kDigest) file = digest_file(path);
  } catch (const Error& error) {
    plate.trouble = error.what();
  }
  for (PlateEvidence::Candidate& one : plate.candidates) {
    one.is_there = mode == VerifyMode::kSize ? has_its_size(one)
                                             : file && one.sealed->file_digest == file->digest;
  }
  return plate;
}

/// Deterministic programs seal equal files, so a difference is a warning.
std::optional<std::string> difference(const std::string& path, const PlateEvidence& plate) {
  for (const auto& one : plate.candidates) {
    const auto& first = plate.candidates.front();
    if (one.sealed->file_digest == first.sealed->file_digest) continue;
    return fmt::format(
        "{}: two attempts made different files of this plate, on {} and on {}; if its input did "
        "not change in between, one of these nodes is not to be trusted",
        path,
        first.attempt->node,
        one.attempt->node);
  }
  return std::nullopt;
}

const SheetEnd* end_of(const Attempt& attempt, uint32_t sheet) {
  const auto end = attempt.ended.find(sheet);
  return end == attempt.ended.end() ? nullptr : &end->second;
}

/// The sheet as planned, before any attempt.
run::SheetResult planned_result(const PlannedSheet& planned, uint32_t sheet) {
  run::SheetResult result;
  result.index = sheet;
  result.input = planned.page.input;
  result.pages = planned.page.pages;
  result.failure = planned.failure;
  return result;
}

class SheetEvaluation {
 public:
  SheetEvaluation(const ClusterPlan& plan,
                  uint32_t sheet,
                  const std::vector<const Attempt*>& attempts,
                  VerifyMode mode)
      : planned_(plan.sheets[sheet]), sheet_(sheet), attempts_(attempts) {
    for (const PlannedPlate& plate : planned_.plates) {
      const std::string path = std::filesystem::path(plate.path).lexically_normal().string();
      plates_.push_back(inspect(path, attempts, mode));
      if (auto warning = difference(path, plates_.back())) {
        status_.warnings.push_back(std::move(*warning));
      }
      if (plates_.back().trouble) status_.warnings.push_back(*plates_.back().trouble);
    }
    status_.result = planned_result(planned_, sheet);
  }

  SheetStatus evaluate(uint32_t most_tries, const std::string& running) {
    for (const Attempt* attempt : attempts_) {
      if (is_try(*attempt, running)) {
        ++status_.tries;
        last_try_ = attempt;
      }
    }
    find_failure();
    if (!plates_.empty() && std::ranges::all_of(plates_, &PlateEvidence::is_there)) {
      mark_done();
    } else if (last_failed_ != nullptr &&
               is_final(end_of(*last_failed_, sheet_)->result.failure->kind)) {
      status_.state = SheetState::kFailed;
    } else if (status_.tries >= std::max(most_tries, 1U)) {
      status_.may_run = end_of(*last_try_, sheet_) == nullptr;
      if (status_.may_run) mark_killed();
      // Without a failure it was made after all, and its plates were taken away since.
      if (status_.failure) status_.state = SheetState::kFailed;
    }
    return std::move(status_);
  }

 private:
  /// All plates that are there are this attempt's.
  bool made_what_is_there(const Attempt& attempt) const {
    return std::ranges::all_of(plates_, [&](const PlateEvidence& p) { return p.by(attempt); });
  }

  bool is_try(const Attempt& attempt, const std::string& running) const {
    const SheetEnd* end = end_of(attempt, sheet_);
    if (end != nullptr) {
      return end->result.failure && end->result.failure->kind != ErrorKind::kInterrupted;
    }
    return attempt.begun.contains(sheet_) && attempt.name != running &&
           !made_what_is_there(attempt);
  }

  /// The failure that was told last, if the sheet was not made after it.
  void find_failure() {
    const SheetEnd* last = nullptr;
    for (const Attempt* attempt : attempts_) {
      const SheetEnd* end = end_of(*attempt, sheet_);
      if (end == nullptr || (last != nullptr && end->time < last->time)) continue;
      if (end->result.failure && end->result.failure->kind == ErrorKind::kInterrupted) continue;
      last = end;
      last_failed_ = end->result.failure ? attempt : nullptr;
    }
    if (last == nullptr || last_failed_ == nullptr) return;
    take_facts(*last_failed_, last);
    status_.failure = last->result.failure;
  }

  void take_facts(const Attempt& attempt, const SheetEnd* end) {
    status_.node = attempt.node;
    const auto begun = attempt.begun.find(sheet_);
    status_.began = begun == attempt.begun.end() ? std::nullopt : std::optional(begun->second);
    status_.engine = end == nullptr ? "" : end->engine;
    status_.schedule = end == nullptr ? "" : end->schedule;
    status_.schedule_reason = end == nullptr ? "" : end->schedule_reason;
    if (end == nullptr) return;
    status_.result = end->result;
    status_.result.index = sheet_;
  }

  /// The part of the plates that are there that the attempt has recorded.
  int worth_of(const Attempt& attempt) const {
    if (!made_what_is_there(attempt)) return 0;
    const SheetEnd* end = end_of(attempt, sheet_);
    if (end == nullptr || end->result.failure) return 1;
    return end->result.already_done ? 2 : 3;
  }

  void mark_done() {
    status_.state = SheetState::kDone;
    status_.failure.reset();
    status_.result = {};
    const Attempt* maker = nullptr;
    for (const Attempt* attempt : attempts_) {
      const int worth = worth_of(*attempt);
      if (worth > 0 && (maker == nullptr || worth >= worth_of(*maker))) maker = attempt;
    }
    if (maker != nullptr) {
      const bool is_reported = worth_of(*maker) > 1;
      take_facts(*maker, is_reported ? end_of(*maker, sheet_) : nullptr);
      if (is_reported) return;
    } else {
      // Each plate is there, but no attempt made all of them.
      take_facts(*first_there(plates_.back()).attempt, nullptr);
    }
    status_.result = result_of_plates(maker);
  }

  static const PlateEvidence::Candidate& first_there(const PlateEvidence& plate) {
    return *std::ranges::find_if(plate.candidates, &PlateEvidence::Candidate::is_there);
  }

  /// Of a sheet whose maker was killed before it could tell of it.
  run::SheetResult result_of_plates(const Attempt* maker) const {
    run::SheetResult result = planned_result(planned_, sheet_);
    result.pixels = planned_.pixels;
    for (size_t i = 0; i < plates_.size(); ++i) {
      const SealedPlate* sealed = maker != nullptr ? plates_[i].by(*maker) : nullptr;
      const resume::JournalEntry& entry = (sealed ? sealed : first_there(plates_[i]).sealed)->entry;
      result.plates.push_back({planned_.plates[i].ink,
                               planned_.plates[i].path,
                               entry.compression,
                               entry.file.bytes,
                               entry.content_sum,
                               entry.coverage_percent});
      result.input_bytes = entry.input_file.bytes;
    }
    return result;
  }

  /// The last try has no end.
  void mark_killed() {
    take_facts(*last_try_, nullptr);
    status_.failure = run::Failure{
        ErrorKind::kOutOfMemory,
        fmt::format("{}: the attempt on {} was killed while it made this sheet, after {} in all: "
                    "for lack of memory, by the scheduler, or with its node",
                    planned_.page.input,
                    last_try_->node,
                    status_.tries == 1 ? "one try" : fmt::format("{} tries", status_.tries))};
    status_.result = planned_result(planned_, sheet_);
    status_.result.failure = status_.failure;
  }

  const PlannedSheet& planned_;
  const uint32_t sheet_;
  const std::vector<const Attempt*>& attempts_;
  std::vector<PlateEvidence> plates_;
  const Attempt* last_try_ = nullptr;
  const Attempt* last_failed_ = nullptr;
  SheetStatus status_;
};

/// The standing of a sheet that failed in planning. Files with its plates' names, if any, are not
/// its own.
SheetStatus failed_in_plan(const PlannedSheet& planned, uint32_t sheet) {
  SheetStatus status;
  status.state = SheetState::kFailed;
  status.failure = planned.failure;
  status.result = planned_result(planned, sheet);
  return status;
}

}  // namespace

std::vector<SheetStatus> evaluate_sheets(const ClusterPlan& plan,
                                         const std::vector<Attempt>& attempts,
                                         VerifyMode mode,
                                         std::optional<uint32_t> unit,
                                         const std::string& running) {
  std::vector<std::vector<const Attempt*>> by_unit(plan.units.size());
  for (const Attempt& attempt : attempts) {
    if (attempt.plan == plan.id && attempt.unit < by_unit.size()) {
      by_unit[attempt.unit].push_back(&attempt);
    }
  }
  std::vector<const std::vector<const Attempt*>*> by_sheet(plan.sheets.size());
  for (size_t u = 0; u < by_unit.size(); ++u) {
    const Unit& range = plan.units[u];
    std::fill_n(by_sheet.begin() + range.first, range.count, &by_unit[u]);
  }
  const Unit wanted = unit ? plan.units.at(*unit) : Unit{0, static_cast<uint32_t>(by_sheet.size())};
  const std::vector<const Attempt*> nobody;
  std::vector<SheetStatus> all;
  for (uint32_t i = wanted.first; i < wanted.first + wanted.count; ++i) {
    if (plan.sheets[i].failure) {
      all.push_back(failed_in_plan(plan.sheets[i], i));
      continue;
    }
    SheetEvaluation sheet(plan, i, by_sheet[i] != nullptr ? *by_sheet[i] : nobody, mode);
    all.push_back(sheet.evaluate(plan.task.tries, running));
  }
  return all;
}

void reopen(const ClusterPlan& plan,
            const std::function<bool(uint32_t unit)>& is_in_hand,
            std::vector<SheetStatus>& statuses) {
  MZ_ASSERT(statuses.size() == plan.sheets.size());
  for (uint32_t unit = 0; unit < plan.units.size(); ++unit) {
    const Unit& range = plan.units[unit];
    for (SheetStatus& sheet : std::span(statuses).subspan(range.first, range.count)) {
      if (!sheet.may_run || !is_in_hand(unit)) continue;
      sheet.may_run = false;
      sheet.state = SheetState::kOpen;
      sheet.failure.reset();  // not known yet
      sheet.result.failure.reset();
    }
  }
}

Tally tally(const std::vector<SheetStatus>& statuses) {
  Tally tally;
  for (const SheetStatus& sheet : statuses) {
    tally.done += sheet.state == SheetState::kDone;
    tally.failed += sheet.state == SheetState::kFailed;
    tally.open += sheet.state == SheetState::kOpen;
  }
  return tally;
}

std::string progress_text(const Tally& tally) {
  const size_t sheets = tally.settled() + tally.open;
  std::string text = fmt::format("{} of {} made", tally.done, counted(sheets, "sheet"));
  if (tally.failed > 0) text += fmt::format(", {} failed", tally.failed);
  return text;
}

bool is_final(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
    case ErrorKind::kData:
    case ErrorKind::kUnsupported:
    case ErrorKind::kLimit:
    case ErrorKind::kChecksum:
      return true;
    default:
      return false;
  }
}

}  // namespace mezzo::cluster
