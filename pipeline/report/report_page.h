// report.html: a single file without scripts; its Content-Security-Policy forbids every request.
// Templates are in pipeline/report/page/. A sheet is written by report_sheet.cpp, its timeline by
// report_timeline.cpp.
#pragma once

#include <cstddef>
#include <string>

#include "pipeline/report/report_data.h"

namespace mezzo::report {

std::string report_page(const ReportData& data);

// Its parts, as HTML.

/// All about one sheet: pictures, settings, plates, times. Its id is that of sheet_id().
std::string sheet_section(const ReportData& data, size_t index);

/// The times at work of the first 60 sheets that were begun; empty when none was.
std::string timeline_section(const ReportData& data);

/// "s12" for the sheet of index 11.
std::string sheet_id(size_t index);

/// The sheet's input file, without its folder, and its pages where the file has more.
/// "123.4 cm²", "1.23 m²".
std::string area_text(double cm2);

/// "1.23 ml", "45.6 µl".
std::string volume_text(double ml);

std::string sheet_name(const plan::SheetPlan& sheet);

/// Sheets that have a section of their own, and pictures in it: the first of a long job.
inline constexpr size_t kMostSections = 600;

/// A mark and a word for an outcome.
std::string outcome_chip(Outcome outcome);

}  // namespace mezzo::report
