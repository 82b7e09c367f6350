// Which curves of a press a page is printed with.
#pragma once

#include <string>
#include <string_view>

namespace mezzo::manifests {

/// The message and the advice about settings of curves without a library.
inline constexpr std::string_view kNoCurveLibrary =
    "'curves' has no effect: no press file names a library of them";
inline constexpr std::string_view kNameCurveLibrary =
    "name one with 'press', whose 'curves' has a 'library'";

struct CurveSettings {
  std::string library;     ///< folder of curve files; empty: no curves. Only a press names one
  std::string paper;       ///< that is printed on; empty: not said
  bool has_plate = true;   ///< curves of plates count
  bool has_press = true;   ///< curves of the press count
  bool is_strict = false;  ///< an ink without a curve, or with an expired one, is a mistake
  bool operator==(const CurveSettings&) const = default;
};

}  // namespace mezzo::manifests
