// The files that the settings of a page name, beside its input: thresholds of its screens and of those
// of its inks, and ICC profiles.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "manifests/origins.h"

namespace mezzo::manifests {

struct NamedFile {
  std::string* path;           ///< never empty
  const Origin* origin;        ///< of that path; null where it is not known
  HalftoneSettings* halftone;  ///< whose thresholds these are; null for a profile
  std::string_view key;        ///< that it is written at, in its map
};

/// Pointers into both; `origins` may be null. Profiles that are built in are none of these.
std::vector<NamedFile> named_files(PageSettings& settings, const Origins* origins);

/// Whether the press names the file, which then lies where the press file says.
inline bool is_of_press(const NamedFile& file) {
  return file.origin != nullptr && file.origin->layer == Layer::kPress;
}

}  // namespace mezzo::manifests
