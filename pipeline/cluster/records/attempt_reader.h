// All attempts at a plan's units, read back from their records.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pipeline/cluster/plan/cluster_plan.h"
#include "pipeline/cluster/records/attempt.h"

namespace mezzo::cluster {

/// All attempts whose files are in the plan's folder, also of earlier submissions, oldest first.
/// `unit`: only attempts at that one. A folder that is not there holds none. Throws Error(kIo).
std::vector<Attempt> read_attempts(const ClusterPlan& plan, std::optional<uint32_t> unit = {});

/// Writes the plates that earlier submissions of the plan's folder sealed to
/// records/earlier.ndjson, and removes the files of their attempts. Only when no attempt runs. With
/// `forget` all plates are made again, though they still count as the plan's own, which may be
/// replaced. Throws Error.
void compact_records(const ClusterPlan& plan, bool forget);

/// Writers of the attempts in earlier.ndjson that did not end, and may have left temporary files.
/// Throws Error(kIo).
std::set<std::string> read_earlier_writers(const ClusterPlan& plan);

/// Plates of earlier.ndjson, by path. Throws Error(kIo).
std::map<std::string, SealedPlate> read_earlier(const ClusterPlan& plan);

}  // namespace mezzo::cluster
