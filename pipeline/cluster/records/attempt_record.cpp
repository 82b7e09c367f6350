#include "pipeline/cluster/records/attempt_record.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <mutex>

#include "kernels/base/error.h"
#include "kernels/registry.h"
#include "pipeline/cluster/records/plate_digest.h"
#include "pipeline/cluster/records/record_file.h"
#include "pipeline/cluster/records/record_json.h"
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

struct AttemptRecord::State {
  State(const ClusterPlan& plan,
        const Facts& facts,
        std::map<std::string, std::vector<SealedPlate>> plates)
      : file(records_folder(plan), beginning_of_name(facts)), sealed(std::move(plates)) {}

  /// The sheet of the plan that a sheet of the job's plan is.
  uint32_t sheet_of(const plan::SheetPlan& sheet) const {
    MZ_ASSERT(job_plan != nullptr);
    return sheets.at(static_cast<size_t>(&sheet - job_plan->sheets.data()));
  }

  std::optional<uint32_t> sheet_of_plate(const std::string& plate) const {
    const auto sheet = sheet_by_plate.find(plate);
    if (sheet == sheet_by_plate.end()) return std::nullopt;
    return sheet->second;
  }

  void write_sealed(std::span<const SealedPlate> plates) {
    std::string lines;
    for (const SealedPlate& plate : plates) {
      lines += record_line("sealed", SealedLine{sheet_of_plate(plate.entry.plate), plate});
    }
    file.write(lines);
    file.sync();
  }

  /// For the observer's calls, which must not throw.
  void try_to(const std::function<void()>& write) {
    try {
      write();
    } catch (const std::exception& error) {
      if (!has_warned) spdlog::warn("the record of this attempt has gaps: {}", error.what());
      has_warned = true;
    }
  }

  mutable std::mutex mutex;  ///< for the rest
  RecordFile file;
  std::map<std::string, std::vector<SealedPlate>> sealed;  ///< by path, oldest first
  std::map<std::string, SealedPlate> found;                ///< and not in our own record yet
  const plan::JobPlan* job_plan = nullptr;
  std::vector<uint32_t> sheets;
  std::map<std::string, uint32_t> sheet_by_plate;
  bool has_warned = false;
};

AttemptRecord::AttemptRecord(const ClusterPlan& plan,
                             Facts facts,
                             std::map<std::string, std::vector<SealedPlate>> sealed)
    : state_(std::make_unique<State>(plan, facts, std::move(sealed))) {
  name_ = state_->file.name();
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
  state_->file.write(record_line("attempt", members));
  state_->file.sync();
  state_->file.sync_folder();
}

AttemptRecord::~AttemptRecord() = default;

void AttemptRecord::set_job_plan(const plan::JobPlan& job_plan, std::vector<uint32_t> sheets) {
  MZ_ASSERT(sheets.size() == job_plan.sheets.size());
  const std::lock_guard lock(state_->mutex);
  state_->job_plan = &job_plan;
  state_->sheets = std::move(sheets);
  state_->sheet_by_plate.clear();
  for (const plan::SheetPlan& sheet : job_plan.sheets) {
    for (const plan::PlatePlan& plate : sheet.plates) {
      state_->sheet_by_plate[path_of(plate)] = state_->sheet_of(sheet);
    }
  }
}

void AttemptRecord::sheet_started(const plan::SheetPlan& sheet) {
  const std::lock_guard lock(state_->mutex);
  state_->try_to(
      [&] { state_->file.write(record_line("begun", BegunLine{state_->sheet_of(sheet)})); });
}

void AttemptRecord::sheet_finished(const plan::SheetPlan& sheet, const run::SheetResult& result) {
  const std::lock_guard lock(state_->mutex);
  state_->try_to([&] {
    if (result.already_done) {
      std::vector<SealedPlate> plates;
      for (const plan::PlatePlan& plate : sheet.plates) {
        auto found = state_->found.extract(path_of(plate));
        if (found) plates.push_back(std::move(found.mapped()));
      }
      if (!plates.empty()) state_->write_sealed(plates);
    }
    const SheetEnd end{
        {}, std::string(to_string(sheet.engine)), sheet.schedule, sheet.schedule_reason, result};
    state_->file.write(record_line("sheet", SheetLine{state_->sheet_of(sheet), end}));
  });
}

std::optional<resume::JournalEntry> AttemptRecord::find(const std::string& plate) const {
  const std::lock_guard lock(state_->mutex);
  const auto known = state_->sealed.find(plate);
  if (known == state_->sealed.end()) return std::nullopt;
  std::optional<DigestedFile> file;
  try {
    file = digest_file(plate);
  } catch (const Error& error) {
    spdlog::warn("{}", error.what());  // this sheet's trouble, not the unit's
  }
  if (!file) return std::nullopt;
  const auto& sealed = known->second;
  const auto same = std::find_if(sealed.rbegin(), sealed.rend(), [&](const SealedPlate& one) {
    return one.file_digest == file->digest;
  });
  if (same == sealed.rend()) return std::nullopt;
  SealedPlate found = *same;
  found.entry.file = file->mark;
  state_->found.insert_or_assign(plate, found);
  return found.entry;
}

void AttemptRecord::forget() {
  const std::lock_guard lock(state_->mutex);
  state_->sealed.clear();
  state_->found.clear();
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
  const std::lock_guard lock(state_->mutex);
  state_->write_sealed(plates);
  for (const SealedPlate& plate : plates) {
    state_->found.erase(plate.entry.plate);
    state_->sealed[plate.entry.plate].push_back(plate);
  }
}

void AttemptRecord::end(int status) {
  const std::lock_guard lock(state_->mutex);
  state_->file.write(record_line("ended", EndedLine{status}));
  state_->file.sync();
}

}  // namespace mezzo::cluster
