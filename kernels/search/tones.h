// The tones of a band, as searches take them.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/band/team.h"
#include "kernels/band/tone.h"

namespace mezzo::search {

/// Q12, rows without gaps.
std::vector<uint16_t> tones_of(const SampleBand& in, const ToneCurve& curve, Team& team);

}  // namespace mezzo::search
