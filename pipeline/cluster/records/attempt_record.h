// The record of this process's attempt at a unit, in a file of its own on the shared file system;
// see record_json.h for its lines.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/cluster/plan/cluster_plan.h"
#include "pipeline/cluster/records/attempt.h"
#include "pipeline/cluster/records/record_file.h"
#include "pipeline/resume/journal.h"
#include "pipeline/run/job_runner.h"

namespace mezzo::cluster {

/// Writes the record of this process's attempt, and is the journal of its run: it finds a recorded
/// plate only while the file under the plate's name has the recorded digest. Any thread. Throws
/// Error (kIo, kDiskFull, kCannotCreate) from all but the observer's calls, which only log.
class AttemptRecord final : public run::JobObserver, public resume::Journal {
 public:
  struct Facts {
    uint32_t unit = 0;
    std::string node, slurm_job, gpus;
    uint32_t threads = 0;
    uint64_t memory_bytes = 0;
  };

  /// `sealed`: plates that other attempts made, by path, the newest of each last.
  AttemptRecord(const ClusterPlan& plan,
                const Facts& facts,
                std::map<std::string, std::vector<SealedPlate>> sealed);

  /// The sheet of the plan for each sheet of the job's plan: set it before the run.
  void set_job_plan(const plan::JobPlan& job_plan, std::vector<uint32_t> sheets);

  void sheet_started(const plan::SheetPlan& sheet) override;
  void sheet_finished(const plan::SheetPlan& sheet, const run::SheetResult& result) override;

  const std::string& damage() const override { return damage_; }
  std::optional<resume::JournalEntry> find(const std::string& plate) const override;
  void forget() override;
  void enter(std::span<const resume::JournalEntry> entries) override;

  /// The last line.
  void end(int status);

  /// Of its file, without suffix.
  const std::string& name() const { return file_.name(); }

 private:
  uint32_t sheet_of(const plan::SheetPlan& sheet) const;
  void write_sealed(std::span<const SealedPlate> plates);
  void try_to(const std::function<void()>& write);

  const std::string damage_;  ///< none
  mutable std::mutex mutex_;  ///< for the rest
  RecordFile file_;
  std::map<std::string, std::vector<SealedPlate>> sealed_;  ///< by path, oldest first
  mutable std::map<std::string, SealedPlate> found_;        ///< and not in our own record yet
  const plan::JobPlan* job_plan_ = nullptr;
  std::vector<uint32_t> sheets_;
  std::map<std::string, uint32_t> sheet_by_plate_;
  bool has_warned_ = false;
};

}  // namespace mezzo::cluster
