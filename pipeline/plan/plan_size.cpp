#include "pipeline/plan/plan_size.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/base/error.h"
#include "manifests/plate_settings.h"
#include "pipeline/plan/job_plan.h"
#include "pipeline/text.h"

namespace mezzo::plan {
namespace {

// Measured, with the results of the run, and rounded up; a path is held several times.
constexpr uint64_t kPlateBytes = 768;
constexpr uint64_t kPageBytes = 2048;
constexpr uint64_t kCopiesOfPath = 4;

/// A job of a few thousand plates fits beside the program in what is kept back for it.
constexpr uint64_t kAlwaysAllowed = 8ULL << 20;

uint64_t most_bytes(uint64_t memory_bytes) {
  const uint64_t left = memory_bytes - std::min(memory_bytes, kProgramBytes);
  return std::max(kAlwaysAllowed, left / 4);
}

/// 0 for a page that is not there or cannot be read, which its sheet will say.
uint64_t ink_count(const tiff::TiffFile& file, uint32_t page, bool has_spots) {
  if (page >= file.page_count()) return 0;
  try {
    const PageInfo& info = file.page(page);
    return info.inks.size() + (has_spots ? info.extras.size() : 0);
  } catch (const Error&) {
    return 0;
  }
}

uint64_t longest_path(const manifests::PageSettings& settings) {
  size_t longest = 0;
  for (const std::string& path : manifests::plate_templates(settings)) {
    longest = std::max(longest, path.size());
  }
  return longest;
}

/// Of the settings of inks, which each sheet has.
uint64_t ink_bytes(const manifests::PageSettings& settings) {
  constexpr uint64_t kParameterBytes = 96;
  uint64_t bytes = 0;
  for (const manifests::InkSettings& ink : settings.inks) {
    bytes += sizeof ink + ink.ink.size() + ink.path.size() +
             kParameterBytes * ink.halftone.parameters.size() + ink.halftone.tile.path.size() +
             ink.halftone.tile.digest.size() + sizeof(CurvePoint) * ink.tone.points.size() +
             sizeof(manifests::InkShare) * ink.shares.size();
  }
  if (!settings.press) return bytes;
  for (const manifests::PressInk& ink : settings.press->inks) {
    bytes += sizeof ink + sizeof(std::string) * ink.names.size();
  }
  return bytes;
}

}  // namespace

PlanSize::PlanSize(const manifests::Job& job)
    : memory_bytes_(job.limits.memory_bytes), most_bytes_(most_bytes(job.limits.memory_bytes)) {}

void PlanSize::add(const manifests::JobPage& entry, const tiff::TiffFile& file) {
  const bool has_all = entry.pages.empty();
  const uint64_t pages = has_all ? file.page_count() : entry.pages.size();
  uint64_t plates = 0;
  const bool has_spots = entry.settings.extra_channels == "inks";
  for (uint64_t i = 0; i < pages; ++i) {
    plates += ink_count(file, has_all ? static_cast<uint32_t>(i) : entry.pages[i], has_spots);
  }
  plates_ += plates;
  const uint64_t path_bytes = kCopiesOfPath * longest_path(entry.settings);
  bytes_ += pages * (kPageBytes + kCopiesOfPath * entry.input.size() + ink_bytes(entry.settings)) +
            plates * (kPlateBytes + path_bytes);
  if (plates_ > kMaxPlates) {
    throw Error(ErrorKind::kLimit,
                fmt::format("with {} the job has {} plates, the limit is {}; split the job",
                            entry.input,
                            plates_,
                            kMaxPlates));
  }
  if (bytes_ <= most_bytes_) return;
  throw Error(ErrorKind::kLimit,
              fmt::format("with {} the plan of the job's {} would take about {}, and of its "
                          "memory limit of {} it may have {}; raise limits.memory or --memory, or "
                          "split the job",
                          entry.input,
                          counted(plates_, "plate"),
                          bytes_text(bytes_),
                          bytes_text(memory_bytes_),
                          bytes_text(most_bytes_)));
}

}  // namespace mezzo::plan
