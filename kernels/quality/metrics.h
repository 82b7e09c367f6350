// The metrics of a comparison: the one list behind the table, the page, JSON and the library.
#pragma once

#include <cmath>
#include <span>
#include <string_view>

#include "kernels/quality/quality.h"

namespace mezzo::quality {

enum class Better { kLower, kHigher, kNearZero, kNeither };

struct Metric {
  std::string_view key;    ///< of JSON; empty: JSON does not have it, or in a form of its own
  std::string_view group;  ///< one of kGroups
  std::string_view name;
  std::string_view unit;
  Better better;
  int digits;  ///< shown; 0: a count
  double (*value)(const Report&);
  double scale;           ///< factor from the value to the shown one
  std::string_view note;  ///< of the page, HTML
  bool page_only = false;
};

/// In the order in which they are shown.
inline constexpr std::string_view kGroups[] = {
    "Tone", "As the eye sees it", "Dots", "Start at the top edge", "Seams"};

/// In the order of JSON.
std::span<const Metric> metrics();

/// NaN: it is not defined, or the page is too small.
inline double shown(const Metric& metric, const Report& report) {
  return metric.scale * metric.value(report);
}

}  // namespace mezzo::quality
