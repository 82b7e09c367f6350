// The data of a report, and the words that both of its forms share.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/plan/plan.h"
#include "pipeline/run/result.h"

namespace mezzo::report {

/// Pictures of a page, encoded: data URIs. Empty where left out.
struct PagePicture {
  size_t page = 0;                       ///< of the sheet
  uint32_t width_px = 0, height_px = 0;  ///< of contone and plate
  std::string contone, plate;
  uint32_t dots_width_px = 0, dots_height_px = 0;
  uint32_t dots_x = 0, dots_y = 0;
  std::string dots;
};

/// The last run that made plates of a job, when a later one found all of them unchanged.
struct MadeBefore {
  std::string finished;  ///< as utc_text() writes it
  double seconds = 0;
  uint64_t pixels = 0;  ///< of the sheets that it made, all planes
};

struct ReportData {
  const plan::JobPlan& plan;
  const run::JobResult& result;
  std::optional<run::Failure> not_started;  ///< why the job did not begin
  std::chrono::system_clock::time_point finished;
  std::vector<std::vector<PagePicture>> pictures;  ///< by sheet of the plan
  bool pictures_left_out = false;                  ///< for the size of the page
  std::optional<MadeBefore> made = {};  ///< this run has made nothing, and its times say nothing
  bool of_cluster = false;  ///< sheets without a result are open: to be made, or made again
};

/// The result of sheet `index` of the plan, or null when it was not begun.
const run::SheetResult* result_of(const ReportData& data, size_t index);

/// The plates of a sheet by their content: the same text for equal bits.
std::string plates_key(const run::SheetResult& sheet);

/// Whether the sheet was at work in the run whose times the report shows.
bool is_timed(const ReportData& data, const run::SheetResult& sheet);

/// How long that run took.
double seconds_of(const ReportData& data);

/// Why the sheet failed, in its run or before, or the last failure of one that is open; null
/// when it is good or was not begun.
const run::Failure* failure_of(const ReportData& data, size_t index);

/// "page 3", "pages 1-2, 5": the pages of its file that a sheet has; empty when they are all of
/// them, or too many to list.
std::string pages_text(const plan::SheetPlan& sheet);

/// A path of the job, or a message that begins with one, as the manifest has it: without the folder
/// that its paths start from.
std::string from_folder(const plan::JobPlan& plan, const std::string& text);

enum class Outcome { kGood, kFailed, kNotBegun, kOpen };
Outcome outcome_of(const ReportData& data, size_t index);

struct Totals {
  size_t good = 0, failed = 0, not_begun = 0, open = 0;  ///< sheets
  size_t nodes = 0;                                      ///< that sheets were made on
  size_t warnings = 0;
  size_t notes = 0;
  size_t plates = 0;
  uint64_t plate_bytes = 0;
  uint64_t pixels = 0;       ///< of the good sheets, all planes
  size_t made_before = 0;    ///< good sheets, by earlier runs
  uint64_t made_pixels = 0;  ///< of the other good sheets
  run::StageSeconds stages{};
};
Totals totals_of(const ReportData& data);

/// The place and the message of the failure, with paths as they are in the manifest.
std::string message_of(const plan::JobPlan& plan, const run::Failure& failure);

/// Advice on an error of this kind, in one or two sentences that hold for all of them.
std::string_view advice_on(ErrorKind kind);

/// The advice of the error itself, or that on its kind if it has none, as sentences.
std::string advice_on(const Error& error);
std::string advice_on(const run::Failure& failure);

}  // namespace mezzo::report
