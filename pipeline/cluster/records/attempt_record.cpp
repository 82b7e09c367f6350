#include "pipeline/cluster/records/attempt_record.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "kernels/base/error.h"
#include "kernels/registry.h"
#include "pipeline/cluster/records/plate_digest.h"
#include "pipeline/cluster/records/record_json.h"
#include "pipeline/log/log.h"
#include "pipeline/plan/plan.h"
#include "pipeline/plan/provenance.h"
#include "stages/files/temporary_name.h"

namespace mezzo::cluster {
namespace {

/// A node's name as part of a file's.
std::string name_part(const std::string& node) {
  constexpr size_t kMost = 40;
  const auto is_plain = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-';
  };
  std::string part;
  std::ranges::copy_if(node, std::back_inserter(part), is_plain);
  return part.substr(0, kMost);
}

/// As a journal names it.
std::string path_of(const plan::PlatePlan& plate) {
  return std::filesystem::absolute(plate.path).lexically_normal().string();
}

std::string beginning_of_name(const AttemptRecord::Facts& facts) {
  return fmt::format("{}-{}-{}", facts.unit, name_part(facts.node), ::getpid());
}

}  // namespace

AttemptRecord::AttemptRecord(const ClusterPlan& plan,
                             const Facts& facts,
                             std::map<std::string, std::vector<SealedPlate>> sealed)
    : file_(records_folder(plan), beginning_of_name(facts)), sealed_(std::move(sealed)) {
  Attempt attempt;
  attempt.plan = plan.id;
  attempt.unit = facts.unit;
  attempt.node = facts.node;
  attempt.writer = to_string(files::this_process());
  attempt.slurm_job = facts.slurm_job;
  attempt.gpus = facts.gpus;
  json::Value members = json::to_value(attempt);
  members["program"] = plan::provenance_software();
  members["threads"] = facts.threads;
  members["memory_bytes"] = facts.memory_bytes;
  file_.write(record_line("attempt", members));
  file_.sync();
  file_.sync_folder();
}

/// The sheet of the plan that a sheet of the job's plan is.
uint32_t AttemptRecord::sheet_of(const plan::SheetPlan& sheet) const {
  MZ_ASSERT(job_plan_ != nullptr);
  return sheets_.at(static_cast<size_t>(&sheet - job_plan_->sheets.data()));
}

void AttemptRecord::write_sealed(std::span<const SealedPlate> plates) {
  std::string lines;
  for (const SealedPlate& plate : plates) {
    SealedLine line{{}, plate};
    const auto sheet = sheet_by_plate_.find(plate.entry.plate);
    if (sheet != sheet_by_plate_.end()) line.sheet = sheet->second;
    lines += record_line("sealed", line);
  }
  file_.write(lines);
  file_.sync();
}

/// For the observer's calls, which must not throw.
void AttemptRecord::try_to(const std::function<void()>& write) {
  try {
    write();
  } catch (const std::exception& error) {
    if (!has_warned_) log::warn("the record of this attempt has gaps: {}", error.what());
    has_warned_ = true;
  }
}

void AttemptRecord::set_job_plan(const plan::JobPlan& job_plan, std::vector<uint32_t> sheets) {
  MZ_ASSERT(sheets.size() == job_plan.sheets.size());
  const std::lock_guard lock(mutex_);
  job_plan_ = &job_plan;
  sheets_ = std::move(sheets);
  sheet_by_plate_.clear();
  for (const plan::SheetPlan& sheet : job_plan.sheets) {
    for (const plan::PlatePlan& plate : sheet.plates) {
      sheet_by_plate_[path_of(plate)] = sheet_of(sheet);
    }
  }
}

void AttemptRecord::sheet_started(const plan::SheetPlan& sheet) {
  const std::lock_guard lock(mutex_);
  try_to([&] { file_.write(record_line("begun", BegunLine{sheet_of(sheet)})); });
}

void AttemptRecord::sheet_finished(const plan::SheetPlan& sheet, const run::SheetResult& result) {
  const std::lock_guard lock(mutex_);
  try_to([&] {
    if (result.already_done) {
      std::vector<SealedPlate> plates;
      for (const plan::PlatePlan& plate : sheet.plates) {
        auto found = found_.extract(path_of(plate));
        if (found) plates.push_back(std::move(found.mapped()));
      }
      if (!plates.empty()) write_sealed(plates);
    }
    const SheetEnd end{
        {}, std::string(to_string(sheet.engine)), sheet.schedule, sheet.schedule_reason, result};
    file_.write(record_line("sheet", SheetLine{sheet_of(sheet), end}));
  });
}

std::optional<resume::JournalEntry> AttemptRecord::find(const std::string& plate) const {
  const std::lock_guard lock(mutex_);
  const auto known = sealed_.find(plate);
  if (known == sealed_.end()) return std::nullopt;
  std::optional<DigestedFile> file;
  try {
    file = digest_file(plate);
  } catch (const Error& error) {
    log::warn("{}", error.what());  // this sheet's trouble, not the unit's
  }
  if (!file) return std::nullopt;
  const auto& sealed = known->second;
  const auto same = std::find_if(sealed.rbegin(), sealed.rend(), [&](const SealedPlate& one) {
    return one.file_digest == file->digest;
  });
  if (same == sealed.rend()) return std::nullopt;
  SealedPlate found = *same;
  found.entry.file = file->mark;
  found_.insert_or_assign(plate, found);
  return found.entry;
}

void AttemptRecord::forget() {
  const std::lock_guard lock(mutex_);
  sealed_.clear();
  found_.clear();
}

void AttemptRecord::enter(std::span<const resume::JournalEntry> entries) {
  std::vector<SealedPlate> plates;
  for (const resume::JournalEntry& entry : entries) {
    // Without one it is a plate that was found, and whose input was touched since.
    const std::string& path = entry.sealed_path.empty() ? entry.plate : entry.sealed_path;
    auto file = digest_file(path);
    if (!file) throw Error(ErrorKind::kIo, path + ": the file has vanished or is being changed");
    plates.push_back({entry, std::move(file->digest)});
    plates.back().entry.sealed_path.clear();
  }
  const std::lock_guard lock(mutex_);
  write_sealed(plates);
  for (const SealedPlate& plate : plates) {
    found_.erase(plate.entry.plate);
    sealed_[plate.entry.plate].push_back(plate);
  }
}

void AttemptRecord::end(int status) {
  const std::lock_guard lock(mutex_);
  file_.write(record_line("ended", EndedLine{status}));
  file_.sync();
}

}  // namespace mezzo::cluster
