// The measured curves of a sheet's plates: what follows from the library of its press.
//
// Curves are looked up once, when a job is planned, by press, kind, ink, screen, resolution and paper.
// They go into PlatePlan::curves, and from there into tones, plates, records and cluster plans.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "manifests/curve/curve_library.h"
#include "pipeline/plan/job_plan.h"

namespace mezzo::plan {

/// All that decides the dots of a plate's tones, in one line: method, parameters, thresholds, levels;
/// "am ruling=175 angle=15 dot=euclidean minimum_dot=9 cell_repeats=31 cell_m=411 cell_n=110". Without the
/// resolution. Two plates with equal texts show a tone with the same dots.
std::string screen_digest(const SheetPlan& sheet, const PlatePlan& plate);

/// Reads each library once.
class CurveReader {
 public:
  /// Fills in the curves of plates, and adds warnings. Throws Error: as curve::Library does, and kData for
  /// an ink without a curve, or with an expired one, where the settings are strict. A plate of the
  /// method `threshold` needs no curve.
  void read(SheetPlan& sheet);

 private:
  const curve::Library& library(const std::string& folder);

  void warn_of_missing(curve::PressCurve::Kind kind,
                       std::vector<std::string> inks,
                       SheetPlan& sheet);

  std::map<std::string, curve::Library> libraries_;
  std::set<std::string> missing_;  ///< what was warned of
};

}  // namespace mezzo::plan
