// How a halftone was made of its page, so that it can be compared with the contone that it was
// halftoned from: as the tag of a plate says, or as the user says of other halftones.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "manifests/job.h"
#include "tools/compare/pages.h"

namespace mezzo::compare {

struct Making {
  /// Those of the page's chain, and the finish of the plate; see plan::Origin.
  manifests::PageSettings settings;
  std::string page_ink;
  std::vector<manifests::Linework> linework;  ///< whose files can be opened
  std::string curves;                         ///< as Origin has them
  std::string ink;                            ///< of the plate; empty: not known
  std::string origin;                         ///< "page 3 of book.tif"; empty: no tag says it
};

/// What a user says on the command line of halftones that do not say it themselves; nothing by
/// default. Of line work, `file` counts for those that do, too: it stands for the only file, or for that of its name.
struct Given {
  Given() { settings.extra_channels = "ignore"; }

  manifests::PageSettings settings;
  std::optional<manifests::Linework> linework;
};

/// The making of `halftone` from `contone`. Throws Error: kUnsupported when its tag has settings that
/// this version does not know, kUsage when both the tag and the user say how it was made.
Making making_of(const OpenPage& halftone, const OpenPage& contone, const Given& given);

/// A halftone, and the plane of its contone that it is compared with.
struct ComparedPair {
  ComparedPlane contone, halftone;
  /// What they were compared after, for people: "scale 4/1 by cubic", "mirror undone".
  std::vector<std::string> steps;
};

/// `ink` as for choose_plane(). Throws Error: kUsage as that does; kData, kUnsupported, kMissing,
/// kChecksum when the pages do not belong together, or the page cannot be made ready as the halftone
/// was, or its line work is missing or another.
ComparedPair pair_up(const OpenPage& contone,
                     const OpenPage& halftone,
                     const Making& making,
                     const std::string& ink);

}  // namespace mezzo::compare
