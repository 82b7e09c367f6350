// Settings of one ink of a page, over those of the page: plate_settings.h puts the two together.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/settings.h"
#include "manifests/setting_value.h"

namespace mezzo::manifests {

/// Where an ink without a plate of its own is printed: added to another, or with kAllInks to each.
struct InkShare {
  std::string ink;
  double percent = 100;
  bool operator==(const InkShare&) const = default;
};
inline constexpr std::string_view kAllInks = "all";

/// Settings of an ink by their keys, such as "tone.gamma", each over that of its page
/// (settings/setting.h, settings_of_inks()).
using Overlay = std::map<std::string, SettingValue, std::less<>>;

/// An entry of `inks`: what is not given is the page's.
struct InkSettings {
  std::string ink;    ///< as written
  std::string label;  ///< for {label} in paths; empty: the ink's name
  /// Without a method it is of the page's method; engine kAutomatic is the page's engine.
  HalftoneSettings halftone{.method = {}};
  Overlay over = {};
  // At most one of these; none: the ink has a plate of its name.
  bool is_dropped = false;
  std::string plate = {};             ///< another name for its plate
  std::vector<InkShare> shares = {};  ///< the plates of others that it is added to
  std::string from =
      {};  ///< another ink: this is a second plate of it, with its own curve (light inks)
  bool operator==(const InkSettings&) const = default;
};

}  // namespace mezzo::manifests
