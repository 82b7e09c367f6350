// What an attempt at a unit did, line by line, in a file of its own on the shared file system, and
// all attempts read back.
//
// records/UNIT-NODE-PID-RANDOM.ndjson; each line is one object with "v": 1, "type" and "time" (ms
// since 1970, UTC):
//
//   attempt  the first: plan (its id), unit, node, writer, slurm_job, program, threads,
//            memory_bytes, gpus
//   begun    sheet (index of ClusterPlan::sheets)
//   sealed   sheet, plate, file_xxh3 ("xxh3:..."), file_bytes, and what else a JournalEntry holds:
//            the plate is about to get its name. Synced before it does.
//   sheet    sheet, engine, schedule, schedule_reason, error {kind, message}, result
//            (result_json.h): how it ended
//   ended    status: the last line of an attempt that was not killed
//
// A line that is cut off or damaged counts as not written. Two attempts at one unit may well run at
// once: a node that is taken for dead may be alive. They make the same bytes, so it does not matter
// whose plate stands there in the end.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pipeline/cluster/plan/cluster_plan.h"
#include "pipeline/resume/journal.h"
#include "pipeline/run/job_runner.h"

namespace mezzo::cluster {

using WallTime = std::chrono::system_clock::time_point;

/// A plate that was sealed by some attempt.
struct SealedPlate {
  resume::JournalEntry entry;  ///< its `file` is of the file when it was sealed, on that node
  std::string file_digest;     ///< "xxh3:...", of the whole file
};

/// How a sheet ended in an attempt.
struct SheetEnd {
  WallTime time;
  std::string engine, schedule, schedule_reason;
  run::SheetResult result;
};

struct Attempt {
  std::string name;  ///< of its file, without suffix
  std::string plan;  ///< id of the submission that it belongs to
  uint32_t unit = 0;
  std::string node;
  std::string writer;     ///< the process, as in its temporary names; empty in older records
  std::string slurm_job;  ///< "123_4"; empty outside of Slurm
  std::string gpus;       ///< as CUDA_VISIBLE_DEVICES had them
  WallTime began;
  WallTime last_heard;                        ///< time of its last line
  std::optional<int> status;                  ///< nothing: it runs, or was killed
  std::map<uint32_t, WallTime> begun;         ///< sheets
  std::map<uint32_t, SheetEnd> ended;         ///< sheets
  std::map<std::string, SealedPlate> sealed;  ///< by the plate's path; the last of each
};

/// All attempts whose files are in the plan's folder, also of earlier submissions, oldest first.
/// `unit`: only attempts at that one. A folder that is not there holds none. Throws Error(kIo).
std::vector<Attempt> read_attempts(const ClusterPlan& plan, std::optional<uint32_t> unit = {});

/// Plates that an earlier submission of the plan's folder sealed, in place of its attempts: writes
/// them to records/earlier.ndjson and removes the files of the attempts. Only when no attempt runs.
/// With `forget` they are all to be made again, though they still count as the plan's own, which
/// may be replaced. Throws Error.
void compact_records(const ClusterPlan& plan, bool forget);

/// Writers of those attempts in place of which earlier.ndjson stands that did not come to an end,
/// and may have left temporary files. Throws Error(kIo).
std::set<std::string> read_earlier_writers(const ClusterPlan& plan);

/// Plates of earlier.ndjson, by path. Throws Error(kIo).
std::map<std::string, SealedPlate> read_earlier(const ClusterPlan& plan);

/// Writes the record of this process's attempt, and is the journal of its run: what stands in
/// records is found only when the file under the plate's name has the digest of the record now.
/// Any thread. Throws Error (kIo, kDiskFull, kCannotCreate) from all but the observer's calls,
/// which only log.
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
                Facts facts,
                std::map<std::string, std::vector<SealedPlate>> sealed);
  ~AttemptRecord() override;

  /// Which sheet of the plan a sheet of the job's plan is: set it before the run.
  void set_job_plan(const plan::JobPlan& job_plan, std::vector<uint32_t> sheets);

  void sheet_started(const plan::SheetPlan& sheet) override;
  void sheet_finished(const plan::SheetPlan& sheet, const run::SheetResult& result) override;

  const std::string& damage() const override { return damage_; }
  std::optional<resume::JournalEntry> find(const std::string& plate) const override;
  void forget() override;
  void enter(std::span<const resume::JournalEntry> entries) override;

  /// The last line.
  void end(int status);

  const std::string& name() const { return name_; }

 private:
  struct State;
  std::string name_;
  std::string damage_;
  std::unique_ptr<State> state_;
};

}  // namespace mezzo::cluster
