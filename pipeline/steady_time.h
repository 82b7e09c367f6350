// Points in time for waits and durations of this process, by a clock that nobody sets.
#pragma once

#include <chrono>

namespace mezzo {

using SteadyClock = std::chrono::steady_clock;
using SteadyTime = SteadyClock::time_point;

}  // namespace mezzo
