// How large the plan of a job may become.
//
// A file of a few hundred KB may have 4,096 pages of 16 inks, and a job 5,000 such files: their plan
// alone would take gigabytes. It is counted before it is made.
#pragma once

#include <cstdint>

#include "manifests/job.h"
#include "stages/tiff/read/reader.h"

namespace mezzo::plan {

inline constexpr uint64_t kMaxPlates = 100'000;  ///< of a job

class PlanSize {
 public:
  explicit PlanSize(const manifests::Job& job);

  /// Adds the plates of an entry of the job. Throws Error(kLimit) when the job has too many, or its
  /// plan would take more than the part of the job's memory that it may have.
  void add(const manifests::JobPage& entry, const tiff::TiffFile& file);

  /// Memory of the plan so far, about.
  uint64_t bytes() const { return bytes_; }

 private:
  const uint64_t memory_bytes_;
  const uint64_t most_bytes_;
  uint64_t plates_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace mezzo::plan
