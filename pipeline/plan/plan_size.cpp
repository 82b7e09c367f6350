#include "pipeline/plan/plan_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

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

/// Of what is left of the memory.
constexpr uint64_t kPart = 4;

/// More than a job of the most plates takes with short paths, in what a check may take (tests/ordeals/large_check.py).
constexpr uint64_t kMostBytes = 200ULL << 20;

/// A job of a few thousand plates fits beside the program in what is kept back for it.
uint64_t most_bytes(uint64_t memory_bytes) {
  const uint64_t left = memory_bytes - std::min(memory_bytes, kProgramBytes);
  return std::clamp(left / kPart, kPlanBytes, kMostBytes);
}

/// Plates of an ink by its settings, or by those of its page: one, or one for each bit of its levels.
uint64_t plates_of(const std::optional<LevelSettings>& levels) {
  if (!levels || levels->format != LevelFormat::kPlanes) return 1;
  return static_cast<uint64_t>(std::bit_width(std::max<size_t>(levels->drops.size(), 2) - 1));
}

/// Those of the page's own inks, and those that are second plates of them.
uint64_t plates_of(const manifests::PageSettings& settings, uint64_t inks) {
  uint64_t most = plates_of(settings.halftone.levels), seconds = 0;
  for (const manifests::InkSettings& ink : settings.inks) {
    most = std::max(most, plates_of(ink.halftone.levels));
    if (!ink.from.empty()) ++seconds;
  }
  return (inks + seconds) * most;
}

/// 0 for a page that is not there or cannot be read, which its sheet will say.
uint64_t ink_count(const tiff::TiffFile& file, uint32_t page, bool has_spots, uint64_t press_inks) {
  if (page >= file.page_count()) return 0;
  try {
    const PageInfo& info = file.page(page);
    return std::max<uint64_t>(info.inks.size(), press_inks) + (has_spots ? info.extras.size() : 0);
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

/// Beside the value itself.
uint64_t bytes_of(const manifests::SettingValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return text->size();
  const auto* points = std::get_if<std::vector<CurvePoint>>(&value);
  return points == nullptr ? 0 : sizeof(CurvePoint) * points->size();
}

/// Of the settings of inks, which each sheet has.
uint64_t ink_bytes(const manifests::PageSettings& settings) {
  constexpr uint64_t kParameterBytes = 96, kSettingBytes = 144;  // an entry of a map
  uint64_t bytes = 0;
  for (const manifests::InkSettings& ink : settings.inks) {
    bytes += sizeof ink + ink.ink.size() + kParameterBytes * ink.halftone.parameters.size() +
             ink.halftone.tile.path.size() + ink.halftone.tile.digest.size() +
             sizeof(manifests::InkShare) * ink.shares.size();
    for (const auto& [key, value] : ink.over) bytes += kSettingBytes + bytes_of(value);
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

bool PlanSize::add(const manifests::JobPage& entry,
                   const tiff::TiffFile& file,
                   uint32_t press_inks) {
  const bool has_all = entry.pages.empty();
  const uint64_t pages = has_all ? file.page_count() : entry.pages.size();
  uint64_t plates = 0;
  const bool has_spots = entry.settings.extra_channels == "inks";
  for (uint64_t i = 0; i < pages; ++i) {
    const uint32_t page = has_all ? static_cast<uint32_t>(i) : entry.pages[i];
    plates += plates_of(entry.settings, ink_count(file, page, has_spots, press_inks));
  }
  plates_ += plates;
  const uint64_t path_bytes = kCopiesOfPath * longest_path(entry.settings);
  bytes_ += pages * (kPageBytes + kCopiesOfPath * entry.input.size() + ink_bytes(entry.settings)) +
            plates * (kPlateBytes + path_bytes);
  if (plates_ > kMaxPlates) {
    throw Error(
        ErrorKind::kLimit,
        fmt::format(
            "with {} the job has {} plates, the limit is {}", entry.input, plates_, kMaxPlates),
        "split the job");
  }
  if (entry_.empty() && bytes_ > most_bytes_) entry_ = entry.input;
  return entry_.empty();
}

void PlanSize::refuse_too_much() const {
  if (entry_.empty()) return;
  const std::string begin =
      fmt::format("from {} on the plan of the job is too large: that of all {} would take about {}",
                  entry_,
                  counted(plates_, "plate"),
                  bytes_text(bytes_));
  if (bytes_ > kMostBytes) {
    throw Error(ErrorKind::kLimit,
                fmt::format("{}, the limit is {}", begin, bytes_text(kMostBytes)),
                "split the job");
  }
  throw Error(
      ErrorKind::kLimit,
      fmt::format("{}, and of its memory limit of {} it may have {}; it needs at least {} of "
                  "memory: raise limits.memory or --memory, or split the job",
                  begin,
                  bytes_text(memory_bytes_),
                  bytes_text(most_bytes_),
                  limit_text(kProgramBytes + kPart * bytes_)));
}

}  // namespace mezzo::plan
