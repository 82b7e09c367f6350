// The value of a key, on its way between a text and the member of a record.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "kernels/band/tone_settings.h"
#include "manifests/time_window.h"

namespace mezzo::manifests {

/// Nothing for maps and lists of pages, which their reader takes from the node, and where a record has no
/// value. A duration is its milliseconds, a length its micrometres.
using SettingValue = std::variant<std::monostate,
                                  bool,
                                  uint64_t,
                                  double,
                                  std::string,
                                  std::vector<uint32_t>,
                                  std::vector<double>,
                                  std::vector<std::string>,
                                  std::vector<TimeWindow>,
                                  std::vector<CurvePoint>>;

}  // namespace mezzo::manifests
