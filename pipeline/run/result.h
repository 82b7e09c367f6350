// The results of a job: plain values, for the report, the exit status and --json.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/prepress/overlay.h"
#include "kernels/prepress/protect.h"
#include "pipeline/plan/failure.h"
#include "pipeline/run/stage.h"
#include "pipeline/run/timeline.h"
#include "stages/tiff/verify_level.h"

namespace mezzo::run {

using plan::Failure;

/// A plate that was published.
struct PlateResult {
  std::string ink;
  std::string path;
  std::string compression;
  uint64_t file_bytes = 0;
  std::string content_sum;      ///< of the decoded rows; equal for equal bits
  double coverage_percent = 0;  ///< part of the pixels that are ink; of packed levels, of a solid
  std::optional<prepress::Protection> protection = {};   ///< where the settings ask for it
  std::optional<prepress::OverlayPixels> linework = {};  ///< where the page has any
  std::vector<uint64_t> drops = {};      ///< pixels of each level, where the plate has packed ones
  std::optional<double> volume_ml = {};  ///< of all drops, where theirs are known
  std::optional<double> ink_cm2 = {};    ///< printed, as far as the plate says its resolution
  std::optional<double> ink_ml = {};     ///< estimate; of drops as for volume_ml
};

/// A file beside the plates; a sheet whose plates are good is good without.
struct SideFileResult {
  std::string kind = {};  ///< "proof" or "ppf"
  std::string path = {};
  uint32_t page = 0;  ///< of the input file, from 0
  uint64_t file_bytes = 0;
  uint32_t width_px = 0, height_px = 0;  ///< of its picture
  double dpi = 0;
  std::string colours = {};     ///< of a proof: by what
  std::string zones_path = {};  ///< of a PPF file
  std::string error = {};       ///< why it could not be made; empty when it is there
  bool already_done = false;    ///< by an earlier run
};

/// The ink in one place of a sheet's pages, in percent of a solid, of those inks that its limit counts.
struct InkAmount {
  double limit_percent = 0;
  bool only_checked = false;  ///< samples stayed as they were
  uint64_t pixels = 0;        ///< of the pages, at their own resolution
  uint64_t above_px = 0;      ///< of these, before
  uint64_t changed_px = 0;
  double mean_percent = 0, most_percent = 0;              ///< before
  double mean_after_percent = 0, most_after_percent = 0;  ///< as it is printed
  /// Of the first page, where it was made by this process: the share of the pixels above the limit, of
  /// 255, in cells from left to right, then down.
  std::vector<uint8_t> map = {};
  uint32_t map_columns = 0;
};

/// One sheet: an input file (or one page of it), all its plates.
struct SheetResult {
  size_t index = 0;  ///< of its plan
  std::string node;  ///< of a cluster, that it was made on; else empty
  std::string input;
  std::vector<uint32_t> pages;  ///< of the input file, from 0
  std::optional<Failure> failure;
  std::vector<PlateResult> plates;    ///< empty when the sheet failed
  std::optional<InkAmount> ink = {};  ///< where the settings have an ink limit
  std::vector<SideFileResult> side_files;
  std::vector<std::string> warnings;  ///< what came up while it was made; the sheet is good
  std::vector<std::string> notes;     ///< decisions that were made for the user
  uint64_t pixels = 0;                ///< of all planes
  uint64_t input_bytes = 0;           ///< of the input file, where it could be opened
  double seconds = 0;
  double begin_seconds = 0;        ///< after the job's begin
  StageSeconds stages{};           ///< where they went; see stage_times.h
  std::vector<Activity> timeline;  ///< of the stages, since the sheet's begin, where asked for
  std::optional<tiff::VerifyLevel> verified;  ///< the plates; none: not known, or there are none
  bool already_done = false;  ///< by an earlier run of the job; `plates` are as they were then
};

/// The results of sheets that an earlier run made, by their index in the plan.
using DoneSheets = std::map<size_t, SheetResult>;

struct JobResult {
  std::string job;
  std::vector<SheetResult> sheets;  ///< in the order of the manifest
  double seconds = 0;
  bool interrupted = false;  ///< stopped on request; sheets not begun are missing from `sheets`
  bool device_lost = false;  ///< a GPU failed for good; sheets not begun are missing likewise
  bool out_of_time = false;  ///< the deadline passed; sheets not begun are missing likewise

  bool all_good() const {
    for (const SheetResult& sheet : sheets) {
      if (sheet.failure) return false;
    }
    return !interrupted && !device_lost && !out_of_time;
  }
};

}  // namespace mezzo::run
