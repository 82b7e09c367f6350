// The origin of a plate as its tag tells it: the line of provenance_text(), read back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "manifests/job.h"

namespace mezzo::plan {

struct Origin {
  std::string input;  ///< file name, without folder
  uint32_t page = 1;  ///< of that file, from 1
  std::string ink;    ///< of the plate
  /// That the only ink of the page stands for, where the inks of the settings go by it.
  std::string page_ink;
  /// What was done to the page and to its plate: tone, protect, levels, extra_channels and spot_polarity,
  /// inks, the ink's name on the press, geometry, scale, assumed_dpi, output.mirror, output.negative and output.resolution_dpi.
  /// All else is as it is built in.
  manifests::PageSettings settings;
  std::string
      curves;  ///< of press and plates, as curve_digests() has them; their points are not told
  std::vector<manifests::Linework> linework;  ///< files without folder
  std::string colour_table;  ///< digest of the table that the page was converted by; empty: none
};

/// Throws Error(kUnsupported), with the words at fault, for any line that this version does not
/// write: a setting of a later one is never passed over.
Origin read_provenance(const std::string& line);

}  // namespace mezzo::plan
