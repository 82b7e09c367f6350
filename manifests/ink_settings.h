// Settings of one ink of a page, over those of the page: plate_settings.h puts the two together.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/band/tone_settings.h"
#include "kernels/prepress/protect.h"
#include "kernels/settings.h"

namespace mezzo::manifests {

/// Where an ink's curve differs from that of its page.
struct InkTone {
  std::optional<bool> invert = {};
  std::optional<double> gamma = {};
  std::vector<CurvePoint> points = {};  ///< empty: the page's
  bool operator==(const InkTone&) const = default;
};

/// Where an ink without a plate of its own is printed: added to another, or with kAllInks to each.
struct InkShare {
  std::string ink;
  double percent = 100;
  bool operator==(const InkShare&) const = default;
};
inline constexpr std::string_view kAllInks = "all";

/// An entry of `inks`: what is not given is the page's.
struct InkSettings {
  std::string ink;    ///< as written
  std::string label;  ///< for {label} in paths; empty: the ink's name
  /// Without a method it is of the page's method; engine kAutomatic is the page's engine.
  HalftoneSettings halftone{.method = {}};
  InkTone tone = {};
  std::optional<prepress::Protect> protect = {};
  std::string path = {};         ///< template of its plate, as OutputSettings has it
  std::string compression = {};  ///< a name of tiff::compressions()
  // At most one of these; none: the ink has a plate of its name.
  bool is_dropped = false;
  std::string plate = {};             ///< another name for its plate
  std::vector<InkShare> shares = {};  ///< the plates of others that it is added to
  std::string from =
      {};  ///< another ink: this is a second plate of it, with its own curve (light inks)
  bool operator==(const InkSettings&) const = default;
};

}  // namespace mezzo::manifests
