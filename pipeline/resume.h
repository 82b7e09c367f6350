// Going on with a job where an earlier run of it stopped: what the journal says is held against the
// disk and the manifest, sheet by sheet.
#pragma once

#include <string>
#include <vector>

#include "pipeline/journal.h"
#include "pipeline/plan.h"

namespace mezzo {

/// Sets `is_ours` of every plate that an earlier run of the job wrote, and `done` of every sheet
/// whose plates stand where they belong, unchanged, and were made from this input with these
/// settings; takes those sheets out of the plan's totals. Gives, for people, one line for each
/// sheet that the journal knows and that must be made again, and why. Throws Error(kIo) when the
/// journal cannot be read.
std::vector<std::string> take_done_sheets(JobPlan& plan, Journal& journal);

/// Removes what earlier runs that were killed left of plates that they had not finished. What a
/// process of this machine is still writing stays. Only for one who has the job's journal open.
void remove_left_over(const JobPlan& plan);

/// The entries of a sheet that was sealed. `files` are the marks of its plates, in their order.
std::vector<JournalEntry> journal_entries(const SheetPlan& sheet,
                                          const SheetResult& result,
                                          const FileMark& input_file,
                                          const std::string& input_digest,
                                          const std::vector<FileMark>& files);

}  // namespace mezzo
