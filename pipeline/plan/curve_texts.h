// The curves of a plate, in words.
#pragma once

#include <string>

#include "pipeline/plan/job_plan.h"

namespace mezzo::plan {

/// "press cyan.yaml (1a2b3c4d), plate setter.yaml (5e6f7a8b)", for people; empty without curves.
std::string curves_text(const PlatePlan& plate);

/// "press 1a2b.., plate 5e6f..": kinds and whole digests, for plates and records; empty without curves.
std::string curve_digests(const ToneSettings& tone);

}  // namespace mezzo::plan
