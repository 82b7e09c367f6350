// The metrics of a comparison: the one list behind the table, the page, JSON and the library.
#pragma once

#include <cmath>
#include <span>
#include <string_view>

#include "kernels/quality/quality.h"

namespace mezzo::quality {

enum class Better { kLower, kHigher, kNearZero, kNeither };

/// A number of a report of type `Of`.
template <typename Of>
struct BasicMetric {
  std::string_view key;    ///< of JSON; empty: JSON does not have it, or in a form of its own
  std::string_view group;  ///< one of kGroups
  std::string_view name;
  std::string_view unit;
  Better better;
  int digits;  ///< shown; 0: a count
  double (*value)(const Of&);
  double scale;           ///< factor from the value to the shown one
  std::string_view note;  ///< of the page, HTML
  bool page_only = false;
};
using Metric = BasicMetric<Report>;

/// In the order in which they are shown.
inline constexpr std::string_view kGroups[] = {
    "Tone", "As the eye sees it", "Dots", "Start at the top edge", "Lines and seams"};

/// In the order of JSON.
std::span<const Metric> metrics();

/// NaN: it is not defined, or the page is too small.
template <typename Of>
double shown(const BasicMetric<Of>& metric, const Of& report) {
  return metric.scale * metric.value(report);
}

}  // namespace mezzo::quality
