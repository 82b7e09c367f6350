// What a job will do, worked out before it starts: sheets, plates and their names, bands, memory,
// disk and time. What cannot run is found here, and is refused with the name of what is short.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/halftoner_traits.h"
#include "kernels/settings.h"
#include "manifests/job.h"
#include "pipeline/plan/band_plan.h"
#include "pipeline/run/result.h"
#include "stages/page_info.h"
#include "stages/tiff/plate/writer.h"

namespace mezzo::plan {

struct PlatePlan {
  std::string ink;
  std::string path;
  bool is_ours = false;  ///< an earlier run of the job made what stands there; see resume.h
};

/// The unit of work: plates are published together with all their pages. A multi-page file is one
/// sheet, or one a page when the output path names {page}.
struct SheetPlan {
  std::string input;
  std::optional<std::string> sha256;
  manifests::PageSettings settings;
  std::vector<uint32_t> pages;  ///< of the file, from 0
  std::vector<PageInfo> infos;  ///< one a page
  std::vector<BandPlan> bands;  ///< one a page
  std::vector<PlatePlan> plates;
  tiff::Compression compression = tiff::Compression::kAutomatic;
  HalftonerTraits traits;        ///< of the halftoner
  Engine engine = Engine::kCpu;  ///< that it will run on
  std::string schedule;          ///< that it will run, and why
  std::string schedule_reason;
  uint64_t memory_bytes = 0;
  uint64_t raw_bytes = 0;                ///< of all plates, uncompressed
  uint64_t pixels = 0;                   ///< of all planes
  std::optional<run::Failure> failure;   ///< set: the sheet cannot run
  std::optional<run::SheetResult> done;  ///< set: an earlier run made its plates; see resume.h
};

struct JobPlan {
  std::string job;
  std::string folder;  ///< that inputs' paths start from, as the manifest has them
  std::vector<SheetPlan> sheets;
  uint32_t threads = 1;
  uint64_t memory_bytes = 0;         ///< budget
  uint64_t device_memory_bytes = 0;  ///< of each GPU, as JobLimits has it
  uint64_t raw_bytes = 0;  ///< disk space that the plates need at most when compression is auto
  uint64_t pixels = 0;
  files::FileSystem* files = &files::FileSystem::real();  ///< that all paths of the job go through
};

/// Opens every input for its tags. Where the engine is 'auto', the settings of the plan's sheets
/// name the one that was chosen; the first job of a machine that may profit from its GPU measures
/// that for about half a second (gpu_costs.h). Never throws for a page: what is wrong with one is
/// in its sheet.
JobPlan make_plan(const manifests::Job& job, const PlanOptions& options = {});

/// Marks the sheets whose uncompressed plates need more than their disk has free, those that are
/// done already left out. Other plates may turn out smaller than any bound, and say when the disk
/// is full.
void refuse_full_disk(JobPlan& plan);

/// Memory that the program takes before the first band, and that the plan keeps back.
inline constexpr uint64_t kProgramBytes = 40ULL << 20;

/// The least budget that a job may have.
inline constexpr uint64_t kLeastMemoryBytes = kProgramBytes + (8ULL << 20);

/// About how long the job will take, s; measures the CPU's methods for some milliseconds, and takes
/// what is known of the GPU. Nothing where a search is to run on a GPU, of which none is measured,
/// or takes as long as it is given.
std::optional<double> estimate_seconds(const JobPlan& plan);

/// Processors that this process may run on.
uint32_t available_threads();

}  // namespace mezzo::plan
