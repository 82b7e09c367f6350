// What the settings of a page make of its inks, as text: in the tags of plates and in what decides on
// their bytes. Names stand in quotes, so that no ink's name can be taken for anything else.
//
//   "PANTONE 185 C" with "magenta" 90 % + "yellow" 60.5 %, "varnish" dropped, "Gold" as "Yellow",
//   "light cyan" from "cyan"
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "manifests/job.h"

namespace mezzo::plan {

/// In quotes; quotes, backslashes and semicolons in it become \xHH.
std::string quoted_name(std::string_view name);

/// A name between "; " and "; ": as it is, or in quotes where it could not be told from what follows
/// or from a quoted one.
std::string name_in_line(std::string_view name);
std::string read_name_in_line(std::string_view text);

/// The name that quoted_name() wrote. Throws Error(kUnsupported) for other text.
std::string read_quoted_name(std::string_view text);

/// Likewise of an ink, which must be clean text (kernels/base/utf8.h).
std::string read_quoted_ink(std::string_view text);

/// Equal texts, equal maps. Empty when all inks have plates of their names.
std::string mapping_text(const manifests::PageSettings& settings);

/// The inks that such a text names; each has only what it says. Throws Error(kUnsupported) for other
/// text.
std::vector<manifests::InkSettings> read_mapping(std::string_view text);

}  // namespace mezzo::plan
