// Which planes of a page an ink limit counts, and how: as samples, or as they are printed.
#pragma once

#include <optional>
#include <string>

#include "manifests/job.h"
#include "pipeline/plan/ink_map.h"
#include "stages/chain/limit_stage.h"

namespace mezzo::plan {

/// The limit of a page whose inks become these plates, each of one plane in this order; nothing without
/// a limit, or for a single plate: separations in files of their own cannot be added up.
///
/// Inks count under any of their names, second plates (`from`) with the ink that they are of, and the
/// bits of levels once. Samples count as they are, since the curves of a press undo its dot gain. Where
/// an ink has a second plate, or plates have levels, the tone curves of the settings are no such
/// correction, and what is printed counts (LimitSettings::printed). Throws Error(kUnsupported), with
/// `place` before the message, for inverted samples.
std::optional<chain::LimitSettings> limit_of(const InkMap& map,
                                             const manifests::PageSettings& settings,
                                             const std::string& place);

}  // namespace mezzo::plan
