// Attempts at units, as read from their records; see record_json.h for the files.
//
// Two attempts at one unit may run at once, as a node that counts as dead may be alive. They make
// the same bytes, so either's plate may be the final one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "pipeline/resume/journal.h"
#include "pipeline/run/result.h"
#include "pipeline/wall_time.h"

namespace mezzo::cluster {

/// A plate that an attempt sealed.
struct SealedPlate {
  resume::JournalEntry entry;  ///< its `file` is of the file when it was sealed, on that node
  std::string file_digest;     ///< "xxh3:...", of the whole file
};

/// The end of a sheet in an attempt.
struct SheetEnd {
  WallTime time;
  std::string engine, schedule, schedule_reason;
  run::SheetResult result;  ///< its index is that of the sheet in the plan
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

}  // namespace mezzo::cluster
