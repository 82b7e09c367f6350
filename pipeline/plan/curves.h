// The measured curves of a sheet's plates: what follows from the library of its press.
//
// Curves are looked up once, when a job is planned, by press, kind, ink, screen, resolution and paper.
// They go into PlatePlan::curves, and from there into tones, plates, records and cluster plans.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "manifests/curve/curve_library.h"
#include "pipeline/plan/job_plan.h"

namespace mezzo::plan {

/// All that decides the dots of a plate's tones, in one line: method, parameters, thresholds, levels;
/// "am ruling=175 angle=15 dot=euclidean minimum_dot=9 cell_repeats=31 cell_m=411 cell_n=110". Without the
/// resolution. Two plates with equal texts show a tone with the same dots.
std::string screen_digest(const SheetPlan& sheet, const PlatePlan& plate);

/// That of all plates of the sheet, with square pixels; 0 when neither its pages nor its settings say.
/// Throws Error(kUnsupported) for plates of two: `for_squares` and `for_one` say in the messages what is
/// for one, such as "curves are" and "the plates of a sheet have one curve".
double dpi_of_plates(const SheetPlan& sheet,
                     std::string_view for_squares,
                     std::string_view for_one);

/// Reads each library once.
class CurveReader {
 public:
  /// Fills in the curves of plates, and adds warnings. Throws Error: as curve::Library does, and kData for
  /// an ink without a curve, or with an expired one, where the settings are strict.
  void read(SheetPlan& sheet);

 private:
  const curve::Library& library(const std::string& folder);

  std::map<std::string, curve::Library> libraries_;
};

/// "press cyan.yaml (1a2b3c4d), plate setter.yaml (5e6f7a8b)", for people; empty without curves.
std::string curves_text(const PlatePlan& plate);

/// "press 1a2b.., plate 5e6f..": kinds and whole digests, for plates and records; empty without curves.
std::string curve_digests(const ToneSettings& tone);

}  // namespace mezzo::plan
