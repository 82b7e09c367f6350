// How large the plan of a job may become.
//
// A file of a few hundred KB may have 4,096 pages of 16 inks, and a job 5,000 such files: their plan
// alone would take gigabytes. It is counted before it is made.
#pragma once

#include <cstdint>
#include <string>

#include "manifests/job.h"
#include "stages/tiff/read/reader.h"

namespace mezzo::plan {

inline constexpr uint64_t kMaxPlates = 100'000;  ///< of a job

class PlanSize {
 public:
  explicit PlanSize(const manifests::Job& job);

  /// Adds the plates of an entry of the job; `press_inks`: that its colours are converted to, 0 for
  /// none. Throws Error(kLimit) when the job has too many. False when the plan would take more than the
  /// part of the job's memory that it may have: then the other entries are added alone, and refuse()
  /// throws.
  bool add(const manifests::JobPage& entry, const tiff::TiffFile& file, uint32_t press_inks);

  /// Throws Error(kLimit) when the plan would take too much, with the limit that would do.
  void refuse_too_much() const;

  /// Memory of the plan so far, about.
  uint64_t bytes() const { return bytes_; }

 private:
  const uint64_t memory_bytes_;
  const uint64_t most_bytes_;
  uint64_t plates_ = 0;
  uint64_t bytes_ = 0;
  std::string entry_ = {};  ///< with which it is too much
};

}  // namespace mezzo::plan
