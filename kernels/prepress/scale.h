// The scaler of a filter.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/prepress/scaler.h"

namespace mezzo::prepress {

/// For a page of this size; both ratios are possible, and with kEdges at least 1.
std::unique_ptr<Scaler> make_scaler(uint32_t page_width_px,
                                    uint32_t page_height_px,
                                    const Scaling& scaling);

}  // namespace mezzo::prepress
