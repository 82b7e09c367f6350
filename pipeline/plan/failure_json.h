// A failure as an object in plans and records of a cluster: kind, message, advice, place.
#pragma once

#include "pipeline/plan/failure.h"

namespace mezzo::json {
class Members;
}  // namespace mezzo::json

namespace mezzo::plan {

/// Only a strict reader refuses an unknown kind, which a later version may have written; others
/// read it as kBug.
void describe(json::Members& members, Failure& failure);

}  // namespace mezzo::plan
