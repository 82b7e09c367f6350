// The IDs of jobs.
#pragma once

#include <string>

namespace mezzo {

/// The time (UTC), so that people see which job is older, and 64 random bits, so that no two are the
/// same: "20261122-064441-8205c866062c1fcb". Throws Error(kIo) when there are no random numbers.
std::string new_job_id();

}  // namespace mezzo
