// The channels beside the colours of a page, as Photoshop describes them in its image resources (tag
// 34377): spot colours and alpha channels, with their names.
//
// The resources come with the file: nothing in them is believed that does not fit the page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "stages/page_info.h"

namespace mezzo::tiff {

/// Returns `count` channels, in the order of the page's extra samples, or nothing when the resources are damaged.
/// All channels have an unknown kind and no name when the resources describe no channels, or another number of them.
std::optional<std::vector<ExtraChannel>> photoshop_channels(std::span<const std::byte> resources,
                                                            uint32_t count);

}  // namespace mezzo::tiff
