// Plans of format 1, which had members of other names for settings.
#pragma once

#include "manifests/json/value.h"

namespace mezzo::cluster {

/// Makes a plan of format 1 one of format 2. What is no plan, or of another format, stays as it is. A member that
/// format 1 did not have either stays where it is, and is refused there.
void update_format(json::Value& plan);

}  // namespace mezzo::cluster
