// Which curves of a press a page is printed with.
#pragma once

#include <string>

namespace mezzo::manifests {

struct CurveSettings {
  std::string library;     ///< folder of curve files; empty: no curves. Only a press names one
  std::string paper;       ///< that is printed on; empty: not said
  bool has_plate = true;   ///< curves of plates count
  bool has_press = true;   ///< curves of the press count
  bool is_strict = false;  ///< an ink without a curve, or with an expired one, is a mistake
  bool operator==(const CurveSettings&) const = default;
};

}  // namespace mezzo::manifests
