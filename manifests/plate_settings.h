// The settings of a plate: those of its ink over those of its page.
//
// A value counts from the last of: built in, `defaults`, the page, the ink in `defaults`, the ink of
// the page. Inks are found under any of their names (kernels/prepress/ink_key.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "manifests/job.h"

namespace mezzo::manifests {

/// The settings of one plate: those of its page with those of its ink over them.
struct PlateSettings {
  HalftoneSettings halftone;
  ToneSettings tone;
  prepress::Protect protect;
  std::string path;         ///< template, as OutputSettings has it
  std::string compression;  ///< a name of tiff::compressions()
  std::string label;        ///< empty: the ink's name
  bool operator==(const PlateSettings&) const = default;
};

/// The entry of the page for an ink of that name; null when there is none.
const InkSettings* find_ink(const PageSettings& page, std::string_view ink);

/// An ink that names no engine runs on the page's, or on the CPU where its method cannot.
PlateSettings plate_settings(const PageSettings& page, std::string_view ink);

/// The templates of all plates' paths: the page's, and those of its inks.
std::vector<std::string*> plate_templates(PageSettings& page);
std::vector<std::string> plate_templates(const PageSettings& page);

}  // namespace mezzo::manifests
