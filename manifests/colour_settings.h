// The colour of a page: which ICC profiles its inks are worked out by, and how much ink they may be.
//
// A page is converted where a profile of the press, or a device link, is named, and the file or the
// settings say what its samples mean. Paths are as those of other files that settings name. The keys
// are in settings/colour_groups.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mezzo::manifests {

/// The name of a profile that is built in.
inline constexpr std::string_view kSrgb = "sRGB";

struct ColourSettings {
  std::string profile = {};  ///< of the press; empty: pages keep their inks
  std::string link = {};     ///< a device link, instead of all other profiles
  /// Profiles of pages whose files have none, by their colour model: a path, or kSrgb; empty: not
  /// known.
  std::string assumed_rgb = {}, assumed_cmyk = {}, assumed_grey = {};
  bool ignores_embedded = false;       ///< assumed profiles count before those of files
  std::string intent = "relative";     ///< a name of intent_names()
  bool black_point = true;             ///< black point compensation, where the intent knows it
  std::string black = "auto";          ///< a name of black_names()
  std::string neutrals = "profile";    ///< a name of neutral_names()
  std::string grey = "k-only";         ///< a name of grey_names()
  std::vector<std::string> inks = {};  ///< of the press profile, which names none; empty: it does
  std::string tables = {};             ///< folder of frozen tables; empty: they are made
  bool operator==(const ColourSettings&) const = default;

  /// Whether pages in colour are converted at all.
  bool converts() const { return !profile.empty() || !link.empty(); }
};

struct InkLimit {
  double percent = 0;         ///< of a solid, summed over the inks that count; 0: no limit
  bool counts_spots = false;  ///< all inks of the page, and not the process inks alone
  bool only_checks = false;   ///< samples stay, and the report counts
  bool operator==(const InkLimit&) const = default;
};

/// The largest limit: no page has more inks that count.
inline constexpr double kMostInkPercent = 1600;

std::vector<std::string_view> intent_names();
std::vector<std::string_view> black_names();
std::vector<std::string_view> neutral_names();
std::vector<std::string_view> grey_names();

}  // namespace mezzo::manifests
