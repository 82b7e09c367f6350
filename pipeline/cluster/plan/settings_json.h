// Settings as members of JSON: one for each row (manifests/settings/setting.h), by its key.
//
//   {"tone.gamma": 0.9, "output.path": "/plates/{ink}.tif", "copies.across": 3, "copies.gap": 2000}
//
// Lengths are in micrometres. A setting with its usual value is left out.
#pragma once

#include <vector>

#include "manifests/job.h"
#include "manifests/json/members.h"

namespace mezzo::cluster {

/// A curve as pairs of numbers.
struct CurvePoints {
  std::vector<CurvePoint>& points;
};
void transfer(json::Slot& slot, CurvePoints curve);

/// All settings that have rows. Values that are read fit their rows, and are over those of `settings`.
void describe_settings(json::Members& members, manifests::PageSettings& settings);

/// The settings that an ink has of its own, and its levels.
void describe_settings(json::Members& members, manifests::InkSettings& ink);

}  // namespace mezzo::cluster
